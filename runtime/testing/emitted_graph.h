// A graph that is being built, for unit tests.
#ifndef ONNXPORT_RUNTIME_TESTING_EMITTED_GRAPH_H_
#define ONNXPORT_RUNTIME_TESTING_EMITTED_GRAPH_H_

#include <string>
#include <string_view>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering {

class TestGraph {
 public:
  explicit TestGraph(int opset, FreeSizes free_sizes = FreeSizes::kAsExported)
      : emitter(&graph, opset, free_sizes), context(&emitter, {}) {}

  // Reads each word as Dim::Parse does: "batch", "4", "2*s0"; "?" is unknown.
  static ir::Dims Dims(std::initializer_list<const char*> words) {
    ir::Dims dims;
    std::string error;
    for (const std::string_view word : words) {
      dims.push_back(word == "?" ? ir::Dim() : ir::Dim::Parse(word, &error).value());
    }
    return dims;
  }

  Val Input(std::string name, DType dtype, std::initializer_list<const char*> dims) {
    const ir::ValueId id = graph.AddValue({.name = std::move(name),
                                           .kind = ir::ValueKind::kTensor,
                                           .dtype = dtype,
                                           .dims = Dims(dims),
                                           .contents = {},
                                           .strides = {}});
    graph.body.inputs.push_back(id);
    graph.inputs.push_back({graph.value(id).name, {id}});
    emitter.sizes().AddInput(id);
    return Tensor{&emitter, id};
  }

  const ir::Value& value(const Val& val) const { return graph.value(val.AsTensor().id); }

  // "float32[batch, 10]"
  std::string Type(const Val& val) const { return val.ToString(); }

  // Lists the operators of the nodes so far, without constants: "Shape Gather If{Neg}{Identity}".
  std::string Ops() const { return OpsOf(graph.body); }
  static std::string OpsOf(const ir::Block& block) {
    std::string ops;
    for (const ir::Node& node : block.nodes) {
      if (node.op == "Constant") continue;
      if (!ops.empty()) ops += ' ';
      ops += node.op;
      for (const ir::Block& inner : node.blocks) ops += "{" + OpsOf(inner) + "}";
    }
    return ops;
  }

  ir::Graph graph;
  Emitter emitter;
  Context context;
};

// Returns the message of the Refusal that `run` throws; "" without one.
template <typename Run>
std::string RefusalOf(const Run& run) {
  try {
    run();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

// Does the same for a refusal with this code. For another code, the text says so.
template <typename Run>
std::string RefusalOf(Code code, const Run& run) {
  std::string other;
  std::string text = RefusalOf([&] {
    try {
      run();
    } catch (const Refusal& refusal) {
      if (refusal.code() != code) other = std::string(Number(refusal.code())) + ", not " + std::string(Number(code));
      throw;
    }
  });
  return other.empty() ? text : other + ": " + text;
}

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_TESTING_EMITTED_GRAPH_H_
