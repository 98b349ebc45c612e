#include "runtime/model/passes/graph/rewrite.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace onnxport::passes::rewrite_test {
namespace {

ir::Node Named(const std::string& op) {
  ir::Node node;
  node.op = op;
  return node;
}

// In front of each node, and behind the last one, in the order in which they were given.
TEST(Insertions, AreAllThere) {
  ir::Block block;
  block.nodes.push_back(Named("A"));
  block.nodes.push_back(Named("B"));
  Insertions insertions;
  insertions.Before(2, Named("AtTheEnd"));
  insertions.Before(1, Named("BeforeB"));
  insertions.Before(0, Named("BeforeA"));
  insertions.Before(2, Named("Behind"));
  EXPECT_TRUE(insertions.Into(&block));
  std::string all;
  for (const ir::Node& node : block.nodes) all += node.op.text() + " ";
  EXPECT_EQ(all, "BeforeA A BeforeB B AtTheEnd Behind ");
  EXPECT_FALSE(Insertions().Into(&block));
  EXPECT_EQ(block.nodes.size(), 6u);
}

}  // namespace
}  // namespace onnxport::passes::rewrite_test
