#include "runtime/lowering/types/symbolic_shapes.h"

#include <gtest/gtest.h>

#include "runtime/ir/dtype.h"
#include "runtime/lowering/dsl/context.h"
#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering {
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

TEST(SymbolicShapes, KernelsOfFreeSizes) {
  for (const Case& test : kCases) {
    TestGraph g(kOpset);
    const Val x = g.Input("x", DType::kFloat32, {"batch", "4", "10", "w"});
    const Val w = g.Input("weight", DType::kFloat32, test.weight);
    EXPECT_EQ(g.Type(g.context.op(test.op, {x, w}, test.attributes)), test.type);
  }
}

}  // namespace
}  // namespace onnxport::lowering
