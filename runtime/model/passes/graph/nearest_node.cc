#include "runtime/model/passes/graph/nearest_node.h"

#include <fmt/format.h>

#include "runtime/ir/location.h"

namespace onnxport::passes {

std::string NearestNode(const ir::Graph& graph, const ReasonOf& reason_of, std::string_view behind) {
  for (const ir::Node& node : graph.body.nodes) {
    const std::string_view why = reason_of(node);
    if (why.empty()) continue;
    const std::string at = ir::FileAndLine(graph.location(node.location));
    return fmt::format("the nearest is the {}{}{}{}, but {}", node.op.text(), behind, at.empty() ? "" : " at ", at,
                       why);
  }
  return "";
}

}  // namespace onnxport::passes
