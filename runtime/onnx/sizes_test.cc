#include "runtime/onnx/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/types/operator_forms.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::sizes_test {
namespace {

using ir::DType;

constexpr int kOpset = 19;

struct Case {
  const char* op;
  std::initializer_list<const char*> weight;
  NamedArgs attributes;
  const char* type;
};

// ONNX's inference gives a convolution no rank where a size of the kernel is open.
const Case kCases[] = {
    {"Conv", {"8", "4", "?", "?"}, {}, "float32[batch, 8, ?, ?]"},
    {"Conv", {"8", "4", "3", "?"}, {{"strides", Vals{2, 2}}}, "float32[batch, 8, 4, ?]"},
    {"Conv", {"c", "2", "k", "3"}, {{"group", 2}}, "float32[batch, c, -k + 11, w - 2]"},
    {"Conv", {"?", "4", "?", "3"}, {{"pads", Vals{1, 1, 1, 1}}}, "float32[batch, ?, ?, w]"},
    {"ConvTranspose", {"4", "3", "?", "3"}, {{"group", 2}}, "float32[batch, 6, ?, w + 2]"},
};

TEST(Sizes, KernelsOfFreeSizes) {
  for (const Case& test : kCases) {
    TestGraph g(kOpset);
    const Val x = g.Input("x", DType::kFloat32, {"batch", "4", "10", "w"});
    const Val w = g.Input("weight", DType::kFloat32, test.weight);
    EXPECT_EQ(g.Type(g.context.op(test.op, {x, w}, test.attributes)), test.type);
  }
}

// These whatever their rows say, and all that a row says to be elementwise, also those that come with a new opset.
std::vector<std::string> BroadcastingOperators(TestGraph* g) {
  std::vector<std::string> ops = {"Add",
                                  "And",
                                  "BitShift",
                                  "BitwiseAnd",
                                  "BitwiseOr",
                                  "BitwiseXor",
                                  "Div",
                                  "Equal",
                                  "Greater",
                                  "GreaterOrEqual",
                                  "LayerNormalization",
                                  "Less",
                                  "LessOrEqual",
                                  "Max",
                                  "Mean",
                                  "Min",
                                  "Mod",
                                  "Mul",
                                  "Or",
                                  "PRelu",
                                  "Pow",
                                  "RMSNormalization",
                                  "Sub",
                                  "Sum",
                                  "Where",
                                  "Xor"};
  for (const OperatorForm& form : OperatorForms()) {
    const std::string op(form.name);
    const bool known = std::ranges::find(ops, op) != ops.end() || !g->emitter.HasSchema(op);
    if (known || onnx_ops::Find(op).form != onnx_ops::Form::kElementwise) continue;
    if (g->emitter.Op(op).max_inputs > 1) ops.push_back(op);
  }
  return ops;
}

// These spread their other inputs over the first, which they do not spread.
bool HasSizesOfFirst(const std::string& op) {
  return op == "Clip" || onnx_ops::Find(op).form != onnx_ops::Form::kElementwise;
}

// The result of the operator on tensors of these sizes, whichever dtype it takes.
std::string Broadcast(TestGraph* g, const std::string& op, const char* a, const char* b) {
  for (const DType dtype : {DType::kFloat32, DType::kBool, DType::kUInt8}) {
    const Val x = g->Input("x", dtype, {a, "3"});
    const Val y = g->Input("y", dtype, {b, "3"});
    const Inputs inputs = op == "Where" ? Inputs{g->Input("condition", DType::kBool, {b, "3"}), x, y} : Inputs{x, y};
    const NamedArgs attributes = op == "BitShift" ? NamedArgs{{"direction", "LEFT"}} : NamedArgs{};
    std::string type;
    const std::string refusal = RefusalOf([&] { type = g->Type(g->context.op(op, inputs, attributes)); });
    if (refusal.empty()) return type.substr(type.find('['));
  }
  return "refused";
}

// All operators that broadcast keep the sizes that `Add` keeps.
TEST(Sizes, OfAllThatBroadcast) {
  const struct {
    const char* a;
    const char* b;
    const char* result;
  } kSizes[] = {
      {"n", "n", "[n, 3]"},
      {"n", "1", "[n, 3]"},
      // They fit where n is at most 64, or 4, and then the result has the larger one.
      {"n", "Min(64, n)", "[n, 3]"},
      {"Max(4, n)", "n", "[Max(4, n), 3]"},
      // ... but where it is 1, and the other one 0.
      {"n", "Min(n, m - 1)", "[?, 3]"},
      // A run has n = m, or one of them is 1.
      {"n", "m", "[?, 3]"},
  };
  TestGraph g(23, FreeSizes::kAsStated);
  g.graph.ranges = {{"n", {.min = 1, .max = {}}}, {"m", {.min = 1, .max = {}}}};
  const std::vector<std::string> ops = BroadcastingOperators(&g);
  for (const auto& sizes : kSizes) {
    for (const std::string& op : ops) {
      if (HasSizesOfFirst(op)) {
        EXPECT_EQ(Broadcast(&g, op, sizes.a, sizes.b), "[" + std::string(sizes.a) + ", 3]") << op;
      } else {
        EXPECT_EQ(Broadcast(&g, op, sizes.a, sizes.b), sizes.result) << op;
        EXPECT_EQ(Broadcast(&g, op, sizes.b, sizes.a), sizes.result) << op;
      }
    }
  }
}

}  // namespace
}  // namespace onnxport::lowering::sizes_test
