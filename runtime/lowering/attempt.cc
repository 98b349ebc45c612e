#include "runtime/lowering/attempt.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/lowering/bindings.h"
#include "runtime/lowering/constants.h"
#include "runtime/lowering/context.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/emitter.h"
#include "runtime/lowering/host_ops.h"
#include "runtime/lowering/results.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

Vals Interpret(Context& context, const NodeRow& row) {
  Inputs inputs;
  for (const int8_t position : row.inputs) {
    inputs.push_back(position < 0 ? Val() : context.arg(static_cast<size_t>(position)));
  }
  Attrs attrs;
  for (const NodeRow::RowAttr& attr : row.attrs) {
    attrs.push_back({attr.name, context.arg(static_cast<size_t>(attr.argument))});
  }
  return {context.op(row.op, inputs, attrs)};
}

// Nobody claims the call.
[[noreturn]] void RefuseUnknown(const std::string& op, int opset) {
  const auto rows = RowsOf(op);
  if (rows.empty()) throw Refusal("no spec says how to export it");
  std::string ranges;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].refusal) continue;
    const int first = rows[i].since;
    while (i + 1 < rows.size() && !rows[i + 1].refusal && rows[i + 1].since == rows[i].until + 1) ++i;
    if (!ranges.empty()) ranges += ", ";
    ranges += first == rows[i].until ? fmt::format("{}", first) : fmt::format("{} to {}", first, rows[i].until);
  }
  if (ranges.empty()) throw Refusal(rows[0].refusal);
  throw Refusal(fmt::format("opset {} cannot express it; the spec covers {}", opset, ranges));
}

class Walk {
 public:
  Walk(const ir::Graph& aten, int opset)
      : aten_(aten), emitter_(&attempt_.graph, opset), bindings_(aten.values.size()) {
    attempt_.graph.opset = opset;
    attempt_.graph.ranges = aten.ranges;
    attempt_.graph.locations = aten.locations;
  }

  Attempt Run() {
    AddInputs();
    AddWeights();
    for (size_t i = 0; i < aten_.body.nodes.size(); ++i) {
      node_ = i;
      LowerCall(aten_.body.nodes[i]);
    }
    node_ = aten_.body.nodes.size();
    AddOutputs();
    return std::move(attempt_);
  }

 private:
  // The value as a tensor of the new graph. Host kinds become 0-d tensors.
  ValueId Copy(ValueId id) {
    ir::Value value = aten_.value(id);
    if (value.kind != ValueKind::kTensor) value.dims = ir::Dims{};
    if (value.kind == ValueKind::kInt) value.dtype = DType::kInt64;
    if (value.kind == ValueKind::kFloat) value.dtype = DType::kFloat64;
    if (value.kind == ValueKind::kBool) value.dtype = DType::kBool;
    const bool number = value.kind != ValueKind::kTensor;
    value.kind = ValueKind::kTensor;
    const ValueId copy = attempt_.graph.AddValue(std::move(value));
    if (number) {
      emitter_.MarkNumber(copy);
      emitter_.sizes().Remember(copy);
    }
    bindings_.Bind(id, Tensor{nullptr, copy});
    return copy;
  }

  void AddInputs() {
    for (const ir::Port& port : aten_.inputs) {
      const ValueId* id = port.value.value();
      if (!id) continue;
      const ValueId copy = Copy(*id);
      attempt_.graph.inputs.push_back({port.name, {copy}});
      attempt_.graph.body.inputs.push_back(copy);
    }
    for (const ValueId id : attempt_.graph.body.inputs) emitter_.sizes().AddInput(id);
  }

  void AddWeights() {
    for (const ir::Weight& weight : aten_.weights) {
      const ValueId copy = Copy(weight.value);
      attempt_.graph.weights.push_back({copy, weight.name, weight.data});
      emitter_.SetData(copy, weight.data);
    }
  }

  void Fail(std::string reason) { attempt_.failures.push_back({node_, std::move(reason)}); }

  void LowerCall(const ir::Node& node) {
    emitter_.set_location(node.location);
    try {
      if (bindings_.BindKnownSizes(aten_, node, &emitter_)) return;
      Vals args;
      for (const ir::Arg& arg : node.inputs) args.push_back(bindings_.ToVal(arg));
      BindResults(aten_, node, Call(node, std::move(args)), &emitter_, &bindings_);
      return;
    } catch (const Refusal& refusal) {
      Fail(refusal.what());
    }
    // Later calls are still checked, with what the source says of the results.
    for (const ValueId id : node.outputs) {
      if (id != ValueId::kNone && !bindings_.Has(id)) Copy(id);
    }
  }

  Vals Call(const ir::Node& node, Vals args) {
    Context context(&emitter_, std::move(args));
    if (IsHostOp(node.op)) return {EvaluateHostOp(context, node.op)};
    const DispatchRow* row = FindRow(node.op, emitter_.opset());
    if (!row) RefuseUnknown(node.op, emitter_.opset());
    if (row->refusal) throw Refusal(row->refusal);
    return row->function ? row->function(context) : Interpret(context, *row->row);
  }

  void AddOutputs() {
    emitter_.set_location(ir::LocationId::kNone);
    for (const ir::Port& port : aten_.outputs) {
      try {
        AddOutput(port);
      } catch (const Refusal& refusal) {
        Fail(fmt::format("output `{}`: {}", port.name, refusal.what()));
      }
    }
  }

  void AddOutput(const ir::Port& port) {
    const Val value = bindings_.ToVal(port.value);
    if (value.is_none()) {
      attempt_.remarks.push_back(fmt::format("output `{}` is None and is left out", port.name));
      return;
    }
    ValueId id;
    if (value.is_tensor()) {
      id = value.AsTensor().id;
    } else if (value.is_number()) {
      id = emitter_.Constant(value, DefaultDType(value));
    } else {
      throw Refusal(fmt::format("{} is no tensor and no number", value.ToString()));
    }
    attempt_.graph.outputs.push_back({port.name, {id}});
    attempt_.graph.body.outputs.push_back({id});
  }

  const ir::Graph& aten_;
  Attempt attempt_;
  Emitter emitter_;
  Bindings bindings_;
  size_t node_ = 0;
};

}  // namespace

Attempt TryLower(const ir::Graph& aten, int opset) { return Walk(aten, opset).Run(); }

}  // namespace onnxport::lowering
