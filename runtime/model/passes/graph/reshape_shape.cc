#include "runtime/model/passes/graph/reshape_shape.h"

#include <utility>

#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {
namespace {

using ir::Dim;
using ir::Dims;
using Ints = std::vector<int64_t>;

bool IsPositive(const Dim& dim, const ir::Ranges& ranges) { return dim.Bounds(ranges).min.value_or(0) > 0; }

}  // namespace

// [s0, s1, 6] to [s0, 2*s1, 3]: 0 copies s0, and 2*s1 is the rest, so [0, -1, 3]. If s0 could be 0, the rest would be
// undefined, and the runtime would refuse -1. A size that is the number 0 cannot be written, because 0 means to copy.
std::optional<Ints> ReshapeShape(const Dims& input, const Dims& wanted, const ir::Ranges& ranges) {
  Ints shape;
  std::vector<size_t> computed;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].is_number()) computed.push_back(i);
    if (wanted[i].is_number() && wanted[i].number() <= 0) return std::nullopt;
    shape.push_back(wanted[i].is_number() ? wanted[i].number() : -1);
  }
  if (computed.size() == 1) return shape;
  int left = 0;
  bool positive = true;
  for (const size_t i : computed) {
    if (i < input.size() && wanted[i] == input[i]) {
      shape[i] = 0;
      positive = positive && IsPositive(wanted[i], ranges);
    } else {
      ++left;
    }
  }
  if (left > 1 || (left == 1 && !positive)) return std::nullopt;
  return shape;
}

ir::Node IntsConstant(const Ints& ints, ir::LocationId location, ir::Graph* graph) {
  const auto count = static_cast<int64_t>(ints.size());
  const onnx_ops::KnownTensor tensor = {.dtype = ir::DType::kInt64, .shape = {count}, .elements = ints};
  ir::Value value;
  value.dtype = ir::DType::kInt64;
  value.dims = Dims{Dim(count)};
  value.contents.emplace(ints.begin(), ints.end());
  ir::Node node;
  node.op = "Constant";
  node.attributes = {{"value", {ToTensorData(tensor)}}};
  node.outputs = {graph->AddValue(std::move(value))};
  node.location = location;
  return node;
}

}  // namespace onnxport::passes
