#include "runtime/model/serializer/invariants.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/base/error.h"
#include "runtime/testing/sum_graph.h"

namespace onnxport::serializer::invariants_test {
namespace {

struct BrokenCase {
  const char* message;
  std::function<void(ir::Graph*)> breakage;
};

TEST(InvariantsTest, HoldForAGoodGraph) { CheckInvariants(SumGraph(18, {4, 4})); }

TEST(InvariantsTest, FindEachMistake) {
  const BrokenCase kCases[] = {
      {"has no name", [](ir::Graph* g) { g->values[0].name = ""; }},
      {"the name `x` is used twice", [](ir::Graph* g) { g->value(g->weights[0].value).name = "x"; }},
      {"is defined again", [](ir::Graph* g) { g->body.nodes[1].outputs = g->body.nodes[0].outputs; }},
      {"before it is defined", [](ir::Graph* g) { std::swap(g->body.nodes[0], g->body.nodes[1]); }},
      {"before it is defined", [](ir::Graph* g) { g->weights.clear(); }},
      {"node name", [](ir::Graph* g) { g->body.nodes[1].name = g->body.nodes[0].name; }},
      {"node name", [](ir::Graph* g) { g->body.nodes[1].name = ""; }},
      {"no tensor of a known type", [](ir::Graph* g) { g->values[0].dtype = ir::DType::kUndefined; }},
      {"no tensor of a known type", [](ir::Graph* g) { g->values[0].kind = ir::ValueKind::kInt; }},
      {"negative dimension", [](ir::Graph* g) { g->values[0].dims = ir::Dims{ir::Dim(-1)}; }},
      {"listed twice", [](ir::Graph* g) { g->body.outputs.push_back(g->body.outputs[0]); }},
      {"no value of the graph", [](ir::Graph* g) { g->body.outputs[0] = {int64_t{1}}; }},
      {"no value of the graph", [](ir::Graph* g) { g->body.nodes[0].inputs[0] = {1.0}; }},
      {"names value 99", [](ir::Graph* g) { g->body.nodes[0].inputs[0] = {static_cast<ir::ValueId>(99)}; }},
      {"subgraphs", [](ir::Graph* g) { g->body.nodes[0].blocks.emplace_back(); }},
  };
  for (const BrokenCase& test : kCases) {
    ir::Graph graph = SumGraph(18, {4, 4});
    test.breakage(&graph);
    try {
      CheckInvariants(graph);
      FAIL() << test.message;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(test.message), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("internal error"), 0u);
    }
  }
}

}  // namespace
}  // namespace onnxport::serializer::invariants_test
