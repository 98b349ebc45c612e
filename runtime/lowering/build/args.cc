#include "runtime/lowering/build/args.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

using ir::ValueId;
using ir::ValueKind;

Val ToVal(const ir::Arg& arg, const std::function<Val(ir::ValueId)>& find) {
  struct Visitor {
    const std::function<Val(ir::ValueId)>& find;
    Val operator()(ir::None) const { return {}; }
    Val operator()(bool b) const { return b; }
    Val operator()(int64_t i) const { return i; }
    Val operator()(double d) const { return d; }
    Val operator()(const std::string& s) const { return s; }
    Val operator()(ir::DType d) const { return d; }
    Val operator()(const ir::Word& w) const { return w; }
    Val operator()(ir::ValueId id) const { return find(id); }
    Val operator()(const ir::ArgList& list) const {
      Vals out;
      for (const ir::Arg& element : list) out.push_back(ToVal(element, find));
      return out;
    }
    Val operator()(const std::shared_ptr<const ir::TensorData>&) const {
      throw Refusal("a complex number stands in a list");
    }
  };
  return std::visit(Visitor{find}, arg.v);
}

ir::Arg ToArg(const Val& value) {
  if (value.is_none()) return {};
  if (value.is_bool()) return {value.AsBool()};
  if (value.is_int()) return {value.AsInt()};
  if (value.is_float()) return {value.AsFloat()};
  if (value.is_dtype()) return {value.AsDType()};
  if (value.is_tensor()) return {value.AsTensor().id};
  if (!value.is_list()) return {value.AsText()};
  ir::ArgList list;
  for (const Val& element : value.AsList()) list.push_back(ToArg(element));
  return {std::move(list)};
}

std::string TypeText(const ir::Value& type) {
  std::string text = std::string(ir::Name(type.dtype)) + "[";
  if (!type.dims) text += '*';
  for (size_t i = 0; type.dims && i < type.dims->size(); ++i) {
    if (i > 0) text += ", ";
    text += (*type.dims)[i].ToString();
  }
  return (type.kind == ValueKind::kSequence ? "a list of " : "") + text + "]";
}

ValueId AsSingle(Emitter* emitter, const Val& value, DType dtype) {
  if (!value.is_tensor()) {
    if (dtype == DType::kBool) return emitter->Constant(static_cast<bool>(value), dtype);
    return emitter->Constant(value.AsInt(), dtype);
  }
  const ValueId id = emitter->Cast(value.AsTensor().id, dtype);
  const auto& dims = emitter->value(id).dims;
  if (dims && dims->empty()) return id;
  const bool single =
      !dims || std::ranges::all_of(*dims, [](const ir::Dim& d) { return !d.is_number() || d == ir::Dim(1); });
  if (!single) throw Refusal(fmt::format("{} is no single value", TypeText(emitter->value(id))));
  return emitter->Add("Reshape", {{id}, {emitter->Constant(Val(Vals{}), DType::kInt64)}});
}

ValueId AsType(Emitter* emitter, const Val& value, const ir::Value& type) {
  if (value.is_number()) return emitter->Constant(value, type.dtype);
  if (value.is_list() && type.kind == ValueKind::kSequence) {
    if (value.AsList().empty()) {
      return emitter->Add("SequenceEmpty", {}, {{"dtype", {static_cast<int64_t>(type.dtype)}}});
    }
    std::vector<ir::Arg> elements;
    for (const Val& element : value.AsList()) {
      ir::Value element_type = type;
      element_type.kind = ValueKind::kTensor;
      elements.push_back({AsType(emitter, element, element_type)});
    }
    return emitter->Add("SequenceConstruct", std::move(elements));
  }
  const ValueId id = value.AsTensor().id;
  const ir::Value& seen = emitter->value(id);
  const bool sequence = type.kind == ValueKind::kSequence;
  if ((seen.kind == ValueKind::kSequence) != sequence || (sequence && seen.dtype != type.dtype) ||
      (seen.dims && type.dims && seen.dims->size() != type.dims->size())) {
    throw Refusal(
        fmt::format("{} where {} is needed on every way through a branch or loop", TypeText(seen), TypeText(type)));
  }
  return sequence ? id : emitter->Cast(id, type.dtype);
}

}  // namespace onnxport::lowering
