#include "runtime/base/memory_budget.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/base/error.h"

namespace onnxport {
namespace {

using Bytes = std::vector<char, BudgetAllocator<char>>;

TEST(MemoryBudget, CountsWhatContainersHold) {
  const MemoryBudget budget("m.pt", 0);
  {
    Bytes bytes(1000);
    EXPECT_EQ(budget.used(), 1000u);
    const Bytes copy = bytes;
    EXPECT_EQ(budget.used(), 2000u);
    const BudgetText text(std::string(500, 'x'));
    const BudgetText again = text;
    EXPECT_EQ(budget.used(), 3000u);
    Charge charge(7);
    charge.Add(3);
    const Charge moved = std::move(charge);
    EXPECT_EQ(budget.used(), 3010u);
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(MemoryBudget, RefusesWithPlaceAndLimit) {
  const MemoryBudget budget("m.pt", 100);
  EXPECT_EQ(budget.limit(), uint64_t{256} << 20);
  EXPECT_EQ(MemoryBudget::LimitOf(uint64_t{4} << 20), uint64_t{256} << 20);
  EXPECT_EQ(MemoryBudget::LimitOf(uint64_t{5} << 20), uint64_t{288} << 20);
  EXPECT_EQ(MemoryBudget::LimitOf(UINT64_MAX / 32), UINT64_MAX);
  const MemoryBudget::Place place([] { return "record 'data.pkl'"; });
  try {
    const Bytes bytes((size_t{256} << 20) + 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMemoryBudget);
    EXPECT_EQ(std::string(error.what()),
              "record 'data.pkl' needs more memory than a file of 100 bytes is given: 268435456 bytes (32 for "
              "each of its own and 128 MiB, at least 256 MiB); for a file that you trust, "
              "ExportOptions::memory_budget gives more");
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(MemoryBudget, CanBeGiven) {
  const MemoryBudget budget("m.pt", 100, 5000, "");
  EXPECT_EQ(budget.limit(), 5000u);
  try {
    const Bytes bytes(5001);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "m.pt: what it describes needs more memory than the budget of 5000 bytes");
  }
}

TEST(MemoryBudget, IsTheInnermostOnesAndNobodysOutside) {
  const Bytes outside(10);
  const MemoryBudget outer("a", 0);
  {
    const MemoryBudget inner("b", 0);
    const Bytes bytes(10);
    EXPECT_EQ(inner.used(), 10u);
  }
  EXPECT_EQ(outer.used(), 0u);
}

}  // namespace
}  // namespace onnxport
