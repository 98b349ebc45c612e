#include "runtime/passes/naming.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/location.h"
#include "runtime/passes/graph_for_tests.h"

namespace onnxport::passes {
namespace {

using ir::ValueId;

ir::Graph TwoLayers() {
  GraphBuilder b;
  ValueId last = b.Input("x", {4});
  const ValueId weight = b.Weight("layer1.0.conv1.weight", {1}, "abcd");
  for (int i = 0; i < 3; ++i) {
    last = b.Node("com.microsoft.Gelu", {last, weight}, "", {4});
    ir::Location location;
    if (i < 2) location.module = std::make_shared<const ir::ModuleCall>("layer1.0.conv1");
    b.graph.body.nodes.back().location = b.graph.AddLocation(location);
  }
  b.Output(last);
  return b.graph;
}

TEST(NamingTest, NamesNodesAfterModules) {
  ir::Graph graph = TwoLayers();
  NameValues(&graph);
  EXPECT_EQ(graph.body.nodes[0].name, "/layer1/0/conv1/Gelu");
  EXPECT_EQ(graph.body.nodes[1].name, "/layer1/0/conv1/Gelu_1");
  EXPECT_EQ(graph.body.nodes[2].name, "/Gelu");
  EXPECT_EQ(graph.value(graph.body.nodes[1].outputs[0]).name, "/layer1/0/conv1/Gelu_1_output_0");
  EXPECT_EQ(graph.value(graph.body.nodes[2].outputs[0]).name, "out0");
  EXPECT_EQ(graph.value(graph.weights[0].value).name, "layer1.0.conv1.weight");
}

TEST(NamingTest, TakesTheUsersNames) {
  ir::Graph graph = TwoLayers();
  NamePorts(&graph, {.input_names = {"picture"}, .output_names = {"/Gelu"}});
  NameValues(&graph);
  EXPECT_EQ(graph.value(graph.body.inputs[0]).name, "picture");
  EXPECT_EQ(graph.value(*graph.body.outputs[0].value()).name, "/Gelu");
  EXPECT_EQ(graph.outputs[0].name, "/Gelu");
  EXPECT_EQ(graph.body.nodes[2].name, "/Gelu_1");
}

TEST(NamingTest, NamesTheFirstOnes) {
  ir::Graph graph = TwoLayers();
  const ir::ValueId mask = graph.AddValue({.name = "mask"});
  graph.inputs.push_back({"mask", {mask}});
  graph.body.inputs.push_back(mask);
  NamePorts(&graph, {.input_names = {"picture"}, .output_names = {}});
  EXPECT_EQ(graph.inputs[0].name, "picture");
  EXPECT_EQ(graph.inputs[1].name, "mask");
  EXPECT_THROW(NamePorts(&graph, {.input_names = {"mask"}, .output_names = {}}), Error);  // two of that name
}

struct BadNames {
  NamingOptions options;
  const char* message;
};

TEST(NamingTest, RefusesBadNames) {
  const BadNames kCases[] = {
      {{.input_names = {"a", "b"}, .output_names = {}}, "--input-names gives 2 names; the model has 1 inputs: x"},
      {{.input_names = {}, .output_names = {"a", "b"}}, "--output-names gives 2"},
      {{.input_names = {""}, .output_names = {}}, "name 1 is empty"},
      {{.input_names = {"\xff"}, .output_names = {}}, "not UTF-8"},
      {{.input_names = {"a\nb"}, .output_names = {}}, "not UTF-8"},
      {{.input_names = {std::string(kLongestName + 1, 'a')}, .output_names = {}}, "longer than"},
      {{.input_names = {"a"}, .output_names = {"a"}}, "`a` is given twice"},
      {{.input_names = {}, .output_names = {"x"}}, "would be named `x`"},
  };
  for (const BadNames& test : kCases) {
    ir::Graph graph = TwoLayers();
    try {
      NamePorts(&graph, test.options);
      FAIL() << test.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(test.message), std::string::npos) << error.what();
    }
  }
}

// Names of few letters, so that many are equal, with bytes that no name may have.
std::string AnyName(std::mt19937* random) {
  static const std::string kPieces[] = {"a",    "_1",       "_output_0",          "/",
                                        ".",    "\n",       std::string(1, '\0'), "\xc3\xa9",
                                        "\xff", "\xe2\x82", std::string(300, 'x')};
  std::string name;
  for (unsigned i = (*random)() % 4; i > 0; --i) name += kPieces[(*random)() % std::size(kPieces)];
  return name;
}

ir::Graph AnyGraph(unsigned seed) {
  std::mt19937 random(seed);
  GraphBuilder b;
  ValueId last = b.Input(AnyName(&random), {4});
  for (int i = 0; i < 20; ++i) b.Weight(AnyName(&random), {1}, "abcd");
  for (int i = 0; i < 100; ++i) {
    last = b.Node("Add", {last, last}, "", {4});
    ir::Location location;
    location.module = std::make_shared<const ir::ModuleCall>(AnyName(&random));
    b.graph.body.nodes.back().location = b.graph.AddLocation(location);
  }
  b.Output(last);
  return b.graph;
}

TEST(NamingTest, AnyNamesBecomeUniqueValidAndStable) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    ir::Graph graph = AnyGraph(seed);
    NameValues(&graph);
    std::set<std::string> names;
    for (const ir::Value& value : graph.values) names.insert(value.name);
    for (const ir::Node& node : graph.body.nodes) names.insert(node.name);
    EXPECT_EQ(names.size(), graph.values.size() + graph.body.nodes.size());
    for (const std::string& name : names) {
      EXPECT_TRUE(IsUtf8(name));
      EXPECT_LE(name.size(), kLongestName + 20);
      EXPECT_EQ(name.find_first_of(std::string("\n\0", 2)), std::string::npos);
    }
    ir::Graph again = AnyGraph(seed);
    NameValues(&again);
    EXPECT_EQ(ToText(again), ToText(graph));
  }
}

}  // namespace
}  // namespace onnxport::passes
