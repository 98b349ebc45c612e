#include "runtime/model/onnx_file/module_tree.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::onnx_file {
namespace {

using testing::ElementsAre;

void AddNode(onnx::GraphProto* graph, const std::string& name, const std::string& input) {
  onnx::NodeProto* node = graph->add_node();
  node->set_name(name);
  node->add_input(input);
}

// "encoder(3)[0 2]{0(2)[1] ...}": nodes with those of modules, its own, its modules.
std::string Text(const ModuleTree& module) {
  std::string text =
      module.name + "(" + std::to_string(module.all_nodes) + "," + std::to_string(module.weight_bytes) + ")[";
  for (const int node : module.nodes) text += std::to_string(node) + " ";
  text += "]";
  for (const ModuleTree& one : module.modules) text += "{" + Text(one) + "}";
  return text;
}

TEST(ModuleTree, FollowsTheNamesOfNodes) {
  onnx::GraphProto graph;
  AddNode(&graph, "/encoder/0/Add", "a");
  AddNode(&graph, "Relu", "b");
  AddNode(&graph, "/head/Gemm", "c");
  AddNode(&graph, "/encoder/1/Mul", "a");
  AddNode(&graph, "/encoder/0/Sub", "d");
  AddNode(&graph, "", "x");
  AddNode(&graph, "/Neg", "x");
  const ModuleTree tree = ModulesOf(
      graph, {{"a", "", 1, ""}, {"b", "", 10, ""}, {"c", "", 100, ""}, {"d", "", 1000, ""}, {"e", "", 5, ""}});
  EXPECT_EQ(Text(tree), "(7,1111)[1 5 6 ]{encoder(3,1001)[]{0(2,1001)[0 4 ]}{1(1,0)[3 ]}}{head(1,100)[2 ]}");
}

TEST(ModuleTree, CountsWhatNestedGraphsRead) {
  onnx::GraphProto graph;
  AddNode(&graph, "/block/If", "c");
  AddNode(graph.mutable_node(0)->add_attribute()->mutable_g(), "inner", "w");
  const ModuleTree tree = ModulesOf(graph, {{"w", "", 8, ""}});
  EXPECT_EQ(Text(tree), "(1,8)[]{block(1,8)[0 ]}");
}

// Whatever a name is, the tree is no deeper than somebody can look at.
TEST(ModuleTree, EndsSomewhere) {
  onnx::GraphProto graph;
  std::string name;
  for (int i = 0; i < 100000; ++i) name += "/a";
  AddNode(&graph, name, "x");
  AddNode(&graph, std::string(100000, '/'), "x");
  const ModuleTree tree = ModulesOf(graph, {});
  int depth = 0;
  for (const ModuleTree* module = &tree; !module->modules.empty(); module = &module->modules.front()) ++depth;
  EXPECT_EQ(depth, 24);
  EXPECT_THAT(tree.nodes, ElementsAre(1));
}

}  // namespace
}  // namespace onnxport::onnx_file
