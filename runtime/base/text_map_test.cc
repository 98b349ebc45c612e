#include "runtime/base/text_map.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/hash_slots.h"

namespace onnxport {
namespace {

constexpr uint32_t kTexts = 3000;  // so many that the table grows several times

std::string TextOf(uint32_t number) { return "name_" + std::to_string(number); }

TEST(TextIndex, NumbersInOrder) {
  TextIndex<> index;
  EXPECT_EQ(index.Find("name_0"), TextIndex<>::kNone);
  EXPECT_EQ(index.Find(""), TextIndex<>::kNone);
  for (uint32_t i = 0; i < kTexts; ++i) {
    EXPECT_EQ(index.Find(TextOf(i)), TextIndex<>::kNone);
    EXPECT_EQ(index.Add(TextOf(i)), std::pair(i, true));
  }
  EXPECT_EQ(index.Add(""), std::pair(kTexts, true));
  for (uint32_t i = 0; i < kTexts; ++i) {
    EXPECT_EQ(index.Find(TextOf(i)), i);
    EXPECT_EQ(index.Add(TextOf(i)), std::pair(i, false));
  }
  EXPECT_EQ(index.Find(""), kTexts);
  EXPECT_EQ(index.Find(TextOf(kTexts)), TextIndex<>::kNone);
  EXPECT_EQ(index.Find("name_"), TextIndex<>::kNone);
  EXPECT_EQ(index.size(), kTexts + 1);
}

// Among 200,000 texts, two almost certainly have the same 32 bits of a hash.
TEST(TextIndex, TellsTextsOfOneHashApart) {
  std::unordered_map<uint32_t, std::string> texts;
  std::vector<std::string> pair;
  for (uint32_t i = 0; pair.empty(); ++i) {
    const uint64_t hash = std::hash<std::string_view>()(TextOf(i));
    const auto [at, is_new] = texts.emplace(static_cast<uint32_t>(hash ^ (hash >> 32)), TextOf(i));
    if (!is_new) pair = {at->second, TextOf(i)};
  }
  TextIndex<> index;
  EXPECT_EQ(index.Add(pair[0]), std::pair(uint32_t{0}, true));
  EXPECT_EQ(index.Find(pair[1]), TextIndex<>::kNone);
  EXPECT_EQ(index.Add(pair[1]), std::pair(uint32_t{1}, true));
  EXPECT_EQ(index.Find(pair[0]), 0U);
  EXPECT_EQ(index.Find(pair[1]), 1U);
}

// Numbers and hashes have 32 bits.
TEST(HashSlots, RefusesMoreEntriesThanHaveNumbers) {
  EXPECT_NO_THROW(HashSlots<>(kTexts));
  EXPECT_THROW(HashSlots<>((size_t{1} << 31) + 1), Error);
  EXPECT_THROW(HashSlots<>(size_t{1} << 32), Error);
}

TEST(TextMap, KeepsTheFirstValueInItsPlace) {
  TextMap<std::string> map;
  EXPECT_EQ(map.Find("name_0"), nullptr);
  std::vector<std::string*> places;
  for (uint32_t i = 0; i < kTexts; ++i) {
    const auto [place, is_new] = map.Add(TextOf(i), "value of " + TextOf(i));
    EXPECT_TRUE(is_new);
    places.push_back(place);
  }
  for (uint32_t i = 0; i < kTexts; ++i) {
    EXPECT_EQ(map.Find(TextOf(i)), places[i]);
    EXPECT_EQ(*places[i], "value of " + TextOf(i));
    EXPECT_EQ(map.Add(TextOf(i), "another"), std::pair(places[i], false));
  }
  EXPECT_EQ(*map.Find("name_7"), "value of name_7");
  EXPECT_EQ(map.size(), kTexts);
}

}  // namespace
}  // namespace onnxport
