#include "runtime/model/passes/simplify/merge_reshapes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::merge_reshapes_test {
namespace {

using ir::Dims;
using ir::ValueId;
using Ints = std::vector<int64_t>;

// A node that only reshapes.
struct View {
  std::string op;
  Ints numbers;  // the axes or the shape; of Flatten, and of Squeeze of all, none
  Dims result;
};

ValueId Add(GraphBuilder* b, const View& view, ValueId x, const std::string& name) {
  const bool in_attribute = b->graph.opset < 13 && view.op != "Reshape";
  if (view.numbers.empty()) return b->Node(view.op, {x}, name, view.result);
  if (in_attribute)
    return b->Node(view.op, {x}, name, view.result, ir::DType::kFloat32, {{"axes", IntList(view.numbers)}});
  const ValueId numbers = b->Ints(name + "_numbers", view.numbers);
  b->graph.value(numbers).contents.emplace(view.numbers.begin(), view.numbers.end());
  return b->Node(view.op, {x, numbers}, name, view.result);
}

// The last node, the numbers of its second input in braces; empty when the pass changes nothing.
std::string Merged(const Dims& input, const View& first, const View& second, bool used_twice, int opset) {
  GraphBuilder b(opset);
  for (const char* symbol : {"n", "h"}) b.graph.ranges[symbol] = {.min = 1, .max = std::nullopt};
  const ValueId between = Add(&b, first, b.Input("x", input), "between");
  b.Output(Add(&b, second, between, "y"));
  if (used_twice) b.Output(between);
  const bool changed = MergeReshapes(&b.graph);
  EXPECT_FALSE(MergeReshapes(&b.graph));
  if (!changed) return "";
  const ir::Node& last = b.graph.body.nodes.back();
  std::string text = last.op.text() + "(" + b.graph.value(*last.inputs[0].value()).name;
  if (last.inputs.size() > 1) {
    for (const ir::Dim& dim : *b.graph.value(*last.inputs[1].value()).contents) text += " " + dim.ToString();
  }
  for (const ir::Attribute& attribute : last.attributes) {
    for (const ir::Arg& axis : *attribute.value.list()) text += " " + std::to_string(std::get<int64_t>(axis.v));
  }
  return text + ")";
}

struct Case {
  const char* what;
  Dims input;
  View first;
  View second;
  const char* merged;
  bool used_twice = false;
  int opset = 18;
};

TEST(MergeReshapesTest, MakesOneNodeOfTwo) {
  const ir::Dim n = Sym("n");
  const ir::Dim h = Sym("h");
  const ir::Dim z = Sym("z");  // may be 0
  const View unknown_axes = {"Unsqueeze", {}, {2, 1, h}};
  const Case cases[] = {
      {"a mask", {n, h}, {"Unsqueeze", {1}, {n, 1, h}}, {"Unsqueeze", {2}, {n, 1, 1, h}}, "Unsqueeze(x 1 2)"},
      {"in front", {n, h}, {"Unsqueeze", {1}, {n, 1, h}}, {"Unsqueeze", {0}, {1, n, 1, h}}, "Unsqueeze(x 0 2)"},
      {"behind", {n, h}, {"Unsqueeze", {0}, {1, n, h}}, {"Unsqueeze", {2}, {1, n, 1, h}}, "Unsqueeze(x 0 2)"},
      {"at one place", {n, h}, {"Unsqueeze", {1}, {n, 1, h}}, {"Unsqueeze", {1}, {n, 1, 1, h}}, "Unsqueeze(x 1 2)"},
      {"from the end", {n, h}, {"Unsqueeze", {-1}, {n, h, 1}}, {"Unsqueeze", {-2}, {n, h, 1, 1}}, "Unsqueeze(x 2 3)"},
      {"two and one",
       {n, h},
       {"Unsqueeze", {0, 3}, {1, n, h, 1}},
       {"Unsqueeze", {2}, {1, n, 1, h, 1}},
       "Unsqueeze(x 0 2 4)"},
      {"used twice", {n, h}, {"Unsqueeze", {1}, {n, 1, h}}, {"Unsqueeze", {2}, {n, 1, 1, h}}, "Unsqueeze(x 1 2)", true},
      {"axes as attributes",
       {n, h},
       {"Unsqueeze", {1}, {n, 1, h}},
       {"Unsqueeze", {-2}, {n, 1, 1, h}},
       "Unsqueeze(x 1 2)",
       false,
       11},
      {"axes decided at run time", {2, h}, unknown_axes, {"Unsqueeze", {0}, {1, 2, 1, h}}, "Reshape(x 1 2 1 -1)"},
      {"these, used twice", {2, h}, unknown_axes, {"Unsqueeze", {0}, {1, 2, 1, h}}, "", true},
      {"these, of two free axes", {n, h}, {"Unsqueeze", {}, {n, 1, h}}, {"Unsqueeze", {0}, {1, n, 1, h}}, ""},
      {"to numbers", {2, 8}, {"Reshape", {4, 4}, {4, 4}}, {"Reshape", {2, 2, 4}, {2, 2, 4}}, "Reshape(x 2 2 4)"},
      {"to numbers, of what nobody knows",
       {2, ir::Dim()},
       {"Flatten", {}, {2, ir::Dim()}},
       {"Reshape", {-1, 4}, {ir::Dim(), 4}},
       "Reshape(x -1 4)"},
      {"a zero copies",
       {8, n},
       {"Reshape", {4, 2, -1}, {4, 2, n}},
       {"Reshape", {0, -1}, {4, n * 2}},
       "Reshape(x 4 -1)"},
      {"a zero copies, a second use",
       {n, 1, 6},
       {"Squeeze", {1}, {n, 6}},
       {"Reshape", {0, 2, 3}, {n, 2, 3}},
       "Reshape(x -1 2 3)",
       true},
      {"two free sizes",
       {n * h, 4},
       {"Reshape", {0, 2, 2}, {n * h, 2, 2}},
       {"Reshape", {0, 0, 2, -1}, {n, h, 2, 2}},
       ""},
      {"a free size that may be 0",
       {z, 2, h, 2},
       {"Reshape", {0, 0, -1}, {z, 2, h * 2}},
       {"Reshape", {0, -1}, {z, h * 4}},
       ""},
      {"Squeeze", {n, 4}, {"Reshape", {0, 4, 1, 1}, {n, 4, 1, 1}}, {"Squeeze", {}, {n, 4}}, "Reshape(x -1 4)"},
      {"Squeeze, used twice", {n, 4}, {"Reshape", {0, 4, 1}, {n, 4, 1}}, {"Squeeze", {}, {n, 4}}, "", true},
      {"Flatten", {n, 2, 3}, {"Unsqueeze", {3}, {n, 2, 3, 1}}, {"Flatten", {}, {n, 6}}, "Reshape(x -1 6)"},
      {"Relu between", {n, 4}, {"Relu", {}, {n, 4}}, {"Unsqueeze", {0}, {1, n, 4}}, ""},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(Merged(test.input, test.first, test.second, test.used_twice, test.opset), test.merged) << test.what;
  }
}

// A node in a block reads past one outside, although that has other uses: nodes inside run more often than they must
// anyway.
TEST(MergeReshapesTest, ReadsWhatIsOutsideOfABlock) {
  GraphBuilder b;
  const ValueId flag = b.Input("flag", {}, ir::DType::kBool);
  const ValueId x = b.Input("x", {2, 3});
  const ValueId outside = Add(&b, {"Unsqueeze", {1}, {2, 1, 3}}, x, "outside");
  const size_t start = b.Size();
  ir::Block then = b.TakeBlock(start, {}, {Add(&b, {"Unsqueeze", {0}, {1, 2, 1, 3}}, outside, "deep")});
  ir::Block otherwise = b.TakeBlock(start, {}, {Add(&b, {"Unsqueeze", {3}, {2, 1, 3, 1}}, outside, "wide")});
  b.Output(b.Node("If", {flag}, "y", {}));
  b.AddBlocks({std::move(then), std::move(otherwise)});
  EXPECT_TRUE(MergeReshapes(&b.graph));
  for (const ir::Block& block : b.graph.body.nodes.back().blocks) EXPECT_EQ(*block.nodes.back().inputs[0].value(), x);
}

}  // namespace
}  // namespace onnxport::passes::merge_reshapes_test
