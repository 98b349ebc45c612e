#include "runtime/sources/pt2/guards.h"

#include <gtest/gtest.h>

#include "runtime/testing/error_of.h"

namespace onnxport::pt2::guards_test {
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

// The warning for the user; empty if there is none.
std::string Told(const std::vector<std::string>& guards, const ir::Graph& graph,
                 const std::vector<inputs::FreedAxis>& freed = {}) {
  const auto warning = GuardWarning(guards, graph, freed);
  if (!warning) return "";
  EXPECT_EQ(Number(warning->code), "W0600");
  return warning->text;
}

// The text of a size after the guard was used.
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
      // In `**kwargs`, but not in an argument that has inputs of its own.
      {"((4*L['kwargs']['x'].size()[0]) // L['kwargs']['past'][0]['key'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "4"},
      {"((4*L['past']['x'].size()[0]) // L['x'].size()[1]) == 4", "FloorDiv(4*s0, s1)", "(4*s0)//s1"},
      {"L['x'].size()[0] == 4", "s0", "s0"},
  };
  for (const Case& c : kCases) {
    std::string error;
    const std::string becomes = ir::Dim::Parse(c.becomes, &error).value_or(ir::Dim()).ToString();
    EXPECT_EQ(Used(c.guard, c.size), becomes) << c.guard << " and " << c.size;
  }
}

TEST(Guards, WarningNamesWhatNotEverySizeFulfills) {
  ir::Graph graph = WithInput();
  graph.ranges = {{"s0", {4, 64}}, {"s1", {2, {}}}};
  const struct {
    const char* guard;
    const char* told;  // "": goes without saying
  } kCases[] = {
      {"L['x'].size()[1] >= 2", ""},
      {"L['x'].size()[0] == L['past'][0]['key'].size()[0]", ""},
      {"L['x'].size()[0] == L['kwargs']['past'][0]['key'].size()[0]", ""},
      {"(1 + (((-1) + L['x'].size()[1]) // 32)) != 1", ""},
      {"1 < 96*(L['x'].size()[1] // 4)", ""},
      {"(torch.sym_max(1, L['x'].size()[1] // 4)*L['x'].size()[0]) != 1", ""},
      {"1 + (((-1) + L['x'].size()[1]) // 8) < (1 + (((-1) + L['x'].size()[1]) // 8))*(1 + (L['x'].size()[0] // 8))",
       ""},
      {"L['x'].size()[0] >= 4", ""},  // its range
      {"L['x'].size()[0] <= 64", ""},
      {"L['x'].size()[0] == 7 or L['x'].size()[1] == L['x'].size()[1]", ""},
      {"L['x'].size()[0] >= 4 or L['x'].size()[0] == 7", ""},
      {"L['x'].size()[0] == 7 or L['x'].size()[1] == 9", "s0 == 7 or s1 == 9"},
      {"(L['x'].size()[1] // 2) >= 1 and L['x'].size()[0] >= 4", ""},
      {"L['x'].size()[0] >= 4 and L['x'].size()[1] == 9", "s0 >= 4 and s1 == 9"},
      {"L['x'].size()[0] >= 4 and L['x'].size()[1] == 9 or L['x'].size()[0] == 7", "s0 >= 4 and s1 == 9 or s0 == 7"},
      {"(L['x'].size()[0] == 7 or L['x'].size()[0] >= 4) and L['x'].size()[1] == 9",
       "(s0 == 7 or s0 >= 4) and s1 == 9"},
      {"L['x'].size()[1] > 2", "s1 > 2"},
      {"L['x'].size()[1] != 5", "s1 != 5"},
      {"L['x'].size()[0] <= 63", "s0 <= 63"},
      {"(L['x'].size()[1] // 4) >= 3", "(s1//4) >= 3"},
      {"(L['x'].size()[1] / 2) == 1000.0", "(s1 / 2) == 1000.0"},
      {"(2 + 2*(((-1) + L['x'].size()[1]) // 2)) == L['x'].size()[1]", "2*((s1 + 1)//2) == s1"},
      {"(L['past'][0]['key'].size()[1] % 2) == 0", "Mod(s1, 2) == 0"},
  };
  for (const auto& [guard, told] : kCases) {
    const std::string warning = Told({guard}, graph);
    if (*told == 0) {
      EXPECT_EQ(warning, "") << guard;
    } else {
      EXPECT_EQ(warning, "torch.export made this program for sizes with " + std::string(told) +
                             "; for others the model may be wrong")
          << guard;
    }
  }
}

TEST(Guards, ASizeThatWasFreedIsToldElsewhere) {
  const ir::Graph graph = WithInput();
  const std::vector<inputs::FreedAxis> freed = {{.symbol = "s1", .size = 5, .where = "axis 1 of input 'x'"}};
  EXPECT_EQ(Told({"L['x'].size()[1] == 5"}, graph, freed), "");
  for (const char* guard : {"L['x'].size()[1] == 6", "L['x'].size()[0] == 5", "L['x'].size()[1] > 5"}) {
    EXPECT_NE(Told({guard}, graph, freed), "") << guard;
  }
}

