#include "runtime/model/passes/graph/axis_map.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace onnxport::passes::axis_map_test {
namespace {

using ir::Dim;
using ir::Dims;
using onnx_ops::Perm;

// "0 2.1 -": axes by their factors; one of size 1 has none.
std::string Text(const AxisMap::Axes& axes) {
  std::string text;
  for (const AxisMap::Axis& axis : axes) {
    if (!text.empty()) text += ' ';
    if (axis.empty()) text += '-';
    for (size_t i = 0; i < axis.size(); ++i) text += (i == 0 ? "" : ".") + std::to_string(axis[i]);
  }
  return text;
}

TEST(AxisMapTest, FactorsOfResultAndSource) {
  const Dim n = Dim::Symbol("n");
  const Dim c = Dim::Symbol("c");
  AxisMap map({n, 2, c});
  ASSERT_TRUE(map.ThroughTranspose({0, 2, 1}) && map.ThroughReshape({n, c * 2}));
  EXPECT_EQ(Text(map.result()), "0 1 2");
  EXPECT_EQ(Text(map.source()), "0 2.1");
  EXPECT_EQ(map.size(1), Dim(2));
  EXPECT_EQ(map.size(2), c);

  // An axis of the result is split where the source has two.
  AxisMap split({n, 1, 6});
  ASSERT_TRUE(split.ThroughReshape({n, 2, 3, 1}));
  EXPECT_EQ(Text(split.result()), "0 - 1.2");
  EXPECT_EQ(Text(split.source()), "0 1 2 -");
  EXPECT_EQ(split.size(1), Dim(2));
  EXPECT_EQ(split.size(2), Dim(3));

  // The second part of a factor stays in front of the next factor.
  AxisMap twice({24});
  ASSERT_TRUE(twice.ThroughReshape({4, 6}) && twice.ThroughReshape({2, 2, 6}));
  EXPECT_EQ(Text(twice.result()), "0.2.1");
  EXPECT_EQ(Text(twice.source()), "0 2 1");
}

struct MapCase {
  const char* what;
  Dims result;
  std::function<bool(AxisMap*)> go;  // from the result to the source
  bool is_reshape;
  std::optional<Perm> transpose;
  std::optional<Perm> in_front;  // the Transpose in front of a Reshape
};

TEST(AxisMapTest, WhatDoesTheSame) {
  const Dim n = Dim::Symbol("n");
  const Dim h = Dim::Symbol("h");
  const MapCase cases[] = {
      {"nothing", {n, 3}, [](AxisMap*) { return true; }, true, Perm{0, 1}, Perm{0, 1}},
      {"a Transpose",
       {n, h, 3},
       [](AxisMap* map) { return map->ThroughTranspose({2, 0, 1}); },
       false,
       Perm{2, 0, 1},
       Perm{2, 0, 1}},
      {"there and back",
       {n, h, 3},
       [](AxisMap* map) { return map->ThroughTranspose({2, 0, 1}) && map->ThroughTranspose({1, 2, 0}); },
       true,
       Perm{0, 1, 2},
       Perm{0, 1, 2}},
      {"axes of size 1 move",
       {n, 1, 3},
       [](AxisMap* map) { return map->ThroughTranspose({1, 0, 2}); },
       true,
       Perm{1, 0, 2},
       Perm{1, 2, 0}},
      {"two of size 1",
       {1, 3, 1},
       [](AxisMap* map) { return map->ThroughTranspose({2, 1, 0}); },
       true,
       Perm{0, 1, 2},
       Perm{1, 0, 2}},
      {"a Reshape",
       {n * 2, 3},
       [&](AxisMap* map) { return map->ThroughReshape({n, 6}); },
       true,
       std::nullopt,
       Perm{0, 1}},
      {"axes that stay together",
       {5, 12},
       [](AxisMap* map) {
         return map->ThroughReshape({5, 3, 4}) && map->ThroughTranspose({2, 0, 1}) && map->ThroughReshape({12, 5});
       },
       false,
       Perm{1, 0},
       Perm{1, 0}},
      {"whole axes, joined",
       {h * 4, n},
       [&](AxisMap* map) { return map->ThroughReshape({h, 4, n}) && map->ThroughTranspose({1, 2, 0}); },
       false,
       std::nullopt,
       Perm{1, 2, 0}},
      {"parts of an axis",
       {2, 5, 3},
       [](AxisMap* map) { return map->ThroughTranspose({1, 0, 2}) && map->ThroughReshape({5, 6}); },
       false,
       std::nullopt,
       std::nullopt},
  };
  for (const MapCase& test : cases) {
    SCOPED_TRACE(test.what);
    AxisMap map(test.result);
    ASSERT_TRUE(test.go(&map));
    EXPECT_EQ(map.IsReshape(), test.is_reshape);
    EXPECT_EQ(map.AsTranspose(), test.transpose);
    EXPECT_EQ(map.TransposeBeforeReshape(), test.in_front);
  }
}

TEST(AxisMapTest, DividesFreeSizes) {
  const Dim n = Dim::Symbol("n");
  const Dim h = Dim::Symbol("h");
  const auto reads = [](const Dims& result, const Dims& operand) { return AxisMap(result).ThroughReshape(operand); };
  EXPECT_TRUE(reads({n * h, 8}, {n, h, 8}));
  EXPECT_TRUE(reads({n, h, 8}, {n, h * 8}));
  EXPECT_TRUE(reads({n * 8}, {n, 8}));
  EXPECT_TRUE(reads({n * 8}, {8, n}));
  EXPECT_TRUE(reads({n * 6, 4}, {n * 2, 12}));
  // Nobody knows which part of n is h.
  EXPECT_FALSE(reads({n, 8}, {h, 8}));
  EXPECT_FALSE(reads({n + 2}, {n, 2}));
  // No size divides the other.
  EXPECT_FALSE(reads({4, 6}, {6, 4}));
}

TEST(AxisMapTest, WhatCannotBeSaid) {
  const auto reads = [](const Dims& result, const Dims& operand) { return AxisMap(result).ThroughReshape(operand); };
  EXPECT_TRUE(reads({2, 3}, {6}));
  EXPECT_FALSE(reads({2, 3}, {7}));
  EXPECT_FALSE(reads({2, 3}, {2}));
  EXPECT_FALSE(reads({2, 3}, {2, 3, 2}));
  EXPECT_FALSE(reads({0, 3}, {0, 3}));
  EXPECT_FALSE(reads({2, Dim()}, {2, Dim()}));
  EXPECT_FALSE(AxisMap({2, 3}).ThroughTranspose({0, 2, 1}));
}

}  // namespace
}  // namespace onnxport::passes::axis_map_test
