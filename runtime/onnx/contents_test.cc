// Tests sizes that are followed through nodes, and dimensions that ONNX's inference loses.
#include "runtime/onnx/contents.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::contents_test {
namespace {

struct Case {
  const char* expected;
  std::function<Val(Context&, const Val& x)> make;
};

// x: float32[s, 4, t]
const Case kCases[] = {
    {"int64[3] {s, 4, t}", [](Context& c, const Val& x) { return c.op("Shape", {x}); }},
    {"int64[1] {4}", [](Context& c, const Val& x) { return c.op("Shape", {x}, {{"start", 1}, {"end", -1}}); }},
    {"int64[] {4*s*t}", [](Context& c, const Val& x) { return c.op("Size", {x}); }},
    {"int64[] {t}", [](Context& c, const Val& x) { return c.op("Gather", {c.op("Shape", {x}), -1}); }},
    {"int64[2] {t, s}", [](Context& c, const Val& x) { return c.op("Gather", {c.op("Shape", {x}), Vals{2, 0}}); }},
    {"int64[2] {4, t}",
     [](Context& c, const Val& x) { return c.op("Slice", {c.op("Shape", {x}), Vals{1}, Vals{INT64_MAX}, Vals{0}}); }},
    {"int64[4] {s, 4, t, 7}",
     [](Context& c, const Val& x) { return c.op("Concat", {c.op("Shape", {x}), Vals{7}}, {{"axis", 0}}); }},
    {"int64[3] {2*s, 8, 2*t}", [](Context& c, const Val& x) { return c.op("Mul", {c.op("Shape", {x}), 2}); }},
    {"int64[3] {0, 0, 0}",
     [](Context& c, const Val& x) { return c.op("Sub", {c.op("Shape", {x}), c.op("Shape", {x})}); }},
    {"int64[] {(s//2)}", [](Context& c, const Val& x) { return c.op("Div", {dim(x, 0), 2}); }},
    {"int64[] {Mod(s, 2)}", [](Context& c, const Val& x) { return c.op("Mod", {dim(x, 0), 2}); }},
    {"int64[] {-3}", [](Context& c, const Val&) { return c.op("Div", {-7, 2}); }},
    {"int64[3] {-s, -4, -t}", [](Context& c, const Val& x) { return c.op("Neg", {c.op("Shape", {x})}); }},
    {"int64[] {4*s*t}",
     [](Context& c, const Val& x) { return c.op("ReduceProd", {c.op("Shape", {x})}, {{"keepdims", 0}}); }},
    {"int32[3] {s, 4, t}",
     [](Context& c, const Val& x) { return c.op("Cast", {c.op("Shape", {x})}, {{"to", DType::kInt32}}); }},
    {"int64[1] {s}", [](Context& c, const Val& x) { return c.op("Unsqueeze", {dim(x, 0), Vals{0}}); }},
    {"int64[3] {2, 5, 8}", [](Context& c, const Val&) { return c.op("Range", {2, 9, 3}); }},
    // Dimensions.
    {"float32[3*s, 4, t]", [](Context& c, const Val& x) { return c.op("Concat", {x, x, x}, {{"axis", 0}}); }},
    {"float32[s, 4*t]", [](Context& c, const Val& x) { return c.op("Reshape", {x, Vals{dim(x, 0), -1}}); }},
    {"float32[4*s, t]", [](Context& c, const Val& x) { return c.op("Reshape", {x, Vals{-1, dim(x, 2)}}); }},
    {"float32[s, 2, 2, t]",
     [](Context& c, const Val& x) { return c.op("Reshape", {x, Vals{dim(x, 0), 2, 2, dim(x, 2)}}); }},
    {"float32[5, s, 4, t]", [](Context& c, const Val& x) { return c.op("Expand", {x, Vals{5, 1, 1, 1}}); }},
    {"float32[s, t]",
     [](Context& c, const Val& x) {
       return c.op("Expand", {c.constant(0.0, DType::kFloat32), Vals{dim(x, 0), dim(x, 2)}});
     }},
    {"float32[s - 1, 4, t]",
     [](Context& c, const Val& x) { return c.op("Slice", {x, Vals{1}, Vals{INT64_MAX}, Vals{0}}); }},
    {"float32[s - 1, 4, t]", [](Context& c, const Val& x) { return c.op("Slice", {x, Vals{0}, Vals{-1}, Vals{0}}); }},
    {"float32[s, 4, t]",
     [](Context& c, const Val& x) { return c.op("Slice", {x, Vals{0}, Vals{dim(x, 0)}, Vals{0}}); }},
    {"float32[s, 6, t + 3]", [](Context& c, const Val& x) { return c.op("Pad", {x, Vals{0, 1, 1, 0, 1, 2}}); }},
    {"float32[2*s, 4, 3*t]", [](Context& c, const Val& x) { return c.op("Tile", {x, Vals{2, 1, 3}}); }},
    {"float32[4*s, t]", [](Context& c, const Val& x) { return c.op("Flatten", {x}, {{"axis", 2}}); }},
    {"float32[s, 4, (t//2)]",
     [](Context& c, const Val& x) { return c.op("MaxPool", {x}, {{"kernel_shape", Vals{2}}, {"strides", Vals{2}}}); }},
    {"int64[s]", [](Context& c, const Val& x) { return c.op("Range", {0, dim(x, 0), 1}); }},
    {"float32[s, 2]", [](Context& c, const Val& x) { return c.op("ConstantOfShape", {Vals{dim(x, 0), 2}}); }},
};

TEST(Contents, FollowSizes) {
  for (const Case& c : kCases) {
    TestGraph test(17);
    test.graph.ranges["s"] = {.min = 2, .max = std::nullopt};
    test.graph.ranges["t"] = {.min = 2, .max = std::nullopt};
    const Val x = test.Input("x", DType::kFloat32, {"s", "4", "t"});
    EXPECT_EQ(c.make(test.context, x).ToString(), c.expected);
  }
}

TEST(Contents, NothingIsClaimedOfNegativeQuotients) {
  TestGraph test(17);
  test.graph.ranges["s"] = {.min = 0, .max = std::nullopt};
  const Val x = test.Input("x", DType::kFloat32, {"s"});
  const Val less = dim(x, 0) - 5;
  EXPECT_EQ(test.context.op("Div", {less, 2}).ToString(), "int64[] {?}");
}

}  // namespace
}  // namespace onnxport::lowering::contents_test