TEST(Guards, WarningTellsThreeAndInFurtherLinesAll) {
  const ir::Graph graph = WithInput();
  const std::string warning = Told({"L['x'].size()[1] > 7", "L['x'].size()[0] != 12", "L['x'].size()[1] > 7",
                                    "L['x'].size()[0] > 9", "(L['x'].size()[0] % 7) != 3"},
                                   graph);
  EXPECT_EQ(warning,
            "torch.export made this program for sizes with s0 > 9, s1 > 7, s0 != 12 and 1 more condition; for others "
            "the model may be wrong\n  s0 > 9\n  s1 > 7\n  s0 != 12\n  Mod(s0, 7) != 3");
  const std::string ors(60, ' ');
  EXPECT_EQ(
      Told({"L['x'].size()[1] == 7 or" + ors + "L['x'].size()[0] == 9 or" + ors + "False"}, graph),
      "torch.export made this program for sizes with 1 long condition; for others the model may be wrong\n  s1 == 7 "
      "or" +
          ors + "s0 == 9 or" + ors + "False");
}

std::vector<NarrowedAxis> Narrowed(const std::string& guard, ir::Range range) {
  ir::Graph graph = WithInput();
  graph.ranges = {{"s0", range}, {"s1", {2, {}}}};
  return NarrowedAxes({guard}, graph);
}

TEST(Guards, ARangeIsNarrowedWhereAGuardMakesIt) {
  const struct {
    const char* guard;
    ir::Range range;
    bool low;
    bool high;
  } kCases[] = {
      {"L['x'].size()[0] <= 4", {2, 4}, false, true},
      {"L['x'].size()[0] < 5", {2, 4}, false, true},
      {"2*L['x'].size()[0] <= 9", {0, 4}, false, true},
      {"4 >= L['x'].size()[0]", {2, 4}, false, true},
      {"L['x'].size()[0] <= 4", {2, 3}, false, false},  // the range was asked for
      {"L['x'].size()[0] >= 3", {3, 64}, true, false},
      {"L['x'].size()[0] != 2", {3, {}}, true, false},
      {"L['x'].size()[0] >= 2", {2, 64}, false, false},  // a size of 0 or 1 is another program's
      {"L['x'].size()[1] <= 4", {2, 4}, false, false},   // of another axis
      {"L['x'].size()[0] <= L['x'].size()[1]", {2, 4}, false, false},
      {"L['x'].size()[0] <= 4 or L['x'].size()[0] == 9", {2, 4}, false, false},
      {"(L['x'].size()[0] % 2) == 0", {2, {}}, false, false},
      {"L['y'].size()[0] <= 4", {2, 4}, false, false},
  };
  for (const auto& c : kCases) {
    const std::vector<NarrowedAxis> found = Narrowed(c.guard, c.range);
    ASSERT_EQ(found.size(), c.low || c.high ? 1U : 0U) << c.guard;
    if (found.empty()) continue;
    EXPECT_EQ(found[0].low, c.low) << c.guard;
    EXPECT_EQ(found[0].high, c.high) << c.guard;
    EXPECT_EQ(found[0].input, "x");
    EXPECT_EQ(found[0].axis, 0U);
  }
}

TEST(Guards, ALeastSizeThatAnOperatorNeedsIsNotNarrowed) {
  for (const auto& [op, narrowed] : {std::pair("aten::relu", false), std::pair("aten::alias", true)}) {
    ir::Graph graph = WithInput();
    graph.ranges = {{"s0", {7, {}}}};
    ir::Value result;
    result.dims = ir::Dims{ir::Dim::Symbol("s0") - ir::Dim(6)};
    const ir::ValueId made = graph.AddValue(std::move(result));
    ir::Node node;
    node.op = op;
    node.inputs = {graph.inputs[0].value};
    node.outputs = {made};
    graph.body.nodes.push_back(std::move(node));
    EXPECT_EQ(!NarrowedAxes({"L['x'].size()[0] >= 7"}, graph).empty(), narrowed) << op;
  }
}

TEST(Guards, ANameIsAPromiseAndARangeIsAnAnswer) {
  ir::Graph graph = WithInput();
  graph.ranges = {{"s0", {2, 4}}};
  const std::vector<NarrowedAxis> narrowed = NarrowedAxes({"L['x'].size()[0] <= 4"}, graph);
  const auto unasked = [&](const std::string& input) {
    return UnaskedAxes(narrowed, {inputs::ParseInput(input)}, graph).size();
  };
  EXPECT_EQ(UnaskedAxes(narrowed, {}, graph).size(), 1U);
  for (const char* input : {"x=f32", "x=f32[?,?,7]", "x=f32[s0,?,7]", "x=f32[?,b,7]", "y=f32[b]"}) {
    EXPECT_EQ(unasked(input), 1U) << input;
  }
  for (const char* input : {"x=f32[b=2..4,?,7]", "x=f32[b=..4,?,7]", "x=f32[3,?,7]", "rest_1=f32[b=..3,?,7]"}) {
    EXPECT_EQ(unasked(input), 0U) << input;
  }
  for (const char* input : {"x=f32[b,?,7]", "x=f32[b=2..,?,7]", "rest_1=f32[b,?,7]"}) {
    EXPECT_EQ(ErrorOf(Code::kAxisIsNarrowed, [&] { unasked(input); }),
              "axis 0 of input 'x' is 2..4 in the program, as torch.export followed the code for the sizes of the "
              "example, and 'b' promises all sizes; write 'b=2..4' if that is the range, or write the branch with "
              "torch.cond")
        << input;
  }
  EXPECT_EQ(NarrowedWarning(narrowed[0]).text,
            "axis 0 of input 'x' is 2..4 in the program, as torch.export followed the code for the sizes of the "
            "example; for others the model may be wrong");
}

}  // namespace
}  // namespace onnxport::pt2::guards_test
