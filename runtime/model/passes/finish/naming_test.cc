#include "runtime/model/passes/finish/naming.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/location.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::naming_test {
namespace {

ir::Value Named(const char* name) {
  ir::Value value;
  value.name = name;
  return value;
}

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
  EXPECT_EQ(graph.body.nodes[0].name.text(), "/layer1/0/conv1/Gelu");
  EXPECT_EQ(graph.body.nodes[1].name.text(), "/layer1/0/conv1/Gelu_1");
  EXPECT_EQ(graph.body.nodes[2].name.text(), "/Gelu");
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
  EXPECT_EQ(graph.body.nodes[2].name.text(), "/Gelu_1");
}

TEST(NamingTest, NamesTheFirstOnes) {
  ir::Graph graph = TwoLayers();
  const ir::ValueId mask = graph.AddValue(Named("mask"));
  graph.inputs.push_back({"mask", {mask}});
  graph.body.inputs.push_back(mask);
  NamePorts(&graph, {.input_names = {"picture"}, .output_names = {}});
  EXPECT_EQ(graph.inputs[0].name, "picture");
  EXPECT_EQ(graph.inputs[1].name, "mask");
  EXPECT_THROW(NamePorts(&graph, {.input_names = {"mask"}, .output_names = {}}), Error);  // two of that name
}

// The weights a, b, c, which the program lists as c, a and b; a constant; and an input that is a weight without
// elements.
ir::Graph FourWeights() {
  ir::Graph graph = TwoLayers();
  for (const char* name : {"a", "b", "c", "constant"}) {
    graph.weights.push_back({.value = graph.AddValue({}), .name = name, .data = nullptr});
  }
  graph.weights.back().constant = true;
  graph.inputs.push_back({"absent", {graph.AddValue({})}});
  return graph;
}

const std::vector<std::string> kState = {"c", "not used", "a", "x", "absent", "b", "constant"};

std::string WeightNames(const ir::Graph& graph) {
  std::string names;
  for (const ir::Weight& weight : graph.weights) names += weight.name + " ";
  for (const ir::Port& port : graph.inputs) names += port.name + " ";
  return names;
}

TEST(NamingTest, NamesWeightsInTheProgramsOrder) {
  const struct {
    std::vector<std::string> names;
    const char* expected;  // after the weight of TwoLayers
  } kCases[] = {
      {{}, "a b c constant x absent "},
      {{"w"}, "a b w constant x absent "},
      {{"u", "v", "w"}, "v b u constant x w "},
      {{"p_9", "..."}, "p_10 p_12 p_9 constant x p_11 "},
      {{"first", "p_00", "..."}, "p_00 p_02 first constant x p_01 "},
  };
  for (const auto& test : kCases) {
    ir::Graph graph = FourWeights();
    const NamingOptions options = {.parameter_names = test.names, .state = kState, .first_weight_input = 1};
    NamePorts(&graph, options);
    EXPECT_EQ(WeightNames(graph), std::string("layer1.0.conv1.weight ") + test.expected);
  }
}

TEST(NamingTest, RefusesBadNamesOfWeights) {
  const struct {
    std::vector<std::string> names;
    const char* message;
  } kCases[] = {
      {{"1", "2", "3", "4", "5"},
       "ExportOptions::parameter_names gives 5 names; the model has 4 parameters and buffers: c, a, "},
      {{"w", "w"}, "`w` is given twice"},
      {{""}, "name 1 is empty"},
      {{"w", "..."}, "counts on from a name that ends with a number"},
      {{"..."}, "counts on from a name that ends with a number"},
      {{"w_1234567890", "..."}, "counts on from a name that ends with a number"},
      {{"x"}, "something else would be named `x`"},
      {{"out0"}, "something else would be named `out0`"},
      {{"b"}, "something else would be named `b`"},
      {{"constant"}, "something else would be named `constant`"},
      {{"p_1", "p_0", "..."}, "something else would be named `p_1`"},
  };
  for (const auto& test : kCases) {
    ir::Graph graph = FourWeights();
    try {
      NamePorts(&graph, {.parameter_names = test.names, .state = kState, .first_weight_input = 1});
      ADD_FAILURE() << test.message;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(test.message), std::string::npos) << error.what();
    }
  }
}

struct BadNames {
  NamingOptions options;
  const char* message;
};

TEST(NamingTest, RefusesBadNames) {
  const BadNames kCases[] = {
      {{.input_names = {"a", "b"}, .output_names = {}},
       "ExportOptions::input_names gives 2 names; the model has 1 inputs: x"},
      {{.input_names = {}, .output_names = {"a", "b"}}, "ExportOptions::output_names gives 2"},
      {{.input_names = {""}, .output_names = {}}, "name 1 is empty"},
      {{.input_names = {"\xff"}, .output_names = {}}, "not UTF-8"},
      {{.input_names = {"a\xc2\x9b"}, .output_names = {}}, "control and bidi"},
      {{.input_names = {"a\xe2\x81\xa6"}, .output_names = {}}, "control and bidi"},
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
  static const std::string kPieces[] = {"a",
                                        "_1",
                                        "_output_0",
                                        "/",
                                        ".",
                                        "\n",
                                        std::string(1, '\0'),
                                        "\xc3\xa9",
                                        "\xff",
                                        "\xe2\x82",
                                        "\xc2\x9b",
                                        "\xe2\x80\xae",
                                        std::string(300, 'x')};
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
      EXPECT_EQ(VisibleLine(name), name);
    }
    ir::Graph again = AnyGraph(seed);
    NameValues(&again);
    EXPECT_EQ(ToText(again), ToText(graph));
  }
}

}  // namespace
}  // namespace onnxport::passes::naming_test
