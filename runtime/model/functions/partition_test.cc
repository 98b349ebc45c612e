#include "runtime/model/functions/partition.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace onnxport::functions {
namespace {

// "A(0 2) 1 A(3)"
std::string TextOf(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    std::string nodes;
    for (const size_t node : part.nodes) nodes += (nodes.empty() ? "" : " ") + std::to_string(node);
    if (part.module != kNoModule) nodes = std::string(1, static_cast<char>('A' + part.module)) + "(" + nodes + ")";
    text += (text.empty() ? "" : " ") + nodes;
  }
  return text;
}

struct Case {
  const char* name;
  std::string modules;  // of each node: '.' none
  std::vector<std::vector<size_t>> needs;
  std::string parts;
};

class PartitionTest : public testing::TestWithParam<Case> {};

TEST_P(PartitionTest, GivesParts) {
  std::vector<int> modules;
  for (const char module : GetParam().modules) modules.push_back(module == '.' ? kNoModule : module - 'A');
  EXPECT_EQ(TextOf(Partition(modules, GetParam().needs)), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(, PartitionTest,
                         testing::Values(Case{"Nothing", "", {}, ""}, Case{"NoModules", "...", {{}, {0}, {0}}, "0 1 2"},
                                         Case{"OneAfterTheOther", "AABB", {{}, {0}, {1}, {2}}, "A(0 1) B(2 3)"},
                                         Case{"Interleaved", "ABAB", {{}, {}, {0}, {1}}, "A(0 2) B(1 3)"},
                                         // Node 1 uses nothing of A: before it.
                                         Case{"NeededInTheMiddle", "A.A", {{}, {}, {0, 1}}, "1 A(0 2)"},
                                         Case{"ChainNeededInTheMiddle", "A..A", {{}, {}, {1}, {0, 2}}, "1 2 A(0 3)"},
                                         // Node 1 uses A, but A does not use it: after it.
                                         Case{"UsesTheMiddle", "A.A", {{}, {0}, {0}}, "A(0 2) 1"},
                                         Case{"OutsideBetween", "A.A", {{}, {0}, {1}}, "A(0) 1 A(2)"},
                                         Case{
                                             "OutsideBetweenFar", "A..AA", {{}, {0}, {1}, {0}, {2}}, "A(0 3) 1 2 A(4)"},
                                         Case{"ModuleBetween", "ABA", {{}, {0}, {1}}, "A(0) B(1) A(2)"},
                                         Case{"EachBetweenTheOther", "ABAB", {{}, {}, {1}, {0}}, "A(0) B(1 3) A(2)"},
                                         Case{"StaysBehind", "AA.BB", {{}, {0}, {}, {1}, {3}}, "A(0 1) 2 B(3 4)"}),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

// Every node once, a module's nodes only together with their own, and nothing before what it needs.
TEST(Partition, KeepsTheOrder) {
  std::mt19937 random(7);
  const auto draw = [&](int below) { return std::uniform_int_distribution(0, below - 1)(random); };
  size_t joined = 0;
  for (int round = 0; round < 3000; ++round) {
    const int count = 1 + draw(12);
    std::vector<int> modules;
    std::vector<std::vector<size_t>> needs(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
      modules.push_back(draw(4) - 1);
      for (int uses = draw(3); uses > 0 && i > 0; --uses) needs[static_cast<size_t>(i)].push_back(draw(i));
    }
    const std::vector<Part> parts = Partition(modules, needs);
    std::vector<size_t> part_of(modules.size(), parts.size());
    for (size_t p = 0; p < parts.size(); ++p) {
      joined += parts[p].nodes.size() - 1;
      for (const size_t node : parts[p].nodes) {
        ASSERT_EQ(part_of[node], parts.size()) << TextOf(parts);
        ASSERT_EQ(parts[p].module, modules[node]);
        part_of[node] = p;
        for (const size_t made : needs[node]) ASSERT_LE(part_of[made], p) << TextOf(parts);
      }
    }
    for (const size_t p : part_of) ASSERT_LT(p, parts.size());
  }
  EXPECT_GT(joined, 3000U);
}

}  // namespace
}  // namespace onnxport::functions
