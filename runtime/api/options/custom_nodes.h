// Converts the user's options on custom nodes for the lowering.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_CUSTOM_NODES_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_CUSTOM_NODES_H_

#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/custom_nodes.h"

namespace onnxport {

// Throws Error (kUsage) for names that cannot be.
lowering::CustomNodes ForLowering(const ExportOptions& options);

// The mappings of operators that `program`, as it was lowered, does not call: one sentence each.
std::vector<std::string> UnusedMappings(const ExportOptions& options, const ir::Graph& program);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_CUSTOM_NODES_H_
