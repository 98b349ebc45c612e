// Compares the objects of two traces. Their weights and attributes must be equal, bit by bit, because the model has one
// set of them. Classes are compared by the caller, because they have code.
#include "runtime/sources/torchscript/compare/compare_objects.h"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <variant>

#include "runtime/base/interruption.h"
#include "runtime/ir/same_bytes.h"

namespace onnxport::torchscript {

void ObjectComparison::Compare(const Pickled& a, const Pickled& b, const std::string& path) {
  if (!seen_.emplace(&a, &b).second) return;
  Interruption::Check();
  const auto compare = [&](const auto& held) {
    const auto* other = std::get_if<std::decay_t<decltype(held)>>(&b.v);
    if (!other) pair_.RefuseValue(path);
    CompareHeld(held, *other, path);
  };
  std::visit(compare, a.v);
}

void ObjectComparison::Compare(const PickledPtr& a, const PickledPtr& b, const std::string& path) {
  if (!a != !b) pair_.RefuseValue(path);
  if (a) Compare(*a, *b, path);
}

void ObjectComparison::CompareAll(const PickledList& a, const PickledList& b, const std::string& path) {
  if (a.size() != b.size()) pair_.RefuseValue(path);
  for (size_t i = 0; i < a.size(); ++i) Compare(a[i], b[i], Below(path, std::to_string(i)));
}

void ObjectComparison::CompareHeld(const Pickled::Tensor& a, const Pickled::Tensor& b, const std::string& path) {
  const auto same_quantizer = [&] {
    if (!a.quantizer || !b.quantizer) return !a.quantizer && !b.quantizer;
    return a.quantizer->scales == b.quantizer->scales && a.quantizer->zero_points == b.quantizer->zero_points &&
           a.quantizer->is_whole == b.quantizer->is_whole && a.quantizer->per_byte == b.quantizer->per_byte &&
           a.quantizer->axis == b.quantizer->axis;
  };
  if (!a.data != !b.data || (a.data && !ir::SameBytes(*a.data, *b.data)) || !same_quantizer()) pair_.RefuseValue(path);
}

void ObjectComparison::CompareHeld(const Pickled::List& a, const Pickled::List& b, const std::string& path) {
  CompareAll(a.items, b.items, path);
}

void ObjectComparison::CompareHeld(const Pickled::Tuple& a, const Pickled::Tuple& b, const std::string& path) {
  CompareAll(a.items, b.items, path);
}

void ObjectComparison::CompareHeld(const Pickled::Dict& a, const Pickled::Dict& b, const std::string& path) {
  if (a.items.size() != b.items.size()) pair_.RefuseValue(path);
  for (size_t i = 0; i < a.items.size(); ++i) {
    const auto& [key, item] = a.items[i];
    const auto* name = key ? std::get_if<std::string>(&key->v) : nullptr;
    Compare(key, b.items[i].first, path);
    Compare(item, b.items[i].second, Below(path, name ? *name : std::to_string(i)));
  }
}

void ObjectComparison::CompareHeld(const Pickled::Object& a, const Pickled::Object& b, const std::string& path) {
  classes_(a.type, b.type, path);
  Compare(a.state, b.state, path);
}

void ObjectComparison::CompareHeld(const Pickled::Enum& a, const Pickled::Enum& b, const std::string& path) {
  Compare(a.value, b.value, path);
}

void ObjectComparison::CompareHeld(const Pickled::Device& a, const Pickled::Device& b, const std::string& path) {
  if (a.text != b.text) pair_.RefuseValue(path);
}

void ObjectComparison::CompareHeld(double a, double b, const std::string& path) {
  if (a != b && !(std::isnan(a) && std::isnan(b))) pair_.RefuseValue(path);
}

}  // namespace onnxport::torchscript
