// Checks of an exported program that need all of it.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/scope.h"

namespace onnxport::pt2 {

// `x.to("cpu")` of a tensor elsewhere is a copy, whatever its dtype: said as an argument, since the IR has no devices.
void MarkDeviceCopies(const Scope& scope, ir::Block* block);

// Arithmetic that only assertions asked for.
void DropUnusedHostNodes(ir::Graph* graph);

// Error (kBadInput) for a value that the file gives no type.
void CheckTypes(const ir::Graph& graph);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_
