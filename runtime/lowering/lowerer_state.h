// Internal to the Lowerer.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_

#include <string>
#include <utility>
#include <vector>

#include "runtime/lowering/bindings.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/lowerer.h"

namespace onnxport::lowering {

struct Lowerer::State {
  State(ir::Graph* source, int opset, FreeSizes free_sizes, Options options)
      : source(*source),
        emitter(&graph, opset, free_sizes, std::move(options.choices)),
        custom(std::move(options.custom_nodes)) {
    graph.opset = opset;
    graph.ranges = source->ranges;
  }

  // A value of the source as one of the new graph: numbers become 0-d tensors.
  static ir::Value AsTensorType(ir::Value value);
  ir::ValueId Copy(ir::ValueId id);
  ir::ValueId AddComplexInput(ir::ValueId id);
  void AddComplexWeight(const ir::Weight& weight);
  void BindCopy(ir::ValueId source_id, ir::ValueId copy);
  // A new value of the source graph, which `made` is; named "%N" where `name` is empty.
  ir::ValueId AddSource(ir::Value value, ir::ValueId made, std::string name);
  // What a value of the source is in the new graph.
  ir::Translation ToOnnx() const;
  ir::ValueId AddControlResult(ir::Value type, ir::ValueId made);
  // By the specs, or as a node of the user's choice.
  Vals Lower(const ir::Node& call, Vals args, const ir::StatedTypes* stated);
  // What a spec took for granted of free sizes, as remarks.
  void RemarkAssumptions(const ir::Node& node);

  ir::Graph& source;
  ir::Graph graph;
  Emitter emitter;
  CustomNodes custom;
  Bindings bindings;
  std::vector<std::string> remarks;
  bool contradicted = false;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
