// Internal to the Lowerer.
#ifndef ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
#define ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_

#include <string>
#include <utility>

#include "runtime/lowering/bindings.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/lowerer.h"

namespace onnxport::lowering {

struct Lowerer::State {
  State(int opset, FreeSizes free_sizes, ir::Ranges ranges, Options options)
      : emitter(&graph, opset, free_sizes, std::move(options.choices)), custom(std::move(options.custom_nodes)) {
    graph.opset = opset;
    graph.ranges = std::move(ranges);
  }

  // The type in the graph of a value of the program: numbers become 0-d tensors.
  static ir::Value AsTensorType(ir::Value value);
  ir::ValueId Copy(ir::ValueId id, const ir::Value& type);
  void AddInput(const std::string& name, ir::ValueId id, const ir::Value& type, size_t position);
  ir::ValueId AddComplexInput(ir::ValueId id, const ir::Value& type);
  void AddComplexWeight(const ir::Weight& weight, const ir::Value& type);
  // Binds `id`, which has that kind in the program, to the graph's value `made`.
  void Bind(ir::ValueId id, ir::ValueKind kind, ir::ValueId made);
  // Binds the result `id` of an If or Loop, with type `*type`, to the graph's value `made`.
  void BindControlResult(ir::ValueId id, ir::ValueId made, ir::Value* type);
  // Translates values of the program into those of the graph.
  ir::Translation ToOnnx() const;
  // The ONNX value for a value of the program.
  ir::ValueId MadeOf(ir::ValueId id) const { return bindings.ToVal({id}).AsTensor().id; }
  // Lowers a call by the specs, or to a node of the user's choice.
  Vals Lower(const ir::Node& call, Vals args, const ir::StatedTypes* stated, std::string* remark);

  ir::Graph graph;
  size_t own_inputs = 0;  // the program's own inputs; those after them are weights without elements
  Emitter emitter;
  CustomNodes custom;
  Bindings bindings;
  bool contradicted = false;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_LOWERER_STATE_H_
