// Each call that PyTorch refuses and that gives a value here has a reason, and each reason is needed.
#include "tests/arguments/taken.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace onnxport::arguments {
namespace {

const TakenTable& Checked() {
  static const TakenTable table = ReadTaken("tests/arguments/taken.txt");
  return table;
}

TEST(Taken, EachRowHasItsReason) {
  ASSERT_FALSE(Checked().empty());
  for (const auto& [overload, taken] : Checked()) {
    for (const auto& [refusal, written] : taken.refusals) {
      const TakenReason* reason = ReasonOf(overload, refusal);
      ASSERT_NE(reason, nullptr) << "taken_reasons.txt has no reason for " << overload << ": " << refusal;
      EXPECT_EQ(written, reason->reason) << overload << ": " << refusal
                                         << "\nif this is right: ./bazelw run //tests/arguments:update_taken";
    }
  }
}

TEST(Taken, EachReasonHasARow) {
  std::set<const TakenReason*> used;
  for (const auto& [overload, taken] : Checked()) {
    for (const auto& [refusal, written] : taken.refusals) used.insert(ReasonOf(overload, refusal));
  }
  for (const TakenReason& reason : TakenReasons())
    EXPECT_TRUE(used.contains(&reason)) << "no row of taken.txt needs it: " << reason.pattern;
}

TEST(Taken, IsReadAsItWasWritten) {
  const std::string path = testing::TempDir() + "/taken.txt";
  TakenTable table;
  table["aten::elu"] = {.counts = "2 give a value, 1 refused",
                        .refusals = {{"it is too large", "we do not look"}, {"unknown sizes: too large", ""}}};
  TakenTable written = table;
  written["aten::relu"] = {.counts = "3 refused", .refusals = {}};  // as PyTorch does
  WriteTaken(written, path);
  const TakenTable read = ReadTaken(path);
  ASSERT_EQ(read.size(), table.size());
  for (const auto& [overload, taken] : table) {
    EXPECT_EQ(read.at(overload).counts, taken.counts);
    EXPECT_EQ(read.at(overload).refusals, taken.refusals);
  }
}

}  // namespace
}  // namespace onnxport::arguments
