// Calls that write.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "runtime/aten/op_traits.h"
#include "runtime/ir/location.h"
#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/twins.h"
#include "runtime/trace/functionalize/write_back.h"

namespace onnxport::functionalize {

using ir::Arg;
using ir::ValueId;
using op_traits::Alias;

// The result of PyTorch would depend on the order in which a kernel visits the elements, or PyTorch refuses, too.
constexpr const char* kOverlaps =
    "a write to a tensor with elements that are, or may be, one in memory: it was expanded, or unfold or as_strided "
    "made it; clone it before the write";

bool HasMore(const ir::Value& tensor, const ir::Value& than) {
  if (!tensor.dims || !than.dims) return false;
  const auto count = [](const ir::Dims& dims) {
    return std::accumulate(dims.begin(), dims.end(), ir::Dim(1), std::multiplies<>());
  };
  const ir::Dim here = count(*tensor.dims);
  const ir::Dim there = count(*than.dims);
  return here.is_number() && there.is_number() && here.number() > there.number();
}

// Returns the results other than the written arguments.
std::vector<Arg> Functionalizer::Write(const ir::Node& node, const ir::AtenSchema& schema, const Twin& twin,
                                       const ir::StatedTypes* stated) {
  const bool harmless = twin.schema == nullptr ? op_traits::TraitsOf(schema.name).writes_nothing
                                               : op_traits::TraitsOf(twin.schema->name).alias == Alias::kSame;
  if (harmless) return {};
  if (ReshapesInPlace(schema, twin)) {
    return RefuseWrite(node, schema,
                       "changes the shape of a tensor in place; assign the result of the form without `_` instead");
  }
  if (twin.schema == nullptr) return RefuseWrite(node, schema, "writes to an argument and has no form that does not");
  return CallTwin(node, twin, stated);
}

// The arguments that the call would have written to become unknown.
std::vector<Arg> Functionalizer::RefuseWrite(const ir::Node& node, const ir::AtenSchema& schema,
                                             const std::string& reason) {
  Refuse(node.op, reason);
  for (size_t i = 0; i < node.inputs.size() && i < schema.arguments.size(); ++i) {
    const ValueId* target = node.inputs[i].value();
    if (schema.arguments[i].type.written && target != nullptr) WriteTo(node, *target, recorder_.AddFailed());
  }
  std::vector<Arg> results;
  for (const ir::AtenArgument& result : schema.results) {
    if (result.type.alias.empty()) results.push_back({recorder_.AddFailed()});
  }
  return results;
}

// `y.t_()`: from now on the object is the view `y.t()`. Returns false if that is not possible.
bool Functionalizer::ReshapeInPlace(const ir::Node& node, const ir::AtenSchema& schema, const Twin& twin) {
  const ValueId* object = node.inputs.empty() ? nullptr : node.inputs[0].value();
  if (object == nullptr || !ReshapesInPlace(schema, twin)) return false;
  const ValueId tensor = aliases_.NameOf(*object);
  if (one_object_.contains(tensor) || aliases_.uncertain(tensor)) return false;
  ir::Node view = node;
  view.op = twin.schema->name;
  if (const auto* stated = op_traits::TraitsOf(schema.name).functional) {
    auto inputs = FunctionalInputs(&recorder_, node, *stated);
    if (!inputs) return false;
    view.inputs = std::move(*inputs);
  } else if (twin.passed.size() != node.inputs.size()) {
    return false;
  }
  view.inputs[0] = {tensor};
  const std::vector<Arg> made = Plain(std::move(view), twin.schema, nullptr);
  if (made.size() == 1 && made[0].value() != nullptr) aliases_.Rebind(*object, *made[0].value());
  return true;
}

// Arguments that the call lacks get the dtype of the written tensor.
ir::Node Functionalizer::TwinCall(const ir::Node& node, const Twin& twin) {
  ir::Node reads = node;
  ReadInputs(&reads);
  ir::Node call;
  call.op = twin.schema->name;
  call.location = node.location;
  for (const size_t position : twin.passed) call.inputs.push_back(std::move(reads.inputs[position]));
  const ValueId* target = twin.out ? node.inputs[twin.written[0]].value() : nullptr;
  for (size_t i = call.inputs.size(); i < twin.schema->arguments.size(); ++i) {
    const ir::AtenArgument& argument = twin.schema->arguments[i];
    const bool typed =
        target != nullptr && argument.name == "dtype" && graph().value(*target).dtype != ir::DType::kUndefined;
    call.inputs.push_back(typed ? Arg{graph().value(*target).dtype} : argument.default_value.value_or(Arg()));
  }
  return call;
}

std::vector<Arg> Functionalizer::CallTwin(const ir::Node& node, const Twin& twin, const ir::StatedTypes* stated) {
  ir::Node call = TwinCall(node, twin);
  ir::StatedTypes of_twin;
  if (twin.results > 0 && stated != nullptr) {
    of_twin = *stated;
    of_twin.resize(twin.schema->results.size(), nullptr);
  }
  std::vector<Arg> results = recorder_.Append(&call, of_twin.empty() ? nullptr : &of_twin);
  if (call.outputs.size() < twin.written.size()) {
    Refuse(node.op, "writes to more than its form without writes gives");
    return {};
  }
  for (size_t i = 0; i < twin.written.size(); ++i) {
    const ValueId* target = node.inputs[twin.written[i]].value();
    if (target == nullptr) {
      Refuse(node.op, "writes to what is no tensor");
      return {};
    }
    const ValueId made = call.outputs[call.outputs.size() - twin.written.size() + i];
    if (!twin.out || !ReplaceEmpty(*target, made)) WriteTo(node, *target, AsTarget(node, made, *target));
  }
  results.resize(std::min(results.size(), twin.results));
  return results;
}

// `out=torch.empty(0)` takes the shape of the result: from now on the object is the result. A branch or loop would undo
// that.
bool Functionalizer::ReplaceEmpty(ValueId target, ValueId made) {
  const ValueId tensor = aliases_.NameOf(target);
  const std::optional<ir::Dims>& dims = graph().value(tensor).dims;
  const bool empty =
      dims && std::ranges::any_of(*dims, [](const ir::Dim& d) { return d.is_number() && d.number() == 0; });
  if (!empty || recorder_.IsFailed(made) || aliases_.recording() || one_object_.contains(tensor) ||
      aliases_.uncertain(tensor) || !aliases_.IsWhole(tensor)) {
    return false;
  }
  const bool converted = graph().value(made).dtype != graph().value(tensor).dtype;
  aliases_.Rebind(target, converted ? AddCast(&recorder_, made, tensor) : made);
  return true;
}

// Converts the new value to the type of its target.
ValueId Functionalizer::AsTarget(const ir::Node& node, ValueId value, ValueId object) {
  const ValueId target = aliases_.NameOf(object);
  const ir::Value& made = graph().value(value);
  const ir::Value& type = graph().value(target);
  const auto differ = [](const ir::Dim& a, const ir::Dim& b) {
    return a.is_number() && b.is_number() && a.number() != b.number();
  };
  if (made.dims && type.dims &&
      (made.dims->size() != type.dims->size() ||
       !std::equal(made.dims->begin(), made.dims->end(), type.dims->begin(), std::not_fn(differ)))) {
    Refuse(node.op, "gives a tensor another shape by writing to it");
    return recorder_.AddFailed();
  }
  if (recorder_.IsFailed(value)) return value;
  if (made.dtype != type.dtype) return AddCast(&recorder_, value, target);
  recorder_.Refine(value, target);
  return value;
}

bool Functionalizer::MayOverlap(ValueId target) {
  if (!ir::HoldsTensors(graph().value(target).kind)) return false;
  if (overlapping_.contains(aliases_.BaseOf(target))) return true;
  if (graph().value(target).kind != ir::ValueKind::kTensor) return false;
  const ValueId repeated = aliases_.RepeatedBelow(target);
  if (repeated == ValueId::kNone) return false;
  const ValueId tensor = aliases_.NameOf(target);
  // The file may state wrong strides. If a tensor has more elements than places, some places have two.
  return layouts_.Overlaps(tensor) != false || HasMore(graph().value(tensor), graph().value(repeated));
}

void Functionalizer::WriteTo(const ir::Node& node, ValueId target, ValueId value) {
  if (recorder_.IsFailed(aliases_.BaseOf(target))) return;
  RemarkOn(aliases_.BaseOf(target));
  if (MayOverlap(target)) return Refuse(node.op, kOverlaps);
  std::string why_not;
  if (!aliases_.Write(target, value, Describe(node), &why_not)) return Refuse(node.op, why_not);
  // Those that are the target in some runs: `b = self.buffer if flag else x`, then a write to `b`.
  for (const ValueId base : aliases_.BasesAround(target)) {
    if (aliases_.base_written(base)) RemarkOn(base);
  }
}

void Functionalizer::RemarkOn(ValueId base) {
  const auto known = remarks_.find(base);
  if (known != remarks_.end()) recorder_.findings().Remark(known->second);
}

void Functionalizer::Assign(ValueId base, ValueId value, const std::string& what) {
  std::string why_not;
  if (!aliases_.WriteBase(base, value, what, &why_not)) Refuse(what, why_not);
}

std::string Functionalizer::Describe(const ir::Node& node) const {
  const ir::Location& location = graph().location(node.location);
  const std::string& op = node.op.text();
  return location.file().empty() ? op : op + " (" + location.file() + ":" + std::to_string(location.line()) + ")";
}

}  // namespace onnxport::functionalize
