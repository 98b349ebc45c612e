#include "runtime/ir/value_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace onnxport::ir::value_ids_test {
namespace {

std::vector<ValueId> FirstIds(size_t count) {
  std::vector<ValueId> ids;
  for (size_t i = 0; i < count; ++i) ids.push_back(After(ValueId{10}, i));
  return ids;
}

// Around the numbers at which more room is made.
TEST(ValueIds, HoldWhatWasPutIn) {
  for (size_t count = 0; count < 10; ++count) {
    const std::vector<ValueId> ids = FirstIds(count);
    ValueIds pushed;
    for (const ValueId id : ids) pushed.push_back(id);
    EXPECT_EQ(pushed.ToVector(), ids);
    EXPECT_EQ(ValueIds(ids).ToVector(), ids);
    EXPECT_EQ(ValueIds(ids), pushed);
    EXPECT_EQ(pushed.size(), count);
    EXPECT_EQ(pushed.empty(), count == 0);
    if (count > 0) {
      EXPECT_EQ(pushed.back(), After(ValueId{10}, count - 1));
    }
    EXPECT_EQ(ValueIds(count).ToVector(), std::vector<ValueId>(count, ValueId::kNone));
  }
}

TEST(ValueIds, AreNoLargerThanTwoWords) { EXPECT_LE(sizeof(ValueIds), 16U); }

TEST(ValueIds, GrowAfterTheyWereMade) {
  for (size_t count = 0; count < 10; ++count) {
    ValueIds ids = FirstIds(count);
    ids.push_back(After(ValueId{10}, count));
    EXPECT_EQ(ids.ToVector(), FirstIds(count + 1));
  }
}

TEST(ValueIds, CopiesAreTheirOwn) {
  for (const size_t count : {1, 2, 5}) {
    const ValueIds original = FirstIds(count);
    ValueIds copy = original;
    copy[0] = ValueId{7};
    EXPECT_EQ(original, ValueIds(FirstIds(count)));
    EXPECT_NE(copy, original);
    copy = original;
    EXPECT_EQ(copy, original);
  }
}

TEST(ValueIds, AMoveLeavesNone) {
  for (const size_t count : {1, 2, 5}) {
    ValueIds from = FirstIds(count);
    const ValueIds to = std::move(from);
    EXPECT_EQ(to, ValueIds(FirstIds(count)));
    EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move)
    from.push_back(ValueId{3});
    EXPECT_EQ(from, ValueIds({ValueId{3}}));
  }
}

TEST(ValueIds, OneIsTakenOut) {
  for (size_t count = 1; count < 6; ++count) {
    for (size_t i = 0; i < count; ++i) {
      std::vector<ValueId> left = FirstIds(count);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      ValueIds ids = FirstIds(count);
      ids.erase(ids.begin() + i);
      EXPECT_EQ(ids.ToVector(), left);
      for (const ValueId id : {ValueId{1}, ValueId{2}, ValueId{3}}) {  // there is room for them again
        ids.push_back(id);
        left.push_back(id);
      }
      EXPECT_EQ(ids.ToVector(), left);
    }
  }
  ValueIds ids = FirstIds(3);
  ids.clear();
  EXPECT_TRUE(ids.empty());
}

}  // namespace
}  // namespace onnxport::ir::value_ids_test
