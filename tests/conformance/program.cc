#include "tests/conformance/program.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "tests/conformance/tensors.h"

namespace onnxport::conformance {
namespace {

using ir::DType;

// A quantized tensor is given as its dequantized value, here as the number of its step.
TensorPlan OnGrid(TensorPlan plan) {
  plan.low = std::ceil((plan.bounded ? plan.low : -2) / kGridStep);
  plan.high = std::floor((plan.bounded ? plan.high : 2) / kGridStep);
  plan.dtype = DType::kInt32;
  plan.bounded = true;
  return plan;
}

void ToFloats(ort::Tensor* tensor) {
  for (size_t i = 0; i < tensor->bytes.size(); i += sizeof(float)) {
    int32_t step;
    std::memcpy(&step, tensor->bytes.data() + i, sizeof step);
    const auto number = static_cast<float>(step * kGridStep);
    std::memcpy(tensor->bytes.data() + i, &number, sizeof number);
  }
  tensor->dtype = DType::kFloat32;
}

class CallBuilder {
 public:
  CallBuilder(const Variation& variation, Call* call)
      : variation_(variation), call_(*call), quantized_(call->schema->name.text().starts_with("qdq::")) {}

  ir::Arg Make(const Value& value, const ir::AtenType& type) {
    switch (value.kind) {
      case Value::kNone:
        return {ir::None{}};
      case Value::kBool:
        return {value.integer != 0};
      case Value::kInt:
        return {value.integer};
      case Value::kFloat:
        return {value.number};
      case Value::kText:
        return Text(std::string(value.text), type);
      case Value::kDType:
        return {value.dtype};
      case Value::kTensor:
        return AddTensor(value);
      case Value::kList:
        break;
    }
    ir::ArgList list;
    for (const Value& item : value.items) list.push_back(Make(item, type));
    return {std::move(list)};
  }

 private:
  static ir::Arg Text(std::string text, const ir::AtenType& type) {
    using Kind = ir::AtenKind;
    if (type.kind == Kind::kScalarType) return {ir::ParseDType(text).value_or(DType::kUndefined)};
    if (type.kind == Kind::kString) return {std::move(text)};
    return {ir::Word{std::move(text)}};
  }

  ir::Arg AddTensor(const Value& value) {
    const auto id = static_cast<ir::ValueId>(call_.tensors.size());
    const TensorPlan plan = PlanAt(value, call_.tensors.size());
    const bool on_grid = quantized_ && plan.dtype == DType::kFloat32 && plan.contents.size() == 0;
    call_.tensors.push_back(
        MakeTensor(on_grid ? OnGrid(plan) : plan, variation_.round, static_cast<int>(id), &random_));
    if (on_grid) ToFloats(&call_.tensors.back());
    return {id};
  }

  TensorPlan PlanAt(const Value& value, size_t number) const {
    TensorPlan plan = PlanOf(value, variation_);
    if (std::ranges::find(variation_.scalars, number) == variation_.scalars.end()) return plan;
    plan.shape.clear();
    plan.contents = {};
    return plan;
  }

