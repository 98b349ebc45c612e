#include "runtime/model/passes/simplify/simplify_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::simplify_shapes_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;
constexpr DType kI64 = DType::kInt64;

struct ShapeCase {
  const char* op;
  Dims input;
  Dims wanted;
  const char* shape;  // the constant; empty: the node stays
};

TEST(SimplifyShapesTest, SaysWithConstantsWhatTheModelWouldCompute) {
  const ir::Dim n = Sym("n");
  const ir::Dim m = Sym("m");
  const ir::Dim z = Sym("z");  // may be 0
  const ShapeCase kCases[] = {
      {"Reshape", {n, 12}, {n, 3, 4}, "{-1, 3, 4}"},
      {"Reshape", {z, 12}, {z, 3, 4}, "{-1, 3, 4}"},
      {"Reshape", {n, m, 12}, {n, m, 3, 4}, "{0, 0, 3, 4}"},
      {"Reshape", {n, z, 12}, {n, z, 3, 4}, "{0, 0, 3, 4}"},
      {"Reshape", {n, 4, m}, {n, m * 4}, "{0, -1}"},
      {"Reshape", {z, 4, m}, {z, m * 4}, ""},
      {"Reshape", {n, m}, {m, n}, ""},
      {"Reshape", {n, 4}, {ir::Dim(), 2}, "{-1, 2}"},
      {"Reshape", {n, 0}, {n, 0, 5}, ""},
      {"Reshape", {2, 6}, {3, 4}, ""},
      {"Expand", {n, 1, m}, {n, 4, m}, "{1, 4, 1}"},
      {"Expand", {1, m}, {n, 1, m}, ""},
      {"Expand", {m}, {5, m}, "{5, 1}"},
  };
  for (const ShapeCase& test : kCases) {
    GraphBuilder b;
    b.graph.ranges = {{"n", {1, {}}}, {"m", {1, {}}}, {"z", {0, {}}}};
    const ValueId x = b.Input("x", test.input);
    const ValueId shape = b.Input("shape", {static_cast<int64_t>(test.wanted.size())}, kI64);
    b.graph.value(shape).contents = test.wanted;
    b.Output(b.Node(test.op, {x, shape}, "y", test.wanted));
    const bool changed = SimplifyShapes(&b.graph);
    EXPECT_EQ(changed, *test.shape != 0) << ToText(b.graph);
    if (changed) {
      EXPECT_NE(Body(b.graph).find(std::string("]") + test.shape), std::string::npos) << Body(b.graph);
    }
  }
}

}  // namespace
}  // namespace onnxport::passes::simplify_shapes_test
