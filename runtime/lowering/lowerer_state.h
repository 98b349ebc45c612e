// Internal to the Lowerer.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_

#include <set>
#include <string>
#include <vector>

#include "runtime/lowering/bindings.h"
#include "runtime/lowering/emitter.h"
#include "runtime/lowering/lowerer.h"
#include "runtime/lowering/published.h"

namespace onnxport::lowering {

struct Lowerer::State {
  State(const ir::Graph& source, ir::Graph* growing, int opset)
      : source(source),
        growing(growing),
        emitter(&graph, opset, growing ? FreeSizes::kAsStated : FreeSizes::kAsExported),
        bindings(&emitter) {
    graph.opset = opset;
    graph.ranges = source.ranges;
  }

  // A value of the source as one of the new graph: numbers become 0-d tensors.
  static ir::Value AsTensorType(ir::Value value);
  ir::ValueId Copy(ir::ValueId id);
  void AddComplexWeight(const ir::Weight& weight);
  void BindCopy(ir::ValueId source_id, ir::ValueId copy);
  // A result as an Arg of the source graph; new values are added to it and to the node's outputs.
  ir::Arg Publish(const Val& result, ResultKind wanted, ir::Node* node);
  ir::Arg PublishTensor(ir::ValueId made, ResultKind wanted, ir::Node* node);
  ir::ValueId AddSource(ir::Value value, ir::ValueId made);
  ir::ValueId AddControlResult(ir::Value type, ir::ValueId made);

  const ir::Graph& source;
  ir::Graph* growing;  // null: `source` states its types
  ir::Graph graph;
  Emitter emitter;
  Bindings bindings;
  // What a spec took for granted of free sizes, as remarks.
  void RemarkAssumptions(const ir::Node& node);

  std::vector<std::string> remarks;
  std::set<std::string> remarked;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
