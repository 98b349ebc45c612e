#include "runtime/sources/pt2/replay/call_queue.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace onnxport::pt2::call_queue_test {
namespace {

using ir::ValueId;

// Calls that give these values; of the second one, what is made in its block.
ir::Graph Program(const std::vector<std::vector<int>>& results, const std::vector<int>& in_block = {}) {
  ir::Graph program;
  for (int i = 0; i < 6; ++i) {
    ir::Value value;
    value.name = std::to_string(i);
    program.AddValue(std::move(value));
  }
  for (const std::vector<int>& made : results) {
    ir::Node& call = program.body.nodes.emplace_back();
    for (const int id : made) call.outputs.push_back(ValueId{id});
  }
  if (in_block.empty()) return program;
  ir::Block& block = program.body.nodes[1].blocks.emplace_back();
  block.inputs.push_back(ValueId{in_block[0]});
  for (size_t i = 1; i < in_block.size(); ++i) block.nodes.emplace_back().outputs.push_back(ValueId{in_block[i]});
  return program;
}

TEST(CallQueue, KeepsWhatCallsToComeGive) {
  const std::vector<std::vector<int>> kResults[] = {
      {{2}, {3}, {4, -1}},
      {{4}, {3}, {2}},  // ids in no order
      {{5}, {-1}, {3}},
  };
  for (const auto& results : kResults) {
    ir::Graph program = Program(results);
    CallQueue queue(&program);
    EXPECT_TRUE(program.body.nodes.empty());
    EXPECT_EQ(queue.calls().size(), 3);
    for (size_t next = 0; next <= 3; ++next) {
      for (size_t call = next; call < 3; ++call) {
        EXPECT_EQ(queue.calls()[call - next]->outputs[0], ValueId{results[call][0]});
        for (const int id : results[call]) {
          if (id >= 0) {
            EXPECT_EQ(queue.value(ValueId{id}).name, std::to_string(id));
          }
        }
      }
      EXPECT_EQ(queue.values(), 6);
      if (next < 3) queue.Drop(1);
    }
    EXPECT_TRUE(queue.calls().empty());
  }
}

TEST(CallQueue, KeepsWhatBlocksGive) {
  ir::Graph program = Program({{4}, {5}, {3}}, {1, 2});
  CallQueue queue(&program);
  queue.Drop(1);
  EXPECT_EQ(queue.value(ValueId{1}).name, "1");
  EXPECT_EQ(queue.value(ValueId{2}).name, "2");
  queue.Drop(1);
  EXPECT_EQ(queue.value(ValueId{3}).name, "3");
}

}  // namespace
}  // namespace onnxport::pt2::call_queue_test
