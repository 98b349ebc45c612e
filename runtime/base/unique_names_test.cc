#include "runtime/base/unique_names.h"

#include "gtest/gtest.h"

namespace onnxport::ir {
namespace {

TEST(UniqueNames, NumbersWhatIsTaken) {
  UniqueNames names;
  EXPECT_EQ(names.Take("x"), "x");
  EXPECT_EQ(names.Take("x"), "x_1");
  EXPECT_EQ(names.Take("x_2"), "x_2");
  EXPECT_EQ(names.Take("x"), "x_3");
  EXPECT_EQ(names.Take("x_1"), "x_1_1");
  EXPECT_EQ(names.Take(""), "");
  EXPECT_EQ(names.Take(""), "_1");
}

TEST(UniqueNames, ManyEqualNamesAreCheap) {
  UniqueNames names;
  std::string last;
  for (int i = 0; i < 200'000; ++i) last = names.Take("x");
  EXPECT_EQ(last, "x_199999");
}

}  // namespace
}  // namespace onnxport::ir
