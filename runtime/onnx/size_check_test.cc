#include "runtime/onnx/size_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::size_check_test {
namespace {

constexpr int kOpset = 18;

struct Inputs4 {
  Val x;  // float32[batch, 12]
  Val w;  // float32[2, 12]
  Val s;  // float32[batch, 4, time]
};

struct Case {
  const char* expected;  // "": allowed
  std::function<Val(Context&, const Inputs4&)> make;
};

const Case kCases[] = {
    {"axis `batch` of `x` would be fixed at 2: [batch, 12] meets [2, 12]",
     [](Context& c, const Inputs4& in) { return c.op("Add", {in.x, in.w}); }},
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) { return c.op("Concat", {in.w, in.x}, {{"axis", 1}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Concat", {in.w, in.x}, {{"axis", 0}}); }},
    {"axis `batch` of `x` would be fixed at 2: [batch, 12] becomes [2, 12]",
     [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.x, Vals{2, 12}}); }},
    {"axis `batch` of `x` would be fixed at 2: [batch, 12] becomes [24]",
     [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.x, Vals{24}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.x, Vals{2, -1}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.x, Vals{dim(in.x, 0), 3, 4}}); }},
    {"axis `time` of `s` would be fixed: [batch, 4, time] becomes [batch, 40]",
     [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.s, Vals{dim(in.s, 0), 40}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Reshape", {in.s, Vals{dim(in.s, 0), 4, dim(in.s, 2)}}); }},
    // A known size next to -1 restricts nothing until it meets a fixed one.
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) { return c.op("Add", {c.op("Reshape", {in.x, Vals{2, -1}}), in.w}); }},
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) {
       return c.op("MatMul", {c.op("Transpose", {in.x}, {{"perm", Vals{1, 0}}}), in.w});
     }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Gemm", {in.x, in.w}, {{"transB", 1}}); }},
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) { return c.op("Gemm", {in.x, in.w}, {{"transA", 1}}); }},
    {"axis `batch` of `x` would be fixed at 7",
     [](Context& c, const Inputs4& in) { return c.op("Expand", {in.x, Vals{7, 12}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Expand", {in.x, Vals{3, 1, 1}}); }},
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) { return c.op("Where", {c.op("Greater", {in.w, 0.0}), in.x, 0.0}); }},
    {"axis `batch` of `x` would be fixed at 5",
     [](Context& c, const Inputs4& in) { return c.ops("Split", {in.x, Vals{2, 3}}, {{"axis", 0}}, 2)[0]; }},
    {"axis `batch` of `x` would be fixed at 1",
     [](Context& c, const Inputs4& in) { return c.op("Squeeze", {in.x, Vals{0}}); }},
    {"axis `batch` of `x` would be fixed at 2",
     [](Context& c, const Inputs4& in) { return c.op("Einsum", {in.x, in.w}, {{"equation", "bi,bi->i"}}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Einsum", {in.x, in.w}, {{"equation", "bi,ji->bj"}}); }},
    {"axis `batch` of `x` would be fixed at 3: [batch - 1, 12] meets [2, 12]",
     [](Context& c, const Inputs4& in) {
       return c.op("Add", {c.op("Slice", {in.x, Vals{1}, Vals{INT64_MAX}, Vals{0}}), in.w});
     }},
    {"axis `time` of `s` would be fixed at what makes (time//2) = 5",
     [](Context& c, const Inputs4& in) {
       const Val halves = c.op("MaxPool", {in.s}, {{"kernel_shape", Vals{2}}, {"strides", Vals{2}}});
       return c.op("Add", {halves, c.op("Expand", {0.0, Vals{4, 5}})});
     }},
    // This slice has ten elements if the axis is long enough.
    {"",
     [](Context& c, const Inputs4& in) {
       const Val ten = c.op("Slice", {in.s, Vals{0}, Vals{10}, Vals{2}});
       return c.op("Add", {ten, c.op("Expand", {0.0, Vals{4, 10}})});
     }},
    {"the sizes 4 and 3 do not fit: [batch, 4, time] meets [5, 3, 2]",
     [](Context& c, const Inputs4& in) { return c.op("Conv", {in.s, c.op("Expand", {0.0, Vals{5, 3, 2}})}); }},
    {"", [](Context& c, const Inputs4& in) { return c.op("Conv", {in.s, c.op("Expand", {0.0, Vals{5, 4, 2}})}); }},
    // Two names are compared at run time.
    {"", [](Context& c, const Inputs4& in) { return c.op("MatMul", {in.s, in.x}); }},
};

TEST(SizeCheck, NumbersThatMeetNames) {
  for (const Case& test : kCases) {
    TestGraph g(kOpset, FreeSizes::kAsStated);
    const Inputs4 in{g.Input("x", DType::kFloat32, {"batch", "12"}), g.Input("w", DType::kFloat32, {"2", "12"}),
                     g.Input("s", DType::kFloat32, {"batch", "4", "time"})};
    g.graph.ranges = {{"batch", {.min = 1, .max = {}}}, {"time", {.min = 1, .max = {}}}};
    const std::string seen = RefusalOf([&] { test.make(g.context, in); });
    EXPECT_TRUE(*test.expected ? seen.find(test.expected) != std::string::npos : seen.empty())
        << "expected: " << test.expected << "\nseen: " << seen;
  }
}

TEST(SizeCheck, NumbersThatMeetNumbers) {
  TestGraph g(kOpset, FreeSizes::kAsStated);
  const Val x = g.Input("x", DType::kFloat32, {"1", "4", "8", "8"});
  const Val w = g.Input("w", DType::kFloat32, {"8", "3", "3", "3"});
  EXPECT_NE(RefusalOf(Code::kSizesDoNotFit, [&] { g.context.op("Conv", {x, w}); }).find("the sizes 4 and 3 do not fit"),
            std::string::npos);
  EXPECT_NE(RefusalOf([&] { g.context.op("Reshape", {w, Vals{8, 3, 3}}); }).find("216 elements do not fit 72"),
            std::string::npos);
  EXPECT_EQ(RefusalOf([&] { g.context.op("Conv", {x, w}, {{"group", 2}}); }).find("the sizes 4 and 6"), 0U);
  EXPECT_EQ(RefusalOf([&] { g.context.op("Reshape", {w, Vals{dim(w, 0), 27}}); }), "");
}

TEST(SizeCheck, GroupsThatDoNotFollowAnAxis) {
  TestGraph g(kOpset, FreeSizes::kAsStated);
  const Val x = g.Input("x", DType::kFloat32, {"1", "4*n", "8"});
  const Val w = g.Input("w", DType::kFloat32, {"2*n", "4", "3"});
  EXPECT_THAT(
      RefusalOf([&] { g.context.op("Conv", {x, w}, {{"group", 3}}); }),
      testing::StartsWith("axis `n` of `x` would be fixed at 3: [1, 4*n, 8] meets [2*n, 4, 3] in 3 groups, which"));
  EXPECT_THAT(
      RefusalOf([&] { g.context.op("Conv", {x, w}, {{"group", dim(x, 1)}}); }),
      testing::EndsWith("; it follows from axis `n` of `x`: give the size itself instead of a name if that is meant"));
}

// Two groups fit every even number of channels, so the shapes alone do not show that a trace lost the number.
TEST(SizeCheck, GroupsOfTransposedConvolutions) {
  TestGraph g(kOpset, FreeSizes::kAsStated);
  const Val x = g.Input("x", DType::kFloat32, {"1", "4*n", "8"});
  const Val w = g.Input("w", DType::kFloat32, {"4*n", "2", "3"});
  EXPECT_THAT(
      RefusalOf(Code::kAxisIsFixed, [&] { g.context.op("ConvTranspose", {x, w}, {{"group", 2}}); }),
      testing::StartsWith("axis `n` of `x` would be fixed: [1, 4*n, 8] meets [4*n, 2, 3] in 2 groups, which is a"));
  EXPECT_EQ(RefusalOf([&] { g.context.op("ConvTranspose", {x, w}); }), "");
  const Val known = g.Input("v", DType::kFloat32, {"4", "2", "3"});
  const Val y = g.Input("y", DType::kFloat32, {"n", "4", "8"});
  EXPECT_EQ(RefusalOf([&] { g.context.op("ConvTranspose", {y, known}, {{"group", 2}}); }), "");
}

// A .pt2 states every size. A contradiction to a stated size is found where the file's sizes are compared.
TEST(SizeCheck, NotForStatedSizes) {
  TestGraph g(kOpset);
  const Val x = g.Input("x", DType::kFloat32, {"batch", "12"});
  const Val w = g.Input("w", DType::kFloat32, {"2", "12"});
  EXPECT_EQ(RefusalOf([&] { g.context.op("Add", {x, w}); }), "");
}

TEST(SizeCheck, RecurrentStates) {
  TestGraph g(kOpset, FreeSizes::kAsStated);
  const Val x = g.Input("x", DType::kFloat32, {"time", "batch", "3"});
  const Val w = g.Input("w", DType::kFloat32, {"1", "15", "3"});
  const Val r = g.Input("r", DType::kFloat32, {"1", "15", "5"});
  const Val h = g.Input("h", DType::kFloat32, {"1", "2", "5"});
  const auto run = [&](const Val& state) {
    return RefusalOf([&] { g.context.op("GRU", {x, w, r, Val(), Val(), state}, {{"hidden_size", 5}}); });
  };
  EXPECT_NE(run(h).find("axis `batch` of `x` would be fixed at 2"), std::string::npos) << run(h);
  EXPECT_EQ(run(Val()), "");
  // The sizes of a model's input that the weights determine.
  const Val layers = g.Input("layers", DType::kFloat32, {"layers", "batch", "5"});
  EXPECT_NE(run(layers).find("axis `layers` of `layers` would be fixed at 1"), std::string::npos) << run(layers);
  const Val hidden = g.Input("hidden", DType::kFloat32, {"1", "batch", "size"});
  EXPECT_NE(run(hidden).find("axis `size` of `hidden` would be fixed at 5"), std::string::npos) << run(hidden);
}

}  // namespace
}  // namespace onnxport::lowering::size_check_test
