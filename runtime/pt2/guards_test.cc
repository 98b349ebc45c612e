#include "runtime/pt2/guards.h"

#include <gtest/gtest.h>

namespace onnxport::pt2 {
namespace {

ir::Graph WithInput() {
  ir::Graph graph;
  ir::Value x;
  x.dims = ir::Dims{ir::Dim::Symbol("s0"), ir::Dim::Symbol("s1"), ir::Dim(7)};
  for (const char* name : {"x", "past.0.key", "rest_1", "rest_2.key"}) {
    graph.inputs.push_back({name, {graph.AddValue(x)}});
  }
  return graph;
}

// What a size becomes.
std::string Used(const std::string& guard, const char* size) {
  ir::Graph graph = WithInput();
  std::string error;
  ir::Value value;
  value.dims = ir::Dims{ir::Dim::Parse(size, &error).value_or(ir::Dim())};
  const ir::ValueId id = graph.AddValue(std::move(value));
  UseGuards({guard}, &graph);
  return graph.value(id).dims->front().ToString();
}

TEST(Guards, ASizeThatAGuardKnowsIsANumber) {
  struct Case {
    const char* guard;
    const char* size;
    const char* becomes;
  };
  const Case kCases[] = {
      {"(L['x'].size()[1] // (L['x'].size()[1] // 4)) == 4", "FloorDiv(s1, FloorDiv(s1, 4))", "4"},
      {"((4*L['x'].size()[0]) // L['x'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "4"},
      {"((4*L['x'].size()[0]) // L['x'].size()[1]) == 4", "FloorDiv(4*s1, s0)", "(4*s1)//s0"},
      {"((4*L['x'].size()[0]) // L['x'].size()[1]) != 4", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"((4*L['y'].size()[0]) // L['x'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"((4*L['x'].size()[9]) // L['x'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"((4*L['x'].size()[", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"((4*L['x", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      // As a part of a size.
      {"(L['x'].size()[1] // (L['x'].size()[1] // 4)) == 4", "3*FloorDiv(s1, FloorDiv(s1, 4)) + s0", "s0 + 12"},
      // Multiples.
      {"(L['x'].size()[1] % 4) == 0", "FloorDiv(s1, FloorDiv(s1, 4))", "4"},
      {"(L['x'].size()[1] % 4) == 0", "2*FloorDiv(s1, FloorDiv(s1, 4))", "8"},
      {"(L['x'].size()[1] % 4) == 0", "FloorDiv(s1, 4)", "s1//4"},
      {"(L['x'].size()[1] % 4) == 1", "FloorDiv(s1, FloorDiv(s1, 4))", "s1//(s1//4)"},
      {"(L['x'].size()[1] % 3) == 0", "FloorDiv(s1, FloorDiv(s1, 4))", "s1//(s1//4)"},
      {"(L['x'].size()[0] % 4) == 0", "FloorDiv(s1, FloorDiv(s1, 4))", "s1//(s1//4)"},
      {"(L['x'].size()[0] % 0) == 0", "FloorDiv(s1, FloorDiv(s1, 4))", "s1//(s1//4)"},
      // In containers, and among the rest of forward's arguments.
      {"((4*L['past'][0]['key'].size()[0]) // L['past'][0]['key'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "4"},
      {"((4*L['rest'][1].size()[0]) // L['rest'][2]['key'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "4"},
      {"((4*L['rest'][3].size()[0]) // L['x'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"L['x'].size()[0] == 4", "s0", "s0"},
  };
  for (const Case& c : kCases) {
    std::string error;
    const std::string becomes = ir::Dim::Parse(c.becomes, &error).value_or(ir::Dim()).ToString();
    EXPECT_EQ(Used(c.guard, c.size), becomes) << c.guard << " and " << c.size;
  }
}

TEST(Guards, RemarkNamesWhatNotEverySizeFulfills) {
  EXPECT_EQ(GuardRemark({"L['x'].size()[1] >= 2", "L['x'].size()[0] == L['y'].size()[0]"}), "");
  EXPECT_EQ(GuardRemark({"(L['x'].size()[1] / 2) == 1000.0"}),
            "the file was exported for sizes with `(x.size()[1] / 2) == 1000.0`; for others the model may be wrong");
  EXPECT_EQ(
      GuardRemark({"(L['past'][0]['key'].size()[1] % 2) == 0"}),
      "the file was exported for sizes with `(past.0.key.size()[1] % 2) == 0`; for others the model may be wrong");
}

}  // namespace
}  // namespace onnxport::pt2
