// Nodes of operators that a program names itself, of which nothing may be known but the name.
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
  int version = 0;                                      // of its domain; 0: not stated
  Vals inputs;                                          // tensors, and None for one that is left out
  std::vector<std::pair<std::string, Val>> attributes;  // numbers, texts, dtypes, lists of them; None: left out
  // dtype, dims: of each result. Undefined, nothing: not known.
  std::vector<ir::Value> results;
};

// If a schema describes the operator, ONNX's own or one that a spec declares, the node is made as one of a spec is. Its
// results must have the stated dtypes. Else `results` are believed. Returns one tensor for each of them. Throws
// Refusal.
Vals EmitCustomNode(Context* context, const CustomNode& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_CUSTOM_NODE_H_
