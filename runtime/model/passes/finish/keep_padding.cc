#include "runtime/model/passes/finish/keep_padding.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/ir/read_node.h"
#include "runtime/model/passes/graph/rewrite.h"

namespace onnxport::passes {
namespace {

bool IsUnpaddedMaxPool(const ir::Node& node) {
  if (node.op != "MaxPool" || FindAttribute(node, "auto_pad") != nullptr) return false;
  if (IntAttribute(node, "ceil_mode", 0) != 0) return false;  // auto_pad rounds in its own way
  const ir::Arg* pads = FindAttribute(node, "pads");
  if (pads == nullptr) return true;
  const auto known = IntsAttribute(node, "pads");
  return known && std::ranges::all_of(*known, [](int64_t pad) { return pad == 0; });
}

}  // namespace

bool KeepPadding(ir::Graph* graph) {
  bool changed = false;
  const Producers producers(*graph);
  ForEachNode(graph->body, [&](ir::Node& node) {
    if (!IsUnpaddedMaxPool(node)) return;
    const ir::Node* made_by = producers.Of(InputAt(node, 0));
    if (made_by == nullptr || made_by->op != "Pad") return;
    std::erase_if(node.attributes.vector(), [](const ir::Attribute& attribute) { return attribute.name == "pads"; });
    node.attributes.push_back({"auto_pad", {std::string("VALID")}});
    changed = true;
  });
  return changed;
}

}  // namespace onnxport::passes
