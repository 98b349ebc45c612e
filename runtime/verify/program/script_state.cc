#include "runtime/verify/program/script_state.h"

#include <ATen/core/Dict.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace onnxport::verify {
namespace {

using c10::IValue;

// An element of a list or tuple.
template <typename Elements>
std::optional<IValue> At(const Elements& elements, std::string_view position) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(position.data(), position.data() + position.size(), index);
  if (error != std::errc() || end != position.data() + position.size() || index >= elements.size()) return std::nullopt;
  return IValue(elements[index]);
}

std::optional<IValue> Inner(const IValue& value, const std::string& name) {
  if (value.isObject()) {
    const auto object = value.toObject();
    return object->type()->hasAttribute(name) ? std::optional(object->getAttr(name)) : std::nullopt;
  }
  if (value.isTuple()) return At(value.toTupleRef().elements(), name);
  if (value.isList()) return At(value.toListRef(), name);
  if (value.isGenericDict()) {
    const auto dict = value.toGenericDict();
    if (dict.keyType()->kind() != c10::TypeKind::StringType) return std::nullopt;
    const auto found = dict.find(name);
    return found == dict.end() ? std::nullopt : std::optional(found->value());
  }
  return std::nullopt;
}

}  // namespace

std::optional<at::Tensor> FindState(const torch::jit::Module& module, const std::string& path) {
  IValue value = module._ivalue();
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const auto inner = Inner(value, path.substr(begin, end - begin));
    if (!inner) return std::nullopt;
    value = *inner;
    begin = end + 1;
  }
  return value.isTensor() ? std::optional(value.toTensor()) : std::nullopt;
}

}  // namespace onnxport::verify
