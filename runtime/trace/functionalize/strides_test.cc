#include "runtime/trace/functionalize/strides.h"

#include "gtest/gtest.h"
#include "runtime/testing/aten_program.h"

namespace onnxport::functionalize::strides_test {
namespace {

using ir::Dim;
using ir::Dims;

const Dim kB = Dim::Symbol("b");
const Dim kC = Dim::Symbol("c");

ir::Value Tensor(Dims dims, std::optional<Dims> strides) {
  ir::Value value;
  value.dims = std::move(dims);
  value.strides = std::move(strides);
  return value;
}

struct Case {
  Dims dims;
  std::optional<Dims> strides;
  Dims shape;
  std::optional<bool> row_major;
  std::optional<bool> view;
};

TEST(Strides, Questions) {
  const Case cases[] = {
      {{2, 3}, Dims{3, 1}, {6}, true, true},
      {{2, 3}, Dims{1, 2}, {6}, false, false},
      {{2, 3}, Dims{1, 2}, {2, 3}, false, true},
      {{2, 3}, Dims{1, 2}, {2, 3, 1}, false, true},
      {{2, 3}, Dims{6, 2}, {6}, false, true},     // every second element
      {{2, 3}, Dims{7, 1}, {2, 3}, false, true},  // rows of a wider tensor
      {{2, 3}, Dims{7, 1}, {6}, false, false},
      {{1, 3}, Dims{99, 1}, {3}, true, true},
      {{2, 3, 4, 3}, Dims{0, 12, 3, 1}, {2, 36}, false, true},  // expanded rows
      {{2, 3, 4, 3}, Dims{0, 12, 3, 1}, {72}, false, false},
      {{0, 3}, Dims{5, 5}, {0}, true, true},
      {{}, Dims{}, {1}, true, true},
      {{kB, 4}, Dims{4, 1}, {Dim(4) * kB}, true, true},
      {{kB, 4}, Dims{4, 1}, {kB, 2, 2}, true, true},
      {{4, kB}, Dims{1, 4}, {Dim(4) * kB}, std::nullopt, std::nullopt},  // a view when b is 1
      {{2, kB, 4}, Dims{0, 4, 1}, {2, Dim(4) * kB}, false, true},
      {{kB, kC}, Dims{kC, 1}, {kB * kC}, true, true},
      {{2, 3}, std::nullopt, {6}, std::nullopt, std::nullopt},
      {{Dim(), 3}, Dims{3, 1}, {6}, true, std::nullopt},
  };
  ir::Graph graph;
  graph.ranges = {{"b", {0, 10}}};
  for (const Case& c : cases) {
    const ir::Value tensor = Tensor(c.dims, c.strides);
    const ir::Value shape = Tensor(c.shape, std::nullopt);
    const auto index = &c - cases;
    EXPECT_EQ(RowMajor(graph, tensor), c.row_major) << "case " << index;
    EXPECT_EQ(CanView(graph, tensor, shape), c.view) << "case " << index;
  }
}

TEST(Strides, MemoryFormats) {
  using enum MemoryFormat;
  const struct {
    Dims dims;
    std::optional<Dims> strides;
    MemoryFormat format;
    std::optional<bool> contiguous;
  } cases[] = {
      {{2, 3, 4, 5}, Dims{60, 20, 5, 1}, kContiguous, true},
      {{2, 3, 4, 5}, Dims{60, 20, 5, 1}, kChannelsLast, false},
      {{2, 3, 4, 5}, Dims{60, 1, 15, 3}, kChannelsLast, true},
      {{2, 3, 4, 5}, Dims{60, 1, 15, 3}, kContiguous, false},
      {{2, 1, 4, 5}, Dims{20, 20, 5, 1}, kChannelsLast, true},
      {{2, 3, 1, 1}, Dims{3, 1, 1, 1}, kChannelsLast, true},
      {{2, 3, 4, 5}, Dims{60, 20, 5, 1}, kChannelsLast3d, false},  // of another rank
      {{2, 3, 4, 5, 6}, Dims{360, 1, 90, 18, 3}, kChannelsLast3d, true},
      {{kB, 3, 4, 5}, Dims{60, 1, 15, 3}, kChannelsLast, true},
      {{kB, kC, 4, 5}, Dims{Dim(20) * kC, 20, 5, 1}, kChannelsLast, std::nullopt},  // c may be 1
      {{3, 4, kC, 5}, Dims{Dim(20) * kC, 1, 20, 4}, kContiguous, false},            // whatever c is
      {{2, 3, 4, 5}, std::nullopt, kChannelsLast, std::nullopt},
  };
  const ir::Graph graph;
  for (const auto& c : cases)
    EXPECT_EQ(IsContiguous(graph, Tensor(c.dims, c.strides), c.format), c.contiguous) << "case " << &c - cases;
}

TEST(Strides, LikeChannelsLast) {
  const struct {
    Dims dims;
    std::optional<Dims> strides;
    std::optional<bool> like;
  } cases[] = {
      {{2, 3, 4}, std::nullopt, false},
      {{2, 3, 4, 5}, Dims{60, 20, 5, 1}, false},
      {{2, 3, 4, 5}, Dims{60, 1, 15, 3}, true},
      {{2, 3, 4, 5}, Dims{600, 1, 150, 3}, true},  // gaps do not matter
      {{2, 3, 4, 5}, Dims{60, 20, 1, 4}, false},   // transposed
      {{2, 3, 1, 1}, Dims{3, 1, 1, 1}, false},     // in both orders
      {{2, 3, 1, 1}, Dims{3, 1, 3, 3}, true},
      {{2, 1, 4, 5}, Dims{20, 1, 5, 1}, true},
      {{2, 3, 4, 5}, Dims{0, 0, 0, 0}, false},
      {{2, 3, 4, 5, 6}, Dims{360, 1, 90, 18, 3}, true},
      {{kB, 3, 4, 5}, Dims{60, 1, 15, 3}, std::nullopt},
      {{2, 3, 4, 5}, std::nullopt, std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(LikeChannelsLast(Tensor(c.dims, c.strides)), c.like) << "case " << &c - cases;
}

TEST(Strides, Overlaps) {
  const Dim n = Dim::Symbol("n");
  const struct {
    Dims dims;
    Dims strides;
    std::optional<bool> overlaps;
  } cases[] = {
      {{}, {}, false},
      {{2, 3}, {3, 1}, false},
      {{2, 3}, {1, 2}, false},
      {{2, 3}, {2, 1}, true},
      {{3, 2}, {1, 1}, true},
      {{2, 2}, {2, 3}, false},
      {{3, 2}, {2, 3}, false},  // 0 2 4 and 3 5 7
      {{4, 2}, {2, 6}, true},   // 6 twice
      {{3, 4}, {0, 1}, true},
      {{1, 4}, {0, 1}, false},
      {{0, 4}, {0, 0}, false},
      {{n, 4}, {4, 1}, false},
      {{n, 4}, {3, 1}, std::nullopt},  // n may be 1
      {{4, n}, {n, 1}, false},
      {{n, 4}, {0, 1}, std::nullopt},
      {{n, 3, 4}, {12, 0, 1}, true},
      {{2000, 2000, 2000}, {1, 1, 1}, std::nullopt},  // too many to look at
      {{2, 3}, {3, Dim()}, std::nullopt},
  };
  ir::Graph graph;
  graph.ranges = {{"n", {0, 10}}};
  for (const auto& c : cases) EXPECT_EQ(Overlaps(graph, c.dims, c.strides), c.overlaps) << "case " << &c - cases;
}

}  // namespace
}  // namespace onnxport::functionalize::strides_test
