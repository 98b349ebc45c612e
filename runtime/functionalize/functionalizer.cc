#include "runtime/functionalize/functionalizer.h"

#include <algorithm>
#include <utility>

#include "runtime/aten/op_traits.h"
#include "runtime/aten/schema_questions.h"
#include "runtime/functionalize/views.h"
#include "runtime/functionalize/write_back.h"
#include "runtime/ir/location.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;
using op_traits::Alias;
using Family = ir::InstructionInfo::Family;

bool HoldsTensors(const ir::Value& value) {
  return value.kind == ir::ValueKind::kTensor || value.kind == ir::ValueKind::kSequence;
}

// What a writing call returns: the arguments it wrote to, by their alias marks, and results of its own without one.
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

bool ReshapesInPlace(const ir::AtenSchema& schema) {
  if (!schema.mutates()) return false;
  const ir::AtenSchema* twin = FindTwin(schema).schema;
  if (twin == nullptr || !AliasArgument(*twin)) return false;
  const Alias alias = op_traits::TraitsOf(twin->name).alias;
  return alias != Alias::kSame && alias != Alias::kItself;
}

std::vector<Arg> Functionalizer::Call(ir::Node node, const ir::StatedTypes* stated) {
  builder_.SetLocation(node.location);
  const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
  const bool writes = schema != nullptr && Writes(*schema, node.inputs);
  const std::vector<Arg> given = writes ? node.inputs : std::vector<Arg>();
  if (writes && ReshapeInPlace(node, *schema)) return ResultsOf(*schema, given, {});
  for (Arg& input : node.inputs) Resolve(&input);
  if (!writes) return Plain(std::move(node), schema, stated);
  return ResultsOf(*schema, given, Write(node, *schema, stated));
}

// Objects become the tensors that they stand for.
void Functionalizer::Resolve(Arg* arg) const {
  if (const ValueId* id = arg->value()) arg->v = aliases_.NameOf(*id);
  if (ir::ArgList* list = std::get_if<ir::ArgList>(&arg->v)) {
    for (Arg& element : *list) Resolve(&element);
  }
}

// ---- reads ----

