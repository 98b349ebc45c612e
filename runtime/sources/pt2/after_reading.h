// Checks and simplifications of an exported program that need all of it.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/scope.h"

namespace onnxport::pt2 {

// `x.to("cpu")` of a tensor on another device is always a copy. The IR has no devices, so this is stated by an
// argument.
void MarkDeviceCopies(const Scope& scope, ir::Block* block);

// Drops arithmetic that only assertions used.
void DropUnusedHostNodes(ir::Graph* graph);

// Throws Error (kBadInput) for a value without a type in the file.
void CheckTypes(const ir::Graph& graph);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_AFTER_READING_H_
