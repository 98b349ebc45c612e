#include "runtime/lowering/types/inference.h"

#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "runtime/base/refusal.h"
#include "runtime/lowering/types/declared_types.h"

namespace onnxport::lowering {
namespace {

// Inference reads shapes, axes and repeats. Copying a mask of a megabyte into protobuf would be useless.
constexpr int64_t kMaxBytes = 1 << 16;  // of a constant that inference may look into

void FillTensor(const ir::TensorData& data, onnx::TensorProto* proto) {
  proto->set_data_type(static_cast<int>(data.dtype));
  for (const int64_t dim : data.shape) proto->add_dims(dim);
  proto->set_raw_data(ir::BytesOf(*data.bytes));
}

bool IsSmall(const ir::TensorData& data) {
  int64_t bytes = ir::ByteSize(data.dtype);
  for (const int64_t dim : data.shape) {
    if (dim < 0 || dim > kMaxBytes) return false;
    bytes *= dim;
    if (bytes > kMaxBytes) return false;
  }
  return bytes > 0;
}

// Converts integer contents to a tensor of the value's dtype. Returns false if an element is not a number, because
// inference assumes that the whole tensor is known. Partly known tensors use Symbolic below.
bool FillContents(const ir::Value& value, onnx::TensorProto* proto) {
  if (value.dtype != ir::DType::kInt64 && value.dtype != ir::DType::kInt32) return false;
  for (const ir::Dim& dim : *value.contents) {
    if (!dim.is_number()) return false;
  }
  proto->set_data_type(static_cast<int>(value.dtype));
  if (value.dims && value.dims->size() == 1) {
    proto->add_dims(static_cast<int64_t>(value.contents->size()));
  }
  for (const ir::Dim& dim : *value.contents) {
    if (value.dtype == ir::DType::kInt64) {
      proto->add_int64_data(dim.number());
    } else {
      proto->add_int32_data(static_cast<int32_t>(dim.number()));
    }
  }
  return true;
}

struct AttributeWriter {
  onnx::AttributeProto* proto;

  void operator()(ir::None) const {}
  void operator()(ir::ValueId) const {}
  void operator()(bool b) const { (*this)(static_cast<int64_t>(b)); }
  void operator()(ir::DType dtype) const { (*this)(static_cast<int64_t>(dtype)); }
  void operator()(int64_t i) const {
    proto->set_type(onnx::AttributeProto::INT);
    proto->set_i(i);
  }
  void operator()(double d) const {
    proto->set_type(onnx::AttributeProto::FLOAT);
    proto->set_f(static_cast<float>(d));
  }
  void operator()(const std::string& text) const {
    proto->set_type(onnx::AttributeProto::STRING);
    proto->set_s(text);
  }
  void operator()(const ir::Word& word) const { (*this)(word.text); }
  void operator()(const std::shared_ptr<const ir::TensorData>& data) const {
    proto->set_type(onnx::AttributeProto::TENSOR);
    FillTensor(*data, proto->mutable_t());
  }
  void operator()(const ir::ArgList& list) const {
    // An empty list counts as a list of ints. For others the elements decide.
    proto->set_type(onnx::AttributeProto::INTS);
    for (const ir::Arg& element : list) Append(element);
  }
  void Append(const ir::Arg& element) const {
    if (const auto* i = std::get_if<int64_t>(&element.v)) proto->add_ints(*i);
    if (const auto* d = std::get_if<double>(&element.v)) {
      proto->set_type(onnx::AttributeProto::FLOATS);
      proto->add_floats(static_cast<float>(*d));
    }
    if (const auto* text = std::get_if<std::string>(&element.v)) {
      proto->set_type(onnx::AttributeProto::STRINGS);
      proto->add_strings(*text);
    }
  }
};

}  // namespace

// The facts about each value.
//
// The protobuf of a node (types of its inputs and outputs, attributes) is made in one arena, which the next node
// reuses. If types were kept for each value, they would be as large as the graph. The few shape tensors have two forms,
// because ONNX's functions use both. `data` has only numbers; `symbolic` can hold [s0, 3].
struct TypeInference::State {
  struct Cache {
    std::unique_ptr<onnx::TensorProto> data;
    std::unique_ptr<onnx::TensorShapeProto> symbolic;
    bool data_known = false;  // `data` is up to date
    bool symbolic_known = false;
    std::shared_ptr<const ir::TensorData> tensor;
  };

