#include "runtime/base/rare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace onnxport {
namespace {

using ::testing::ElementsAre;
using Text = Rare<std::string>;

TEST(Rare, HoldsAValueOrNone) {
  EXPECT_FALSE(Text());
  EXPECT_FALSE(Text(std::nullopt));
  EXPECT_FALSE(Text(std::optional<std::string>()));
  EXPECT_EQ(*Text(std::optional<std::string>("a")), "a");
  Text text = std::string("a");
  EXPECT_TRUE(text.has_value());
  EXPECT_EQ(text->size(), 1U);
  text.emplace(2, 'b');
  EXPECT_EQ(*text, "bb");
  text.reset();
  EXPECT_FALSE(text);
  text = std::string("c");
  text = {};
  EXPECT_FALSE(text);
}

TEST(Rare, CopiesAreTheirOwn) {
  const Text original = std::string("a");
  Text copy = original;
  *copy += "b";
  EXPECT_EQ(*original, "a");
  copy = original;
  EXPECT_EQ(*copy, "a");
  EXPECT_FALSE(Text(Text()));
  const Text moved = std::move(copy);
  EXPECT_EQ(*moved, "a");
}

TEST(Rare, IsEqualByWhatItHolds) {
  EXPECT_EQ(Text(), Text());
  EXPECT_EQ(Text(std::string("a")), Text(std::string("a")));
  EXPECT_NE(Text(std::string("a")), Text(std::string("b")));
  EXPECT_NE(Text(std::string("a")), Text());
  EXPECT_NE(Text(), Text(std::string("a")));
  EXPECT_NE(Text(), Text(std::string()));
}

TEST(RareList, IsAList) {
  RareList<std::string> list;
  EXPECT_TRUE(list.empty());
  EXPECT_THAT(list, ElementsAre());
  list.push_back("a");
  EXPECT_EQ(list.emplace_back(2, 'b'), "bb");
  EXPECT_THAT(list, ElementsAre("a", "bb"));
  EXPECT_EQ(list[1], "bb");
  EXPECT_EQ(list.back(), "bb");
  std::erase(list.vector(), "a");
  EXPECT_THAT(list, ElementsAre("bb"));
  RareList<std::string> copy = list;
  copy[0] = "c";
  EXPECT_THAT(list, ElementsAre("bb"));
  list.clear();
  EXPECT_EQ(list.size(), 0U);
  EXPECT_THAT(RareList<std::string>(std::vector<std::string>{"d", "e"}), ElementsAre("d", "e"));
  EXPECT_TRUE(RareList<std::string>(std::vector<std::string>()).empty());
}

// An empty list takes one word.
TEST(RareList, OfNothingHoldsNothing) {
  EXPECT_EQ(RareList<int>(std::vector<int>()).begin(), nullptr);
  EXPECT_EQ(sizeof(RareList<int>), sizeof(void*));
  EXPECT_EQ(sizeof(Text), sizeof(void*));
}

}  // namespace
}  // namespace onnxport
