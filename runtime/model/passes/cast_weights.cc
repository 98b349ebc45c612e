#include "runtime/model/passes/cast_weights.h"

#include <string>

#include "runtime/ir/dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/model/passes/converted_tensor.h"
#include "runtime/model/passes/replace_weights.h"
#include "runtime/model/passes/rewrite.h"

namespace onnxport::passes {

bool CastWeights(ir::Graph* graph) {
  return ReplaceWeights(graph, [](const ir::Node& node, const ir::Weight& weight) -> MadeWeight {
    if (node.op != "Cast") return {};
    const ir::DType to = ir::DTypeOfNumber(IntAttribute(node, "to", 0));
    return {.data = ConvertedTensor(weight.data, to), .suffix = "." + std::string(ir::Name(to))};
  });
}

}  // namespace onnxport::passes
