#include "runtime/lowering/published.h"

#include <fmt/format.h>

#include "runtime/ir/aten_schema.h"
#include "runtime/lowering/constants.h"
#include "runtime/lowering/control_flow.h"
#include "runtime/lowering/lowerer_state.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

namespace {

ResultKind KindOf(const ir::AtenType& type) {
  switch (type.kind) {
    case ir::AtenKind::kTensor:
      return ResultKind::kTensor;
    case ir::AtenKind::kInt:
    case ir::AtenKind::kSymInt:
      return ResultKind::kInt;
    case ir::AtenKind::kFloat:
      return ResultKind::kFloat;
    case ir::AtenKind::kBool:
      return ResultKind::kBool;
    case ir::AtenKind::kScalar:
      return ResultKind::kScalar;
    default:
      return ResultKind::kAny;
  }
}

// Of a number that was computed in this dtype.
ResultKind NumberKind(DType dtype) {
  if (dtype == DType::kBool) return ResultKind::kBool;
  return ir::IsFloat(dtype) ? ResultKind::kFloat : ResultKind::kInt;
}

DType DTypeOf(ResultKind kind) {
  if (kind == ResultKind::kBool) return DType::kBool;
  return kind == ResultKind::kFloat ? DType::kFloat64 : DType::kInt64;
}

ValueKind ValueKindOf(ResultKind kind) {
  if (kind == ResultKind::kBool) return ValueKind::kBool;
  if (kind == ResultKind::kTensor) return ValueKind::kTensor;
  return kind == ResultKind::kFloat ? ValueKind::kFloat : ValueKind::kInt;
}

struct HostArg {
  const Val& value;
  ir::Arg operator()() const {
    if (value.is_bool()) return {value.AsBool()};
    if (value.is_int()) return {value.AsInt()};
    if (value.is_float()) return {value.AsFloat()};
    if (value.is_dtype()) return {value.AsDType()};
    return {value.AsText()};
  }
};

// A host number where the schema says of what kind.
Val AsKind(const Val& value, ResultKind kind) {
  if (kind == ResultKind::kFloat) return value.AsFloat();
  if (kind == ResultKind::kInt) return value.AsInt();
  if (kind == ResultKind::kBool) return static_cast<bool>(value);
  return value;
}

}  // namespace

std::vector<ResultKind> ResultKinds(const std::string& op) {
  std::vector<ResultKind> kinds;
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (!schema) return kinds;
  for (const ir::AtenArgument& result : schema->results) kinds.push_back(KindOf(result.type));
  return kinds;
}

ValueId Lowerer::State::AddSource(ir::Value value, ValueId made) {
  value.name = fmt::format("%{}", growing->values.size());
  value.strides.reset();
  const ValueId id = growing->AddValue(std::move(value));
  bindings.Bind(id, Tensor{nullptr, made});
  return id;
}

ir::Arg Lowerer::State::Publish(const Val& result, ResultKind wanted, ir::Node* node) {
  if (result.is_none()) return {};
  if (result.is_list()) {
    ir::ArgList list;
    for (const Val& element : result.AsList()) list.push_back(Publish(element, wanted, node));
    return {std::move(list)};
  }
  if (result.is_tensor() && emitter.value(result.AsTensor().id).kind == ValueKind::kSequence) {
    const ValueId made = result.AsTensor().id;
    node->outputs.push_back(AddSource(emitter.value(made), made));
    return {node->outputs.back()};
  }
  if (result.is_tensor()) return PublishTensor(result.AsTensor().id, wanted, node);
  if (wanted == ResultKind::kTensor && result.is_number()) {
    return PublishTensor(emitter.Constant(result, DefaultDType(result)), wanted, node);
  }
  return HostArg{result.is_number() ? AsKind(result, wanted) : result}();
}

ir::Arg Lowerer::State::PublishTensor(ValueId made, ResultKind wanted, ir::Node* node) {
  const bool number = emitter.IsNumber(made);
  if (wanted == ResultKind::kAny && !number) wanted = ResultKind::kTensor;
  if (wanted == ResultKind::kAny || wanted == ResultKind::kScalar) wanted = NumberKind(emitter.value(made).dtype);
  if (wanted == ResultKind::kTensor) {
    // As a tensor it counts more in type promotion than as a number.
    if (number) made = emitter.Add("Identity", {{made}});
  } else {
    made = AsSingle(&emitter, Tensor{nullptr, made}, DTypeOf(wanted));
    const auto& contents = emitter.value(made).contents;
    if (wanted == ResultKind::kInt && contents && contents->size() == 1 && contents->front().is_number()) {
      return {contents->front().number()};
    }
    emitter.MarkNumber(made);
    emitter.sizes().Remember(made);
  }
  ir::Value type = emitter.value(made);
  type.kind = ValueKindOf(wanted);
  node->outputs.push_back(AddSource(std::move(type), made));
  return {node->outputs.back()};
}

}  // namespace onnxport::lowering
