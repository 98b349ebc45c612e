#include "runtime/sources/torchscript/interpret/values/values.h"

#include <utility>

#include "runtime/ir/complex_number.h"
#include "runtime/ir/scalar_type.h"

namespace onnxport::torchscript {
namespace {

using ir::DType;

constexpr int kMaxValueDepth = 64;         // of containers in containers
constexpr int64_t kMostParts = 1'000'000;  // parts compared at most

template <typename T>
bool Holds(const Value& a, const Value& b) {
  return a.As<T>() != nullptr && b.As<T>() != nullptr;
}

// Compares containers. A few may contain each other in more ways than can be walked.
class Comparison {
 public:
  std::optional<bool> EqualAt(const Value& a, const Value& b, int depth);

 private:
  // In order; true if all are equal.
  std::optional<bool> EqualItems(const ValueList& a, const ValueList& b, int depth);

  int64_t left_ = kMostParts;
};

std::optional<bool> Comparison::EqualAt(const Value& a, const Value& b, int depth) {
  if (depth > kMaxValueDepth || --left_ < 0) return std::nullopt;
  if (a.As<Missing>() != nullptr || b.As<Missing>() != nullptr) return std::nullopt;
  // Compare integers as integers: as doubles, two large ones could seem equal.
  if (IsKnownNumber(a) && IsKnownNumber(b)) {
    const auto* x = a.As<int64_t>();
    const auto* y = b.As<int64_t>();
    return x != nullptr && y != nullptr ? *x == *y : AsDouble(a) == AsDouble(b);
  }
  // One of them is known only at run time.
  if (IsNumber(a) && IsNumber(b)) return std::nullopt;
  if (Holds<std::string>(a, b)) {
    // A text with a value known only at run time differs from the program's.
    if (IsOpen(*a.As<std::string>()) || IsOpen(*b.As<std::string>())) return std::nullopt;
    return *a.As<std::string>() == *b.As<std::string>();
  }
  if (Holds<Complex>(a, b)) {
    return a.As<Complex>()->real == b.As<Complex>()->real && a.As<Complex>()->imaginary == b.As<Complex>()->imaginary;
  }
  if (Holds<Tensor>(a, b)) {
    if (a.As<Tensor>()->id == b.As<Tensor>()->id) return true;
    return std::nullopt;
  }
  if (Holds<None>(a, b)) return true;
  if (Holds<ir::Word>(a, b)) return *a.As<ir::Word>() == *b.As<ir::Word>();
  if (Holds<EnumValue>(a, b)) {
    return a.As<EnumValue>()->type == b.As<EnumValue>()->type && a.As<EnumValue>()->name == b.As<EnumValue>()->name;
  }
  if (Holds<TuplePtr>(a, b)) return EqualItems((*a.As<TuplePtr>())->items, (*b.As<TuplePtr>())->items, depth + 1);
  if (Holds<CellPtr>(a, b)) {
    const Cell& x = **a.As<CellPtr>();
    const Cell& y = **b.As<CellPtr>();
    if (&x == &y) return true;
    // Objects are compared by identity, as in Python without `__eq__`.
    if (x.kind != y.kind || x.kind == Cell::Kind::kObject) return false;
    if (x.is_dynamic() || y.is_dynamic() || !x.present.empty() || !y.present.empty()) return std::nullopt;
    if (x.kind == Cell::Kind::kList) return EqualItems(x.items, y.items, depth + 1);
    const std::optional<bool> keys = EqualItems(x.keys, y.keys, depth + 1);
    return keys == true ? EqualItems(x.items, y.items, depth + 1) : keys;
  }
  return false;
}

std::optional<bool> Comparison::EqualItems(const ValueList& a, const ValueList& b, int depth) {
  if (a.size() != b.size()) return false;
  bool decided = true;
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<bool> equal = EqualAt(a[i], b[i], depth);
    // One different pair decides, even if others are unknown. They are equal only if all are known to be.
    if (equal == false) return false;
    if (left_ < 0) return std::nullopt;
    decided = decided && equal.has_value();
  }
  return decided ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace

Value Plain(const Value& value) {
  const auto* dtype = value.As<DType>();
  return dtype == nullptr ? value : Value{ir::ScalarTypeOf(*dtype)};
}

bool IsKnownNumber(const Value& value) {
  return value.As<bool>() != nullptr || value.As<int64_t>() != nullptr || value.As<double>() != nullptr ||
         value.As<DType>() != nullptr;
}

bool IsNumber(const Value& value) { return IsKnownNumber(value) || value.As<Number>() != nullptr; }

double AsDouble(const Value& value) {
  if (const auto* i = value.As<int64_t>()) return static_cast<double>(*i);
  if (const auto* d = value.As<double>()) return *d;
  if (const auto* t = value.As<DType>()) return static_cast<double>(ir::ScalarTypeOf(*t));
  return value.As<bool>() != nullptr && *value.As<bool>() ? 1 : 0;
}

const CellPtr* AsCell(const Value& value, Cell::Kind kind) {
  const auto* cell = value.As<CellPtr>();
  return cell != nullptr && (*cell)->kind == kind ? cell : nullptr;
}

std::optional<bool> Equal(const Value& a, const Value& b) { return Comparison().EqualAt(a, b, 0); }

bool Identical(const Value& a, const Value& b) {
  if (const auto* x = a.As<CellPtr>()) return b.As<CellPtr>() != nullptr && *x == *b.As<CellPtr>();
  if (const auto* x = a.As<Tensor>()) return b.As<Tensor>() != nullptr && x->id == b.As<Tensor>()->id;
  if (const auto* x = a.As<TuplePtr>()) return b.As<TuplePtr>() != nullptr && *x == *b.As<TuplePtr>();
  return Equal(a, b).value_or(false);
}

Value FromScalarArg(const ir::Arg& arg, const trace::Tracer& tracer) {
  if (const auto* b = std::get_if<bool>(&arg.v)) return {*b};
  if (const auto* i = std::get_if<int64_t>(&arg.v)) return {*i};
  if (const auto* d = std::get_if<double>(&arg.v)) return {*d};
  if (const auto* s = std::get_if<std::string>(&arg.v)) return {*s};
  if (const auto* t = std::get_if<DType>(&arg.v)) return {ir::ScalarTypeOf(*t)};
  if (const auto* w = std::get_if<ir::Word>(&arg.v)) return {*w};
  const ir::ValueId* id = arg.value();
  if (id == nullptr || *id == ir::ValueId::kNone) return {None{}};
  return ir::HoldsTensors(tracer.TypeOf(*id).kind) ? Value{Tensor{*id}} : Value{Number{*id}};
}

std::optional<ir::Arg> ToScalarArg(const Value& value) {
  if (value.is_none()) return ir::Arg{ir::None{}};
  if (const auto* b = value.As<bool>()) return ir::Arg{*b};
  if (const auto* i = value.As<int64_t>()) return ir::Arg{*i};
  if (const auto* d = value.As<double>()) return ir::Arg{*d};
  if (const auto* s = value.As<std::string>()) return ir::Arg{*s};
  if (const auto* t = value.As<DType>()) return ir::Arg{*t};
  if (const auto* w = value.As<ir::Word>()) return ir::Arg{*w};
  if (const auto* tensor = value.As<Tensor>()) return ir::Arg{tensor->id};
  if (const auto* number = value.As<Number>()) return ir::Arg{number->id};
  if (const auto* complex = value.As<Complex>()) return ir::ComplexNumber(complex->real, complex->imaginary);
  return std::nullopt;
}

}  // namespace onnxport::torchscript