  const ir::Graph& graph;
  std::vector<std::unique_ptr<Cache>> caches;
  std::unordered_map<std::string, ir::Dim> by_text;  // text -> symbolic dimension, because ONNX's names are texts
  std::unordered_map<const void*, onnx::InferenceFunction> functions;
  std::array<char, 8192> first_block;  // of the arena: enough for most nodes
  google::protobuf::Arena arena{first_block.data(), first_block.size()};

  // Doubles the size: growing by one for each value would be quadratic.
  Cache& CacheOf(ir::ValueId id) {
    const auto index = static_cast<size_t>(id);
    if (index >= caches.size()) caches.resize(std::max(index + 1, caches.size() * 2));
    if (!caches[index]) caches[index] = std::make_unique<Cache>();
    return *caches[index];
  }

  void Fill(const ir::Dim& dim, onnx::TensorShapeProto::Dimension* proto) {
    if (dim.is_number()) {
      proto->set_dim_value(dim.number());
    } else if (dim.is_symbolic()) {
      std::string text = dim.ToString();
      by_text.try_emplace(text, dim);
      proto->set_dim_param(std::move(text));
    }
  }

  ir::Dim Read(const onnx::TensorShapeProto::Dimension& proto) const {
    if (proto.has_dim_value()) return ir::Dim(proto.dim_value());
    if (!proto.has_dim_param()) return {};
    // Inference has invented this name, so it is none of ours.
    const auto found = by_text.find(proto.dim_param());
    return found == by_text.end() ? ir::Dim() : found->second;
  }

  const onnx::TypeProto* Type(ir::ValueId id) {
    auto* type = google::protobuf::Arena::CreateMessage<onnx::TypeProto>(&arena);
    const ir::Value& value = graph.value(id);
    const bool sequence = value.kind == ir::ValueKind::kSequence;
    auto* tensor = sequence ? type->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()
                            : type->mutable_tensor_type();
    tensor->set_elem_type(static_cast<int>(value.dtype));
    if (value.dims) {
      auto* shape = tensor->mutable_shape();
      for (const ir::Dim& dim : *value.dims) Fill(dim, shape->add_dim());
    }
    return type;
  }

  const onnx::TensorProto* Data(ir::ValueId id) {
    Cache& cache = CacheOf(id);
    if (cache.data_known) return cache.data.get();
    cache.data_known = true;
    cache.data = std::make_unique<onnx::TensorProto>();
    const ir::Value& value = graph.value(id);
    if (cache.tensor && IsSmall(*cache.tensor)) {
      FillTensor(*cache.tensor, cache.data.get());
    } else if (!value.contents || !FillContents(value, cache.data.get())) {
      cache.data.reset();
    }
    return cache.data.get();
  }

