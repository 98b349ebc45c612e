// Reads the calls of the exported program.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_NODES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_NODES_H_

#include <string_view>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/text_map.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/location_reader.h"
#include "runtime/sources/pt2/op_name.h"
#include "runtime/sources/pt2/scope.h"

namespace onnxport::pt2 {

// Reads nodes into graph.body. The graphs of a higher-order operator become blocks of its node, in order. Its arguments
// have their names, as words.
class NodeReader {
 public:
  NodeReader(ir::Graph* graph, MetaReader* metas) : graph_(graph), block_(&graph->body), metas_(metas) {}

  // Throws Error (kBadInput) for a malformed node.
  void Read(const Json& node, Scope* scope);

 private:
  // The target of a call. A program has few different targets, so they are cached.
  struct Target {
    const Function* function = nullptr;  // Python's function on numbers; null for an operator
    ir::Operator op;
    const ir::AtenSchema* schema = nullptr;  // null if it has no schema
    bool is_assertion = false;
    bool takes_graphs = false;
  };

  const Target& TargetOf(const Json& node);
  void ReadBlocks(const Json& inputs, const Scope& scope, ir::Node* call);
  ir::Block ReadBlock(const Json& body, const Scope& outer);
  void ReadItself(const Json& node, Scope* scope);
  void ReadSum(const Json& node, Scope* scope);

  ir::Graph* graph_;
  ir::Block* block_;  // the block to which calls are added
  MetaReader* metas_;
  LocationReader locations_;
  TextMap<Target> targets_;
  int depth_ = 0;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_NODES_H_