  const Variation& variation_;
  Call& call_;
  bool quantized_;
  std::mt19937 random_{20260101};
};

// An input's size of 1 is never a symbol: torch.export fixes it.
bool InputIsKnown(int64_t size, size_t axis, Sizes sizes) {
  const bool even = axis % 2 == 0;
  return size == 1 || sizes == Sizes::kKnown || (sizes == Sizes::kEvenUnknown && !even) ||
         (sizes == Sizes::kOddUnknown && even);
}

ir::Dims DimsOf(const ort::Tensor& tensor, Sizes sizes, bool is_input) {
  ir::Dims dims;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    const int64_t size = tensor.shape[i];
    const bool known = is_input ? InputIsKnown(size, i, sizes) : sizes == Sizes::kKnown && size != kAnySize;
    if (known)
      dims.emplace_back(size);
    else if (is_input)
      dims.push_back(ir::Dim::Symbol(tensor.name + "_" + std::to_string(i)));
    else
      dims.emplace_back();
  }
  return dims;
}

ir::ValueId AddUntyped(ir::Graph* graph, const std::string& name, ir::ValueKind kind) {
  return graph->AddValue(
      {.name = name, .kind = kind, .dtype = DType::kUndefined, .dims = {}, .contents = {}, .strides = {}});
}

ir::ValueId AddTensorValue(ir::Graph* graph, const ort::Tensor& tensor, Sizes sizes, bool is_input) {
  if (tensor.dtype == DType::kUndefined) return AddUntyped(graph, tensor.name, ir::ValueKind::kTensor);
  return graph->AddValue({.name = tensor.name,
                          .kind = ir::ValueKind::kTensor,
                          .dtype = tensor.dtype,
                          .dims = DimsOf(tensor, sizes, is_input),
                          .contents = {},
                          .strides = {}});
}

ir::ValueId AddIntInput(ir::Graph* graph, const std::string& name) {
  const ir::ValueId id = AddUntyped(graph, name, ir::ValueKind::kInt);
  graph->value(id).dtype = DType::kInt64;
  graph->value(id).dims = ir::Dims();
  return id;
}

ir::Node ViewNode(const char* op, ir::ValueId from, ir::ValueId to) {
  return {.op = op,
          .inputs = {{from}},
          .attributes = {},
          .outputs = {to},
          .blocks = {},
          .location = ir::LocationId::kNone,
          .name = {}};
}

void AddInput(ir::Graph* graph, const std::string& name, ir::ValueId id) {
  graph->inputs.push_back({.name = name, .value = {id}});
  graph->body.inputs.push_back(id);
}

void AddOutput(ir::Graph* graph, ir::ValueId id) {
  graph->outputs.push_back({.name = graph->value(id).name, .value = {id}});
  graph->body.outputs.push_back({id});
}

// A list lies flat, or is a sequence whose elements are taken one by one.
void AddListResult(ir::Graph* graph, ir::Node* call, const StatedResult& result, const std::string& name, Sizes sizes,
                   std::vector<ir::Node>* elements) {
  const bool is_sequence = sizes == Sizes::kSequences;
  if (is_sequence) call->outputs.push_back(AddUntyped(graph, name, ir::ValueKind::kSequence));
  const ir::ValueId list = is_sequence ? call->outputs.back() : ir::ValueId::kNone;
  for (size_t i = 0; i < result.tensors.size(); ++i) {
    ort::Tensor element = result.tensors[i];
    element.name = name + "_" + std::to_string(i);
    const ir::ValueId id = AddTensorValue(graph, element, sizes, false);
    AddOutput(graph, id);
    if (!is_sequence) {
      call->outputs.push_back(id);
      continue;
    }
    elements->push_back({.op = ir::Instruction::kSequenceAt,
                         .inputs = {{list}, {static_cast<int64_t>(i)}},
                         .attributes = {},
                         .outputs = {id},
                         .blocks = {},
                         .location = ir::LocationId::kNone,
                         .name = {}});
  }
}

// Puts a sequence in the place of each list of tensors.
void MakeSequences(ir::Graph* graph, ir::Node* node) {
  for (ir::Arg& arg : node->inputs) {
    const ir::ArgList* list = arg.list();
    if (!list || list->empty()) continue;
    if (!std::all_of(list->begin(), list->end(), [](const ir::Arg& item) { return item.value(); })) continue;
    const std::string name = "sequence" + std::to_string(graph->body.nodes.size());
    ir::Node construct{.op = ir::Instruction::kSequenceConstruct,
                       .inputs = {arg},
                       .attributes = {},
                       .outputs = {AddUntyped(graph, name, ir::ValueKind::kSequence)},
                       .blocks = {},
                       .location = ir::LocationId::kNone,
                       .name = {}};
    arg = {construct.outputs[0]};
    graph->body.nodes.push_back(std::move(construct));
  }
}

// A value of the run in the place of each int.
void OpenInts(ir::Arg* arg, Call* call) {
  if (auto* list = std::get_if<ir::ArgList>(&arg->v)) {
    for (ir::Arg& item : *list) OpenInts(&item, call);
  } else if (const auto* number = std::get_if<int64_t>(&arg->v)) {
    const size_t position = call->tensors.size();
    std::string bytes(reinterpret_cast<const char*>(number), sizeof *number);
    call->tensors.push_back({.name = "int" + std::to_string(call->run_ints++),
                             .dtype = DType::kInt64,
                             .shape = {},
                             .bytes = std::move(bytes)});
    *arg = {static_cast<ir::ValueId>(position)};
  }
}

bool HasInt(const ir::Arg& arg) {
  const ir::ArgList* list = arg.list();
  return list != nullptr ? std::ranges::any_of(*list, HasInt) : std::holds_alternative<int64_t>(arg.v);
}

}  // namespace

ort::Tensor PartsOf(const ort::Tensor& tensor) {
  if (!ir::IsComplex(tensor.dtype)) return tensor;
  ort::Tensor parts = tensor;
  parts.dtype = tensor.dtype == DType::kComplex64 ? DType::kFloat32 : DType::kFloat64;
  parts.shape.push_back(2);
  parts.name += "_parts";
  return parts;
}

