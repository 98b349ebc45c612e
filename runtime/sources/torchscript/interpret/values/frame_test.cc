#include "runtime/sources/torchscript/interpret/values/frame.h"

#include <gtest/gtest.h>

namespace onnxport::torchscript {
namespace {

int64_t IntOf(const Value& value) { return *value.As<int64_t>(); }

TEST(FrameTest, UndoRestoresAndLists) {
  Frame frame;
  frame.Set("x", {int64_t{1}});
  frame.Begin();
  frame.Set("x", {int64_t{2}});
  frame.Set("y", {int64_t{3}});
  frame.Set("x", {int64_t{4}});
  const auto changes = frame.Undo();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].name, "x");
  EXPECT_EQ(IntOf(*changes[0].before), 1);
  EXPECT_EQ(IntOf(changes[0].after), 4);
  EXPECT_FALSE(changes[1].before.has_value());
  EXPECT_EQ(IntOf(*frame.Find("x")), 1);
  EXPECT_EQ(frame.Find("y"), nullptr);
}

TEST(FrameTest, ScopesNest) {
  Frame frame;
  frame.Set("x", {int64_t{1}});
  frame.Begin();
  frame.Set("x", {int64_t{2}});
  frame.Begin();
  frame.Set("x", {int64_t{3}});
  EXPECT_EQ(IntOf(*frame.Undo()[0].before), 2);
  EXPECT_EQ(IntOf(frame.Undo()[0].after), 2);
  EXPECT_EQ(IntOf(*frame.Find("x")), 1);
}

}  // namespace
}  // namespace onnxport::torchscript
