// Random graphs give the same numbers before and after the passes, and with functions of random modules: in ONNX
// Runtime, NaN, infinities and the signs of zeros included. A norm that is folded into a convolution, an operator that
// stands for many, and a cosine that is computed while exporting round otherwise and get finite numbers only.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/location.h"
#include "runtime/model/functions/make_functions.h"
#include "runtime/model/passes/passes.h"
#include "runtime/model/serializer/serializer.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/protocol.h"
#include "tests/ort/client.h"
#include "tests/passes/random_graph.h"

namespace onnxport::tests {
namespace {

constexpr unsigned kGraphs = 400;

size_t CountNodes(const ir::Graph& graph) { return graph.body.nodes.size(); }

int64_t CountBytes(const ir::Graph& graph) {
  int64_t bytes = 0;
  for (const ir::Weight& weight : graph.weights) {
    if (!weight.name.starts_with('w')) continue;  // a constant
    weight.data->bytes->Stream([&](std::span<const std::byte> piece) { bytes += static_cast<int64_t>(piece.size()); });
  }
  return bytes;
}

ort::Response RunOnce(const ir::Graph& graph, const ort::Tensor& input,
                      std::span<const functions::Function> functions = {}) {
  ort::Request request;
  serializer::Stream(graph,
                     [&](std::span<const std::byte> piece) {
                       request.model_bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                     },
                     {.functions = functions});
  request.inputs = {input};
  return ort::ClientFor(graph.opset).Run(request);
}

ort::Tensor InputOf(const ir::Graph& graph, bool special, Random* random) {
  ort::Tensor input{.name = "x", .dtype = ir::DType::kFloat32, .shape = {}, .bytes = {}};
  int64_t count = 1;
  for (const ir::Dim& dim : *graph.value(graph.body.inputs[0]).dims) {
    input.shape.push_back(dim.number());
    count *= dim.number();
  }
  input.bytes = RandomFloats(count, special, random);
  return input;
}

TEST(PassesTest, KeepTheNumbers) {
  size_t nodes = 0;
  size_t fewer = 0;
  std::set<std::string> seen;  // operators, some of which only passes make
  for (unsigned seed = 0; seed < kGraphs; ++seed) {
    Random random(seed);
    const RandomGraph made = MakeRandomGraph(seed);
    const ort::Tensor input = InputOf(made.graph, !made.rounds, &random);
    ir::Graph before = made.graph;
    ir::Graph after = made.graph;
    passes::Run(&before, {.disabled = passes::PassNames()});
    passes::Run(&after);
    nodes += CountNodes(before);
    fewer += CountNodes(before) - CountNodes(after);
    for (const ir::Node& node : after.body.nodes) seen.insert(node.op);
    ASSERT_LE(CountBytes(after), CountBytes(made.graph)) << seed;
    const ort::Response expected = RunOnce(before, input);
    const ort::Response actual = RunOnce(after, input);
    ASSERT_EQ(expected.error, "") << seed << "\n" << ToText(before);
    ASSERT_EQ(actual.error, "") << seed << "\n" << ToText(after);
    ASSERT_EQ(actual.outputs.size(), expected.outputs.size());
    const double rounding = made.rounds ? 2e-5 : 1e-6;
    const ort::Tolerance tolerance = {.relative = rounding, .absolute = rounding, .zero_sign = !made.rounds};
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
      ASSERT_EQ(ort::Difference(actual.outputs[i], expected.outputs[i], tolerance), "") << "seed " << seed << "\n"
                                                                                        << ToText(before) << "\n"
                                                                                        << ToText(after);
    }
  }
  EXPECT_GT(fewer, nodes / 10);  // else the passes had nothing to do
  for (const char* op : {"DepthToSpace", "Gelu", "LayerNormalization", "RMSNormalization"})
    EXPECT_TRUE(seen.contains(op)) << op;
}

// Each node is in a random module, rather in that of the node before.
void PutIntoModules(ir::Graph* graph, Random* random) {
  std::vector<ir::LocationId> places = {ir::LocationId::kNone};
  for (const char* outer : {"a", "b"}) {
    const auto call = std::make_shared<const ir::ModuleCall>(outer, "test.Net");
    places.push_back(graph->AddLocation({.module = call}));
    for (const int number : {0, 1}) {
      const auto inner = std::make_shared<const ir::ModuleCall>(std::string(outer) + ".in", "test.Part", call, number);
      places.push_back(graph->AddLocation({.module = inner}));
    }
  }
  ir::LocationId place = ir::LocationId::kNone;
  for (ir::Node& node : graph->body.nodes) {
    if (Draw(0, 2, random) == 0) place = places[static_cast<size_t>(Draw(0, 6, random))];
    node.location = place;
  }
}

TEST(FunctionsTest, KeepTheNumbers) {
  constexpr int kFirstOpset = 15;
  size_t functions = 0;
  size_t calls = 0;
  for (unsigned seed = 0; seed < kGraphs; ++seed) {
    Random random(seed);
    ir::Graph graph = MakeRandomGraph(seed).graph;
    if (graph.opset < kFirstOpset) continue;
    PutIntoModules(&graph, &random);
    const ort::Tensor input = InputOf(graph, false, &random);
    passes::Run(&graph);
    const functions::ModularGraph model = functions::MakeFunctions(graph, {.classes = {"Net", "Part"}});
    functions += model.functions.size();
    for (const functions::Function& function : model.functions) calls += function.paths.size();
    const ort::Response expected = RunOnce(graph, input);
    const ort::Response actual = RunOnce(model.graph, input, model.functions);
    ASSERT_EQ(expected.error, "") << seed << "\n" << ToText(graph);
    ASSERT_EQ(actual.error, "") << seed << "\n" << ToText(graph) << "\n" << ToText(model.graph);
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
      ASSERT_EQ(ort::Difference(actual.outputs[i], expected.outputs[i], {.relative = 1e-5, .absolute = 1e-5}), "")
          << seed << "\n"
          << ToText(graph) << "\n"
          << ToText(model.graph);
    }
  }
  EXPECT_GT(functions, kGraphs);
  EXPECT_GT(calls, functions);  // some are shared
}

}  // namespace
}  // namespace onnxport::tests