lowering::Options OptionsOf(const Case& test) {
  lowering::Options options;
  options.choices.training = test.training;
  if (!test.domain.empty()) options.choices.domains.emplace(test.domain);
  if (!test.keep.empty()) options.choices.kept.emplace(test.keep);
  return options;
}

Call MakeCall(const Case& test, const Variation& variation) {
  Call call{.schema = ir::FindAtenSchema(test.overload), .args = {}, .tensors = {}};
  if (call.schema == nullptr) throw std::runtime_error("no schema for " + std::string(test.overload));
  CallBuilder builder(variation, &call);
  for (const ir::AtenArgument& argument : call.schema->arguments) {
    const Value* given = nullptr;
    for (const Arg& arg : test.args) {
      if (arg.name == argument.name) given = &arg.value;
    }
    if (given != nullptr)
      call.args.push_back(builder.Make(*given, argument.type));
    else if (argument.default_value)
      call.args.push_back(*argument.default_value);
    else
      throw std::runtime_error("the test gives no value for `" + argument.name + "`");
  }
  for (const Replacement& replacement : variation.replaced) call.args.at(replacement.argument) = replacement.value;
  return call;
}

std::vector<size_t> IntArguments(const Call& call) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const ir::AtenKind kind = call.schema->arguments[i].type.kind;
    const bool takes_ints =
        kind == ir::AtenKind::kInt || kind == ir::AtenKind::kSymInt || kind == ir::AtenKind::kScalar;
    if (takes_ints && HasInt(call.args[i])) positions.push_back(i);
  }
  return positions;
}

Call WithRunInts(Call call, const std::vector<size_t>& arguments) {
  for (const size_t argument : arguments) OpenInts(&call.args[argument], &call);
  return call;
}

ir::Graph MakeGraph(const Call& call, const std::vector<StatedResult>& results, Sizes sizes) {
  ir::Graph graph;
  for (size_t i = 0; i < call.tensors.size(); ++i) {
    const ort::Tensor& tensor = call.tensors[i];
    const bool is_int = i >= call.tensors.size() - call.run_ints;
    const ir::ValueId id = is_int ? AddIntInput(&graph, tensor.name) : AddTensorValue(&graph, tensor, sizes, true);
    if (!ir::IsComplex(tensor.dtype)) AddInput(&graph, tensor.name, id);
  }
  for (size_t i = 0; i < call.tensors.size(); ++i) {
    if (!ir::IsComplex(call.tensors[i].dtype)) continue;
    ort::Tensor parts = PartsOf(call.tensors[i]);
    const ir::ValueId id = AddTensorValue(&graph, parts, sizes, true);
    graph.value(id).dims->back() = ir::Dim(2);
    AddInput(&graph, parts.name, id);
    graph.body.nodes.push_back(ViewNode("aten::view_as_complex", id, static_cast<ir::ValueId>(i)));
  }
  for (const ort::Tensor& tensor : call.tensors) {
    if (sizes == Sizes::kKnown) break;
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      graph.ranges[tensor.name + "_" + std::to_string(i)] = {.min = 0, .max = {}};
  }
  ir::Node node{.op = call.schema->name,
                .inputs = call.args,
                .attributes = {},
                .outputs = {},
                .blocks = {},
                .location = ir::LocationId::kNone,
                .name = {}};
  // A size that follows from an int of the run is not known.
  const Sizes stated = call.run_ints > 0 ? Sizes::kUnknown : sizes;
  std::vector<ir::Node> elements;
  std::vector<ir::Node> views;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string name = "out" + std::to_string(i);
    if (results[i].is_list) {
      AddListResult(&graph, &node, results[i], name, stated, &elements);
    } else if (results[i].is_none) {
      node.outputs.push_back(ir::ValueId::kNone);
    } else {
      ort::Tensor tensor = results[i].tensors[0];
      tensor.name = name;
      node.outputs.push_back(AddTensorValue(&graph, tensor, stated, false));
      ir::ValueId shown = node.outputs.back();
      if (ir::IsComplex(tensor.dtype)) {
        shown = AddTensorValue(&graph, PartsOf(tensor), stated, false);
        views.push_back(ViewNode("aten::view_as_real", node.outputs.back(), shown));
      }
      AddOutput(&graph, shown);
    }
  }
  if (sizes == Sizes::kSequences) MakeSequences(&graph, &node);
  graph.body.nodes.push_back(std::move(node));
  for (ir::Node& view : views) graph.body.nodes.push_back(std::move(view));
  for (ir::Node& element : elements) graph.body.nodes.push_back(std::move(element));
  return graph;
}

}  // namespace onnxport::conformance