  const onnx::TensorShapeProto* Symbolic(ir::ValueId id) {
    Cache& cache = CacheOf(id);
    if (cache.symbolic_known) return cache.symbolic.get();
    cache.symbolic_known = true;
    cache.symbolic.reset();
    const ir::Value& value = graph.value(id);
    if (!value.contents) return nullptr;
    cache.symbolic = std::make_unique<onnx::TensorShapeProto>();
    for (const ir::Dim& dim : *value.contents) Fill(dim, cache.symbolic->add_dim());
    return cache.symbolic.get();
  }
};

namespace {

// One node as ONNX's inference functions see it. It lives for one call. Graphs of an If or Loop are not inferred with
// it (getGraphAttributeInferencer), because the code that makes such a node knows the types of its blocks
// (lowering/build/control_flow.cc).
template <typename State>
class NodeContext : public onnx::InferenceContext {
 public:
  NodeContext(State* state, const ir::Node& node)
      : state_(*state), node_(node), node_proto_(*Make<onnx::NodeProto>()), inputs_(node.inputs.size()) {
    for (size_t i = 0; i < node.outputs.size(); ++i) outputs_.push_back(Make<onnx::TypeProto>());
    for (const ir::Attribute& attribute : node.attributes) {
      onnx::AttributeProto* proto = node_proto_.add_attribute();
      proto->set_name(attribute.name);
      std::visit(AttributeWriter{proto}, attribute.value.v);
    }
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    for (const auto& attribute : node_proto_.attribute()) {
      if (attribute.name() == name) return &attribute;
    }
    return nullptr;
  }
  size_t getNumInputs() const override { return node_.inputs.size(); }
  bool hasInput(size_t index) const override { return Id(index) != nullptr; }
  const onnx::TypeProto* getInputType(size_t index) const override {
    if (!Id(index)) return nullptr;
    if (!inputs_[index]) inputs_[index] = state_.Type(*Id(index));
    return inputs_[index];
  }
  const onnx::TensorProto* getInputData(size_t index) const override {
    return Id(index) ? state_.Data(*Id(index)) : nullptr;
  }
  const onnx::TensorShapeProto* getSymbolicInput(size_t index) const override {
    return Id(index) ? state_.Symbolic(*Id(index)) : nullptr;
  }
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t index) override { return outputs_.at(index); }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string&) override { return nullptr; }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }

  InferredType Output(size_t index) const {
    InferredType result;
    const onnx::TypeProto& output = *outputs_[index];
    result.sequence = output.has_sequence_type();
    const onnx::TypeProto& type = result.sequence ? output.sequence_type().elem_type() : output;
    if (!type.has_tensor_type()) return result;
    result.dtype = ir::DTypeOfNumber(type.tensor_type().elem_type());
    if (!type.tensor_type().has_shape()) return result;
    ir::Dims& dims = result.dims.emplace();
    for (const auto& dim : type.tensor_type().shape().dim()) dims.push_back(state_.Read(dim));
    return result;
  }

 private:
  template <typename Message>
  Message* Make() {
    return google::protobuf::Arena::CreateMessage<Message>(&state_.arena);
  }
  const ir::ValueId* Id(size_t index) const {
    return index < node_.inputs.size() ? node_.inputs[index].value() : nullptr;
  }

  State& state_;
  const ir::Node& node_;
  onnx::NodeProto& node_proto_;                         // its attributes
  mutable std::vector<const onnx::TypeProto*> inputs_;  // null: not yet requested
  std::vector<onnx::TypeProto*> outputs_;
};

// The inputs are placed by the schema, but the number of results may come from a file. ONNX's functions ask for the
// type of each result that the operator has.
void CheckCounts(const OpInfo& op, const ir::Node& node) {
  const auto check = [&](const char* what, size_t count, int least, int most) {
    if (static_cast<int64_t>(count) >= least && static_cast<int64_t>(count) <= most) return;
    throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX {} has {} to {} {}, not {}", op.name, least, most, what, count));
  };
  check("inputs", node.inputs.size(), op.min_inputs, op.max_inputs);
  check("results", node.outputs.size(), op.min_outputs, op.max_outputs);
}

}  // namespace

TypeInference::TypeInference(const ir::Graph* graph)
    : state_(new State{.graph = *graph, .caches = {}, .by_text = {}, .functions = {}, .first_block = {}}) {}
TypeInference::~TypeInference() = default;

InferredTypes TypeInference::Infer(const OpInfo& op, const ir::Node& node) {
  // Only its spec knows the node. Its schema gives the dtypes and the sizes.
  if (op.declared) {
    InferredTypes results;
    for (std::optional<ir::Dims>& dims : DeclaredDims(*op.declared, state_->graph, node)) {
      results.push_back({.dtype = ir::DType::kUndefined, .dims = std::move(dims), .sequence = false});
    }
    return results;
  }
  CheckCounts(op, node);
  state_->arena.Reset();
  NodeContext context(state_.get(), node);
  auto& function = state_->functions[op.schema];
  if (!function) {
    function = static_cast<const onnx::OpSchema*>(op.schema)->GetTypeAndShapeInferenceFunction();
  }
  try {
    if (function) function(context);
  } catch (const std::exception& error) {
    // Any exception: ONNX throws its own, and those of protobuf and of the library also mean that the node is wrong.
    throw Refusal(Code::kBreaksOnnx, fmt::format("ONNX {} does not fit its inputs: {}", op.name, error.what()));
  }
  InferredTypes results;
  results.reserve(node.outputs.size());
  for (size_t i = 0; i < node.outputs.size(); ++i) results.push_back(context.Output(i));
  return results;
}

void TypeInference::SetData(ir::ValueId id, std::shared_ptr<const ir::TensorData> data) {
  state_->CacheOf(id).tensor = std::move(data);
}

void TypeInference::Forget(ir::ValueId id) {
  const auto index = static_cast<size_t>(id);
  if (index >= state_->caches.size() || !state_->caches[index]) return;
  State::Cache& cache = *state_->caches[index];
  cache.data_known = false;
  cache.symbolic_known = false;
}

}  // namespace onnxport::lowering
