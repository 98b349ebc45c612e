#include "runtime/sources/torchscript/interpret/values/text.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/base/memory_budget.h"

namespace onnxport::torchscript {
namespace {

TEST(TextTest, LongerOnesLeaveTheShorterAsItWas) {
  const Text a("ab");
  const Text b = a.Plus("c");
  const Text c = a.Plus("d");  // the letters behind `ab` are b's by now
  const Text d = b.Plus(b);
  EXPECT_EQ(a.get(), "ab");
  EXPECT_EQ(b.get(), "abc");
  EXPECT_EQ(c.get(), "abd");
  EXPECT_EQ(d.get(), "abcabc");
  EXPECT_TRUE(a == Text("ab"));
  EXPECT_FALSE(a == b);
}

TEST(TextTest, OneThatGrowsTakesMemoryOfItsLength) {
  const MemoryBudget budget("m.pt", 0);
  {
    Text text;
    for (int i = 0; i < 100'000; ++i) text = text.Plus("ab");
    EXPECT_EQ(text.size(), 200'000U);
    EXPECT_LT(budget.used(), 500'000U);
    const Text same = text;
    EXPECT_LT(budget.used(), 500'000U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace onnxport::torchscript
