#include "runtime/onnx/sizes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
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

// ONNX's inference gives a convolution no rank if a size of the kernel is unknown.
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

// Lists these operators whatever their rows say, and all operators with an elementwise row, including those of a new
// opset.
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

// These broadcast their other inputs to the first, and never the first to the others.
bool HasSizesOfFirst(const std::string& op) {
  return op == "Clip" || onnx_ops::Find(op).form != onnx_ops::Form::kElementwise;
}

// Returns the result of the operator on tensors of these sizes, with the first dtype that it takes.
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
      // They fit if n is at most 64 or at least 4 respectively, and then the result has the larger size.
      {"n", "Min(64, n)", "[n, 3]"},
      {"Max(4, n)", "n", "[Max(4, n), 3]"},
      // The larger size is wrong if it is 1 and the other one is 0.
      {"n", "Min(n, m - 1)", "[?, 3]"},
      // At run time n equals m, or one of them is 1.
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

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// A graph whose axis n is not empty.
struct FreeAxis {
  FreeAxis() : g(kOpset, FreeSizes::kAsStated) {
    g.graph.ranges = {{"n", {.min = 1, .max = {}}}};
    x = g.Input("x", DType::kFloat32, {"n", "3"});
  }
  ir::Dim Size(const Val& y, size_t axis) const { return (*g.value(y).dims)[axis]; }
  // Returns the size for this n.
  int64_t At(const ir::Dim& size, int64_t n) const { return size.Substitute({{"n", n}}).number(); }

  TestGraph g;
  Val x;
};

// Counts the elements of Python's slice.
int64_t CountOfSlice(int64_t size, int64_t start, int64_t end, int64_t step) {
  const auto at = [&](int64_t bound) { return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size); };
  int64_t count = 0;
  for (int64_t i = at(start); i < at(end); i += step) ++count;
  return count;
}

TEST(Sizes, OfSlicesAreThoseOfPython) {
  FreeAxis test;
  const int64_t kBounds[] = {-kEnd, -4, -1, 0, 1, 3, 9, kEnd};
  for (const int64_t start : kBounds) {
    for (const int64_t end : kBounds) {
      for (const int64_t step : {1, 2, 3}) {
        const Val y = test.g.context.op("Slice", {test.x, Vals{start}, Vals{end}, Vals{0}, Vals{step}});
        const ir::Dim size = test.Size(y, 0);
        ASSERT_FALSE(size.is_unknown()) << start << ":" << end << ":" << step;
        for (int64_t n = 1; n < 12; ++n) {
          EXPECT_EQ(test.At(size, n), CountOfSlice(n, start, end, step)) << start << ":" << end << ":" << step;
        }
      }
    }
  }
}

TEST(Sizes, OfSlicesAreShort) {
  FreeAxis test;
  const struct {
    int64_t start;
    int64_t end;
    const char* size;
  } kCases[] = {{-3, kEnd, "Min(3, n)"}, {2, kEnd, "Max(0, n - 2)"}, {1, kEnd, "n - 1"},
                {0, -1, "n - 1"},        {1, -2, "Max(0, n - 3)"},   {0, 4, "Min(4, n)"}};
  for (const auto& c : kCases) {
    const Val y = test.g.context.op("Slice", {test.x, Vals{c.start}, Vals{c.end}, Vals{0}});
    EXPECT_EQ(test.Size(y, 0).ToString(), c.size) << c.start << ":" << c.end;
  }
}

// A window begins on the axis or in the padding before it. With `ceil_mode` the last one may run over the end.
int64_t CountOfWindows(int64_t size, int64_t kernel, int64_t stride, int64_t pad, bool ceil_mode) {
  int64_t count = 0;
  while (count * stride + kernel <= size + 2 * pad + (ceil_mode ? stride - 1 : 0) &&
         (!ceil_mode || count * stride < size + pad)) {
    ++count;
  }
  return count;
}

TEST(Sizes, OfPoolsRoundUp) {
  for (const int64_t kernel : {1, 2, 3, 4}) {
    for (const int64_t stride : {1, 2, 3, 5}) {
      for (int64_t pad = 0; pad <= kernel / 2; ++pad) {
        for (const bool ceil_mode : {false, true}) {
          TestGraph g(kOpset);
          const Val x = g.Input("x", DType::kFloat32, {"batch", "4", "n"});
          const Val y = g.context.op("MaxPool", {x},
                                     {{"kernel_shape", Vals{kernel}},
                                      {"strides", Vals{stride}},
                                      {"pads", Vals{pad, pad}},
                                      {"ceil_mode", ceil_mode ? 1 : 0}});
          const ir::Dim size = (*g.value(y).dims)[2];
          for (int64_t n = kernel; n < 20; ++n) {
            EXPECT_EQ(size.Substitute({{"n", n}}), ir::Dim(CountOfWindows(n, kernel, stride, pad, ceil_mode)))
                << kernel << " by " << stride << ", padded by " << pad << ": " << size.ToString() << " of " << n;
          }
        }
      }
    }
  }
}

TEST(Sizes, OfCounts) {
  FreeAxis test;
  Context& c = test.g.context;
  const Val n = dim(test.x, 0);
  const Val k = FloorDiv(n, 2);
  EXPECT_EQ(test.g.Type(c.ops("TopK", {test.x, Vals{k}}, {{"axis", 0}}, 2)[1]), "int64[(n//2), 3]");
  EXPECT_EQ(test.g.Type(c.ops("TopK", {test.x, Vals{2}}, {{"axis", 0}}, 2)[0]), "float32[2, 3]");
  EXPECT_EQ(test.g.Type(c.op("Range", {0, n, 2})), "int64[((n + 1)//2)]");
  EXPECT_EQ(test.g.Type(c.op("Range", {n, 0, -1})), "int64[n]");
  EXPECT_EQ(test.g.Type(c.op("Range", {0, n * 5, n})), "int64[5]");
}

TEST(Sizes, OfPictures) {
  FreeAxis test;
  Context& c = test.g.context;
  const Val columns = test.g.Input("columns", DType::kFloat32, {"n", "12", "m"});
  EXPECT_EQ(test.g.Type(c.op("Col2Im", {columns, Vals{4, 5}, Vals{2, 2}})), "float32[n, 3, 4, 5]");
  const Val picture = test.g.Input("picture", DType::kFloat32, {"n", "3", "h", "w"});
  const Val sizes = c.shape_tensor(Vals{dim(picture, 0), 3, dim(picture, 2) * 2, 7});
  EXPECT_EQ(test.g.Type(c.op("Resize", {picture, Val(), Val(), sizes})), "float32[n, 3, 2*h, 7]");
}

// The list of a Reshape determines the sizes, even if nothing is known about the tensor.
TEST(Sizes, OfAReshapeAreThoseAskedFor) {
  FreeAxis test;
  const Val open = test.g.Input("open", DType::kFloat32, {"?", "?"});
  EXPECT_EQ(test.g.Type(test.g.context.op("Reshape", {open, Vals{dim(test.x, 0), 5}})), "float32[n, 5]");
}

}  // namespace
}  // namespace onnxport::lowering::sizes_test
