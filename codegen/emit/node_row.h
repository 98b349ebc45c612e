// Entries that need no code: one node, arguments passed on.
#ifndef ONNXPORT_CODEGEN_EMIT_NODE_ROW_H_
#define ONNXPORT_CODEGEN_EMIT_NODE_ROW_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/check/fold.h"

namespace onnxport::codegen {

struct NodeRowData {
  std::string op;
  std::vector<int> inputs;                              // positions of ATen arguments, -1: absent
  std::vector<std::pair<std::string, int>> attributes;  // name, position
};

// Nothing when the entry does more than that at this opset.
std::optional<NodeRowData> AsNodeRow(const FoldedEntry& folded);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_NODE_ROW_H_
