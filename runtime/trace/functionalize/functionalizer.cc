#include "runtime/trace/functionalize/functionalizer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/aten/op_traits.h"
#include "runtime/aten/schema_questions.h"
#include "runtime/trace/functionalize/twins.h"
#include "runtime/trace/functionalize/views.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;
using op_traits::Alias;
using Family = ir::InstructionInfo::Family;

// Returns the results of a call that writes: the written arguments, by their alias marks, and other results without a
// mark.
std::vector<Arg> ResultsOf(const ir::AtenSchema& schema, const std::vector<Arg>& inputs, std::vector<Arg> own) {
  std::vector<Arg> results;
  size_t next = 0;
  for (const ir::AtenArgument& result : schema.results) {
    if (result.type.alias.empty()) {
      results.push_back(next < own.size() ? std::move(own[next++]) : Arg());
      continue;
    }
    const auto argument = std::find_if(schema.arguments.begin(), schema.arguments.end(), [&](const auto& a) {
      return a.type.written && a.type.alias == result.type.alias;
    });
    const auto position = static_cast<size_t>(argument - schema.arguments.begin());
    results.push_back(position < inputs.size() ? inputs[position] : Arg());
  }
  return results;
}

}  // namespace

bool ReshapesInPlace(const ir::AtenSchema& schema, const Twin& twin) {
  if (!schema.mutates() || twin.schema == nullptr || !AliasArgument(*twin.schema)) return false;
  const Alias alias = op_traits::TraitsOf(twin.schema->name).alias;
  return alias != Alias::kSame && alias != Alias::kItself;
}

std::vector<Arg> Functionalizer::Call(ir::Node node, const ir::StatedTypes* stated) {
  recorder_.places().Set(node.location);
  const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
  if (schema == nullptr || !Writes(*schema, node.inputs)) {
    for (Arg& input : node.inputs) Resolve(&input);
    return Plain(std::move(node), schema, stated);
  }
  const std::vector<Arg> given = node.inputs;
  const Twin twin = FindTwin(*schema);
  if (ReshapeInPlace(node, *schema, twin)) return ResultsOf(*schema, given, {});
  for (Arg& input : node.inputs) Resolve(&input);
  return ResultsOf(*schema, given, Write(node, *schema, twin, stated));
}

bool Functionalizer::Merge(ValueId object, ValueId whole) {
  if (aliases_.NameOf(object) != object || aliases_.NameOf(whole) != whole) return false;
  one_object_.insert({object, whole});
  return true;
}

// Replaces objects by the tensors that they stand for.
void Functionalizer::Resolve(Arg* arg) const {
  if (const ValueId* id = arg->value()) arg->v = aliases_.NameOf(*id);
  if (ir::ArgList* list = std::get_if<ir::ArgList>(&arg->v)) {
    for (Arg& element : *list) Resolve(&element);
  }
}

void Functionalizer::Read(Arg* arg, const std::string& reader) {
  if (const ValueId* id = arg->value(); id != nullptr && ir::HoldsTensors(graph().value(*id).kind)) {
    std::string why_not;
    const auto value = aliases_.Read(*id, &why_not);
    if (value) {
      arg->v = *value;
    } else {
      Refuse(reader,
             "reads a tensor that may share memory with the one written by " + why_not + "; clone it before the write");
      // Failures that follow from this one need no report.
      arg->v = recorder_.AddFailed();
    }
  }
  if (ir::ArgList* list = std::get_if<ir::ArgList>(&arg->v)) {
    for (Arg& element : *list) Read(&element, reader);
  }
}

void Functionalizer::ReadInputs(ir::Node* node) {
  for (Arg& input : node->inputs) Read(&input, node->op);
}

