#include "runtime/model/passes/weights/cast_weights.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "runtime/ir/dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/replace_weights.h"
#include "runtime/model/passes/graph/rewrite.h"
#include "runtime/model/passes/weights/makers.h"

namespace onnxport::passes {
namespace {

// Returns true if the Cast rounds floats of 8 bits like PyTorch, as exported models do. ONNX's attributes can request
// other rounding.
bool RoundsAsPytorch(const ir::Node& node, ir::DType to) {
  if (!ir::IsFloat(to) || ir::ByteSize(to) != 1) return true;
  const ir::Arg* mode = ir::FindAttribute(node, "round_mode");
  const auto* text = mode == nullptr ? nullptr : std::get_if<std::string>(&mode->v);
  const bool nearest = to != ir::DType::kFloat8E8M0 || (text != nullptr && *text == "nearest");
  return nearest && (IntAttribute(node, "saturate", 1) != 0) == (to == ir::DType::kFloat8E4M3FN);
}

}  // namespace

bool CastWeights(ir::Graph* graph) {
  return ReplaceWeights(graph, [](const ir::Node& node, const ir::Weight& weight) -> MadeWeight {
    if (node.op != "Cast" && node.op != "BitCast") return {};
    const ir::DType to = ir::DTypeOfNumber(IntAttribute(node, "to", 0));
    const std::string suffix = "." + std::string(ir::Name(to));
    if (node.op == "Cast" && !RoundsAsPytorch(node, to)) return {};
    if (node.op == "Cast") {
      return {.data = MakeOne({.maker = &kCast, .how = std::string(ir::Name(to)), .of = {weight.data}}),
              .suffix = suffix};
    }
    if (ir::ByteSize(to) == 0 || ir::ByteSize(to) != ir::ByteSize(weight.data->dtype)) return {};
    auto same = std::make_shared<ir::TensorData>(*weight.data);
    same->dtype = to;
    return {.data = std::move(same), .suffix = suffix};
  });
}

}  // namespace onnxport::passes
