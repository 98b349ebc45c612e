#include "runtime/lowering/stated_dims.h"

#include <gtest/gtest.h>

#include <string>

namespace onnxport::lowering {
namespace {

struct Case {
  const char* stated;
  int64_t number;
  bool agrees;
};

TEST(StatedDims, AnExpressionThatNeverVariesIsItsNumber) {
  const ir::Ranges ranges = {{"s0", {.min = 2, .max = 512}}, {"s1", {.min = 0, .max = std::nullopt}}};
  const Case kCases[] = {
      {"-Max(1 - s0, 0) + 1", 1, true},
      {"((Mod(3*s1, 4) + s1)//(((Mod(3*s1, 4) + s1)//4)))", 4, true},
      {"Min(s1, 512)", 512, false},
      {"Max(s1 - 100, 0)", 0, false},
      {"Max(s0 - 511, 0)", 0, false},
      {"Max(s0 - 512, 0)", 0, true},
      {"s0", 2, false},
      {"s0*s1", 4, false},
      {"(s0//1024)", 0, true},
      {"Mod(s1, 2)", 0, false},
      {"Max(0, Min(zuf1 - zuf0 - 1, 7))", 7, true},
      {"Max(0, Min(zuf1 - zuf0 - 1, 7))", 8, false},
      {"Max(u0, s1)", 2, false},
      {"u0", 3, false},
  };
  for (const Case& c : kCases) {
    std::string error;
    const auto stated = ir::Dim::Parse(c.stated, &error);
    ASSERT_TRUE(stated.has_value()) << c.stated << ": " << error;
    EXPECT_EQ(AgreesWith(*stated, c.number, ranges), c.agrees) << c.stated << " and " << c.number;
  }
}

}  // namespace
}  // namespace onnxport::lowering