std::vector<Arg> Functionalizer::Plain(ir::Node node, const ir::AtenSchema* schema, const ir::StatedTypes* stated) {
  if (schema != nullptr) {
    const auto argument = AliasArgument(*schema);
    if (argument && *argument < node.inputs.size() && node.inputs[*argument].value() != nullptr) {
      return MaybeView(std::move(node), *schema, *argument, stated);
    }
  }
  // In-place writes change no sizes, so any value of the tensor has the right ones.
  const auto instruction = ir::InstructionOf(node.op, schema);
  if (instruction && ir::IsOf(*instruction, Family::kSizes)) {
    if (const ValueId* id = node.inputs[0].value()) node.inputs[0] = {aliases_.AnyValue(*id)};
    return recorder_.Append(&node, stated);
  }
  const bool shares = schema == nullptr ? instruction && ir::IsOf(*instruction, Family::kLists)
                                        : MayShareMemory(*schema, graph(), node.inputs);
  if (schema != nullptr && !node.inputs.empty() && StorageOffset(*schema)) {
    if (const ValueId* id = node.inputs[0].value()) node.inputs[0] = {MemoryOf(node, *schema, *id)};
  }
  std::vector<Arg> given = node.inputs;
  ReadInputs(&node);
  std::vector<Arg> results = recorder_.Append(&node, stated);
  if (shares) LinkAll(given, node.outputs);
  if (schema != nullptr) {
    node.inputs = std::move(given);
    layouts_.Deduce(node, *schema, Aliasing::kNone, 0);
  }
  return results;
}

std::vector<Arg> Functionalizer::MaybeView(ir::Node node, const ir::AtenSchema& schema, size_t argument,
                                           const ir::StatedTypes* stated) {
  const bool strided = op_traits::TraitsOf(schema.name).alias == Alias::kStrided;
  if (strided) node.inputs[argument] = {MemoryOf(node, schema, *node.inputs[argument].value())};
  const ValueId base = *node.inputs[argument].value();
  std::vector<Arg> given = node.inputs;
  ReadInputs(&node);
  std::vector<Arg> read = node.inputs;
  std::vector<Arg> results = recorder_.Append(&node, stated);
  node.inputs = std::move(read);
  if (!node.outputs.empty() && recorder_.IsFailed(node.outputs[0])) return results;
  if (IsNoView(graph(), node, schema, graph().value(base)))
    Refuse(node.op,
           "is no view of a tensor with these strides, and raises in PyTorch; call reshape, or contiguous first");
  const Aliasing aliasing = FindAlias(graph(), node, schema, graph().value(base), layouts_.IsRowMajor(base));
  if (aliasing != Aliasing::kNone && MayBeArgument(graph(), node, graph().value(base))) {
    one_object_.insert(base);
    one_object_.insert(node.outputs.begin(), node.outputs.end());
  }
  if (aliasing == Aliasing::kView) aliases_.AddViews(node, argument, base);
  for (const ValueId output : node.outputs) {
    if (aliasing == Aliasing::kMaybe) aliases_.AddMaybe(output, base);
  }
  node.inputs = std::move(given);
  layouts_.Deduce(node, schema, aliasing, argument);
  return results;
}

// The elements of a list are the tensors that were put in. A result may be the only tensor that was.
void Functionalizer::LinkAll(const std::vector<Arg>& inputs, std::span<const ValueId> outputs) {
  for (const Arg& input : inputs) {
    if (input.list() != nullptr) LinkAll(*input.list(), outputs);
    if (input.value() == nullptr || !ir::HoldsTensors(graph().value(*input.value()).kind)) continue;
    const bool overlaps = MayOverlap(*input.value());
    for (const ValueId output : outputs) {
      if (!ir::HoldsTensors(graph().value(output).kind)) continue;
      aliases_.AddMaybe(output, *input.value());
      if (overlaps) NoteOverlap(output);
    }
  }
}

// Returns the tensor whose memory as_strided and similar operators index: a row-major one that owns all of it. Without
// an offset, the view begins where the tensor does.
ValueId Functionalizer::MemoryOf(const ir::Node& node, const ir::AtenSchema& schema, ValueId tensor) {
  const ValueId owner = aliases_.BaseOf(tensor);
  const bool shown = layouts_.IsRowMajor(owner);
  if (shown && layouts_.IsRowMajor(tensor) && aliases_.IsWhole(tensor)) return tensor;
  const auto offset = StorageOffset(schema);
  const bool from_start = !offset || *offset >= node.inputs.size() || node.inputs[*offset].is_none();
  // The result of a scatter has the strides of the tensor.
  const bool reads = schema.arguments[1].type.kind != ir::AtenKind::kTensor;
  if (shown && reads && aliases_.NameOf(owner) == owner && aliases_.ShowsMemory(tensor, from_start) &&
      graph().value(owner).dtype == graph().value(tensor).dtype) {
    return owner;
  }
  Refuse(node.op, "reads the memory of a tensor whose layout an ONNX model does not have; use slice, select or unfold");
  return tensor;
}

}  // namespace onnxport::functionalize
