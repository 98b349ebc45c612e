// Emits nodes of operators that a program names itself. They may have no schema.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_CUSTOM_NODE_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_CUSTOM_NODE_H_

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

struct CustomNode {
  std::string op;                                       // "com.example.Relu6"; "Relu" is ONNX's own
  int version = 0;                                      // of its domain; 0: unknown
  Vals inputs;                                          // tensors, and None for one that is left out
  std::vector<std::pair<std::string, Val>> attributes;  // numbers, texts, dtypes, lists of them; None: left out
  // The dtype and dims of each result. Undefined or nothing: unknown.
  std::vector<ir::Value> results;
};

// If ONNX or a spec has a schema for the operator, the node is made like a node of a spec, and its results must have
// the stated dtypes. Otherwise `results` are trusted. Returns one tensor for each of them. Throws Refusal.
Vals EmitCustomNode(Context* context, const CustomNode& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_CUSTOM_NODE_H_
