#include "runtime/model/passes/cast_weights.h"

#include <memory>
#include <string>
#include <utility>

#include "runtime/ir/dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/model/passes/converted_tensor.h"
#include "runtime/model/passes/replace_weights.h"
#include "runtime/model/passes/rewrite.h"

namespace onnxport::passes {

bool CastWeights(ir::Graph* graph) {
  return ReplaceWeights(graph, [](const ir::Node& node, const ir::Weight& weight) -> MadeWeight {
    if (node.op != "Cast" && node.op != "BitCast") return {};
    const ir::DType to = ir::DTypeOfNumber(IntAttribute(node, "to", 0));
    const std::string suffix = "." + std::string(ir::Name(to));
    if (node.op == "Cast") return {.data = ConvertedTensor(weight.data, to), .suffix = suffix};
    if (ir::ByteSize(to) == 0 || ir::ByteSize(to) != ir::ByteSize(weight.data->dtype)) return {};
    auto same = std::make_shared<ir::TensorData>(*weight.data);
    same->dtype = to;
    return {.data = std::move(same), .suffix = suffix};
  });
}

}  // namespace onnxport::passes
