#include "runtime/model/onnx_file/guarded_schemas.h"

#include <fmt/format.h>

#include <optional>

#include "onnx/defs/shape_inference.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/model/onnx_file/known_types.h"
#include "runtime/model/onnx_file/node_guard.h"

namespace onnxport::onnx_file {
namespace {

// Axes of a result. SECURITY.md has the same of a program's tensors.
constexpr int kMostAxes = 64;
// An upper bound for a byte of a type's text, which may be an axis, and for an element of a shape tensor.
constexpr uint64_t kMemoryOfByte = 32;
constexpr uint64_t kMemoryOfElement = 64;

template <typename Function>
void Stopping(const Function& function) {
  try {
    function();
  } catch (const Error&) {
    throw Stopped{std::current_exception()};
  }
}

// Returns false for a tensor or sequence of an unknown type. ONNX makes these for an input without a type, but does not
// accept them.
bool IsWhole(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return IsWhole(type.sequence_type().elem_type());
  if (type.has_optional_type()) return IsWhole(type.optional_type().elem_type());
  if (type.has_tensor_type()) return type.tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
  return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
}

void CheckRank(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || type.tensor_type().shape().dim_size() <= kMostAxes) return;
  throw onnx::InferenceError(fmt::format("a result has {} axes", type.tensor_type().shape().dim_size()));
}

onnx::OpSchema Guarded(const onnx::OpSchema& schema, Charge* results) {
  onnx::OpSchema guarded = schema;
  if (schema.has_type_and_shape_inference_function()) {
    guarded.TypeAndShapeInferenceFunction([&schema, results](onnx::InferenceContext& node) {
      CheckNode(schema, node);
      KnownTypes known(&node);
      schema.GetTypeAndShapeInferenceFunction()(known);
      for (size_t i = 0; i < node.getNumOutputs(); ++i) {
        if (!IsWhole(*node.getOutputType(i))) node.getOutputType(i)->Clear();
        CheckRank(*node.getOutputType(i));
        Stopping([&] { results->Add(kMemoryOfByte * node.getOutputType(i)->ByteSizeLong()); });
      }
    });
  }
  if (schema.has_data_propagation_function()) {
    guarded.PartialDataPropagationFunction([&schema, results](onnx::DataPropagationContext& node) {
      const std::optional<int64_t> elements = ElementsOf(node);
      if (!elements) return;
      Stopping([&] { results->Add(kMemoryOfElement * static_cast<uint64_t>(*elements)); });
      schema.GetDataPropagationFunction()(node);
    });
  }
  return guarded;
}

}  // namespace

const onnx::OpSchema* GuardedSchemas::GetSchema(const std::string& op, int version, const std::string& domain) const {
  Stopping([] { Interruption::Check(); });
  if (++nodes_ > most_nodes_) throw TooLarge{fmt::format("its functions make more than {} nodes of it", most_nodes_)};
  const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Instance()->GetSchema(op, version, domain);
  if (schema == nullptr) return nullptr;
  auto& guarded = guarded_[schema];
  if (!guarded) guarded = std::make_unique<const onnx::OpSchema>(Guarded(*schema, &results_));
  return guarded.get();
}

}  // namespace onnxport::onnx_file