void Functionalizer::Read(Arg* arg, const std::string& reader) {
  if (const ValueId* id = arg->value(); id != nullptr && HoldsTensors(graph().value(*id))) {
    std::string why_not;
    const auto value = aliases_.Read(*id, &why_not);
    if (value) {
      arg->v = *value;
    } else {
      Refuse(reader,
             "reads a tensor that may share memory with the one written by " + why_not + "; clone it before the write");
      // What follows from it needs no report.
      arg->v = builder_.AddFailed();
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
  // Writes in place change no sizes: any value of the tensor tells them.
  const auto instruction = ir::InstructionOf(node.op, schema);
  if (instruction && ir::IsOf(*instruction, Family::kSizes)) {
    if (const ValueId* id = node.inputs[0].value()) node.inputs[0] = {aliases_.AnyValue(*id)};
    return builder_.Append(&node, stated);
  }
  const bool shares = schema == nullptr ? instruction && ir::IsOf(*instruction, Family::kLists)
                                        : MayShareMemory(*schema, graph(), node.inputs);
  if (schema != nullptr && !node.inputs.empty() && StorageOffset(*schema)) {
    if (const ValueId* id = node.inputs[0].value()) node.inputs[0] = {MemoryOf(node, *schema, *id)};
  }
  std::vector<Arg> given = node.inputs;
  ReadInputs(&node);
  std::vector<Arg> results = builder_.Append(&node, stated);
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
  std::vector<Arg> results = builder_.Append(&node, stated);
  if (!node.outputs.empty() && builder_.IsFailed(node.outputs[0])) return results;
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

// Elements of lists are the tensors that were put in, and a result may be the one tensor that was.
void Functionalizer::LinkAll(const std::vector<Arg>& inputs, const std::vector<ValueId>& outputs) {
  for (const Arg& input : inputs) {
    if (input.list() != nullptr) LinkAll(*input.list(), outputs);
    if (input.value() == nullptr || !HoldsTensors(graph().value(*input.value()))) continue;
    for (const ValueId output : outputs) {
      if (HoldsTensors(graph().value(output))) aliases_.AddMaybe(output, *input.value());
    }
  }
}

// The tensor whose elements are the memory that as_strided and its like count in: a row-major one that owns all of it.
// Without an offset they begin where the tensor does.
ValueId Functionalizer::MemoryOf(const ir::Node& node, const ir::AtenSchema& schema, ValueId tensor) {
  const ValueId owner = aliases_.BaseOf(tensor);
  const bool shown = layouts_.IsRowMajor(owner);
  if (shown && layouts_.IsRowMajor(tensor) && aliases_.IsWhole(tensor)) return tensor;
  const auto offset = StorageOffset(schema);
  const bool from_start = !offset || *offset >= node.inputs.size() || node.inputs[*offset].is_none();
  // A scattered result has the strides of the tensor.
  const bool reads = schema.arguments[1].type.kind != ir::AtenKind::kTensor;
  if (shown && reads && aliases_.NameOf(owner) == owner && aliases_.ShowsMemory(tensor, from_start) &&
      graph().value(owner).dtype == graph().value(tensor).dtype) {
    return owner;
  }
  Refuse(node.op, "reads the memory of a tensor whose layout an ONNX model does not have; use slice, select or unfold");
  return tensor;
}

// ---- writes ----

// Returns the results that are not what is written to.
std::vector<Arg> Functionalizer::Write(const ir::Node& node, const ir::AtenSchema& schema,
                                       const ir::StatedTypes* stated) {
  const Twin twin = FindTwin(schema);
  const bool harmless = twin.schema == nullptr ? op_traits::TraitsOf(schema.name).writes_nothing
                                               : op_traits::TraitsOf(twin.schema->name).alias == Alias::kSame;
  if (harmless) return {};
  if (ReshapesInPlace(schema)) {
    return RefuseWrite(node, schema,
                       "changes the shape of a tensor in place; assign the result of the form without `_` instead");
  }
  if (twin.schema == nullptr) return RefuseWrite(node, schema, "writes to an argument and has no form that does not");
  return CallTwin(node, twin, stated);
}

// What the call would have written to is not known from now on.
std::vector<Arg> Functionalizer::RefuseWrite(const ir::Node& node, const ir::AtenSchema& schema,
                                             const std::string& reason) {
  Refuse(node.op, reason);
  for (size_t i = 0; i < node.inputs.size() && i < schema.arguments.size(); ++i) {
    const ValueId* target = node.inputs[i].value();
    if (schema.arguments[i].type.written && target != nullptr) WriteTo(node, *target, builder_.AddFailed());
  }
  std::vector<Arg> results;
  for (const ir::AtenArgument& result : schema.results) {
    if (result.type.alias.empty()) results.push_back({builder_.AddFailed()});
  }
  return results;
}

// `y.t_()`: from now on the object is the view that `y.t()` gives. False when that cannot be said.
bool Functionalizer::ReshapeInPlace(const ir::Node& node, const ir::AtenSchema& schema) {
  const ValueId* object = node.inputs.empty() ? nullptr : node.inputs[0].value();
  if (object == nullptr || !ReshapesInPlace(schema)) return false;
  const Twin twin = FindTwin(schema);
  const ValueId tensor = aliases_.NameOf(*object);
  if (one_object_.contains(tensor) || aliases_.uncertain(tensor)) return false;
  ir::Node view = node;
  view.op = twin.schema->name;
  if (const auto* stated = op_traits::TraitsOf(schema.name).functional) {
    auto inputs = FunctionalInputs(&builder_, node, *stated);
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

// Of the arguments that the call does not have, the dtype is that of what is written to.
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
  std::vector<Arg> results = builder_.Append(&call, of_twin.empty() ? nullptr : &of_twin);
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

// `out=torch.empty(0)` takes the shape of the result: from now on the object is that. In a branch or loop this would be
// undone.
bool Functionalizer::ReplaceEmpty(ValueId target, ValueId made) {
  const ValueId tensor = aliases_.NameOf(target);
  const std::optional<ir::Dims>& dims = graph().value(tensor).dims;
  const bool empty =
      dims && std::ranges::any_of(*dims, [](const ir::Dim& d) { return d.is_number() && d.number() == 0; });
  if (!empty || builder_.IsFailed(made) || aliases_.recording() || one_object_.contains(tensor) ||
      aliases_.uncertain(tensor) || !aliases_.IsWhole(tensor)) {
    return false;
  }
  const bool converted = graph().value(made).dtype != graph().value(tensor).dtype;
  aliases_.Rebind(target, converted ? builder_.Cast(made, tensor) : made);
  return true;
}

// The new value with the type of what it is written to.
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
    return builder_.AddFailed();
  }
  if (builder_.IsFailed(value)) return value;
  if (made.dtype != type.dtype) return builder_.Cast(value, target);
  builder_.Refine(value, target);
  return value;
}

void Functionalizer::WriteTo(const ir::Node& node, ValueId target, ValueId value) {
  if (builder_.IsFailed(aliases_.BaseOf(target))) return;
  std::string why_not;
  events_.written(aliases_.BaseOf(target));
  if (!aliases_.Write(target, value, Describe(node), &why_not)) Refuse(node.op, why_not);
}

void Functionalizer::Assign(ValueId base, ValueId value, const std::string& what) {
  std::string why_not;
  if (!aliases_.WriteBase(base, value, what, &why_not)) Refuse(what, why_not);
}

std::string Functionalizer::Describe(const ir::Node& node) const {
  const ir::Location& location = graph().location(node.location);
  const std::string& op = node.op.text();
  return location.file.empty() ? op : op + " (" + location.file + ":" + std::to_string(location.line) + ")";
}

}  // namespace onnxport::functionalize
