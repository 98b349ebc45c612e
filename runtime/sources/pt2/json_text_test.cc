// The forms that a text of JSON may have: numbers, characters, blocks that end anywhere.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/testing/error_of.h"

namespace onnxport::pt2::json_text_test {
namespace {

std::string ErrorOf(const std::function<void()>& f) { return onnxport::ErrorOf(ErrorKind::kBadInput, f); }

// A text in blocks of that size. Each has memory of its own, which is gone with the next.
TextBlocks InBlocks(std::string_view text, size_t size) {
  return [text, size, block = std::make_shared<std::string>()]() mutable {
    *block = std::string(text.substr(0, size));
    block->shrink_to_fit();
    text.remove_prefix(block->size());
    return std::string_view(*block);
  };
}

// Spells out the values of a text; all of it as pieces of "".
std::string Described(const Json& json) {
  std::string told;
  switch (json.kind()) {
    case Json::Kind::kInt:
      return std::to_string(json.AsInt());
    case Json::Kind::kFloat:
      return "f" + std::to_string(json.AsFloat());
    case Json::Kind::kText:
      return "'" + std::string(json.AsText()) + "'";
    case Json::Kind::kArray:
    case Json::Kind::kObject:
      for (const Json item : json.Items()) told += std::string(item.key()) + ":" + Described(item) + " ";
      return "(" + told + ")";
    default:
      return json.is_null() ? "null" : json.AsBool() ? "true" : "false";
  }
}

std::string Described(const TextBlocks& text) {
  std::string told;
  ReadJson(text, {"", "open"}, [&](std::string_view container, std::string_view key, const Json& value) {
    told += std::string(container) + "/" + std::string(key) + "=" + Described(value) + "\n";
  });
  return told;
}

TEST(JsonText, Numbers) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  const struct {
    std::string text;
    double value;
    bool integer = false;
  } kCases[] = {
      {"0", 0, true},
      {"-0", 0, true},
      {"-12", -12, true},
      {"9223372036854775807", kTwoTo63, true},
      {"-9223372036854775808", -kTwoTo63, true},
      // A number beyond int64 is a float: nobody takes it for another integer.
      {"9223372036854775808", kTwoTo63},
      {"-9223372036854775809", -kTwoTo63},
      {"18446744073709551615", 2 * kTwoTo63},
      {"18446744073709551616", 2 * kTwoTo63},
      {"-0.0", -0.0},
      {"1e2", 100},
      {"1E+2", 100},
      {"-1.5e-3", -0.0015},
      {"0.1", 0.1},
      {"0.30000000000000004", 0.30000000000000004},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"5e-324", std::numeric_limits<double>::denorm_min()},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"9007199254740993.00000000000000000001", 9007199254740994.0},
      {"1e-400", 0},
      {"-1e-400", -0.0},
      {"1e-99999999999", 0},
      {"0." + std::string(400, '0') + "1", 0},
      {"0." + std::string(400, '0') + "1e-2147483639", 0},
  };
  for (const auto& test : kCases) {
    const JsonTree tree = JsonTree::Parse("[" + test.text + "]");
    const Json number = tree.root().Items().front();
    EXPECT_EQ(number.kind(), test.integer ? Json::Kind::kInt : Json::Kind::kFloat) << test.text;
    EXPECT_EQ(number.AsFloat(), test.value) << test.text;
    EXPECT_EQ(std::signbit(number.AsFloat()), std::signbit(test.value)) << test.text;
  }
  EXPECT_EQ(JsonTree::Parse("9223372036854775807").root().AsInt(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(JsonTree::Parse("-9223372036854775808").root().AsInt(), std::numeric_limits<int64_t>::min());
}

TEST(JsonText, RefusesWhatIsNoNumber) {
  for (const std::string text :
       {"1e400", "-1e400", "1.8e308", "1e99999999999", "1e9223372036854775807", "01", "-", "+1", ".5", "1.", "1e",
        "1e+", "0x1", "NaN", "Infinity", "-Infinity", "--1", "1 2", "1_0"}) {
    EXPECT_TRUE(ErrorOf([&] { JsonTree::Parse("[" + text + "]"); }).starts_with("no valid JSON at byte ")) << text;
  }
  EXPECT_NE(ErrorOf([] { JsonTree::Parse(std::string(400, '9')); }), "no error");
}

TEST(JsonText, Texts) {
  const struct {
    std::string_view text, value;
  } kCases[] = {
      {R"("")", ""},
      {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
      {R"("\u00e4\u00E4\ud83d\ude00")", "\xc3\xa4\xc3\xa4\xf0\x9f\x98\x80"},
      {R"("a\u0000b")", std::string_view("a\0b", 3)},
      {"\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f"},
      {"\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
  };
  for (const auto& test : kCases) {
    for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
      const std::string told = "/=" + ("'" + std::string(test.value) + "'") + "\n";
      EXPECT_EQ(Described(InBlocks(test.text, size)), told) << test.text << " in blocks of " << size;
    }
  }
}

TEST(JsonText, RefusesWhatIsNoText) {
  const std::string kCases[] = {
      "\"\xff\"",              // in no UTF-8
      "\"\xc0\x80\"",          // two bytes for a character of one
      "\"\xe0\x80\x80\"",      // three
      "\"\xed\xa0\x80\"",      // half of a pair
      "\"\xf4\x90\x80\x80\"",  // beyond the last character
      "\"\xe2\x82\"",          // cut off
      "\"\xe2\x82",
      "\"a\nb\"",
      "\"a\x01\"",
      R"("\x41")",
      R"("\u12")",
      R"("\u12G4")",
      R"("\ud83d")",
      R"("\ud83d\n")",
      R"("\ude00")",
      R"("\ud83d\ud83d")",
      R"("abc)",
      R"("abc\)",
      std::string("\"a\0b\"", 5),
  };
  for (const std::string& text : kCases) {
    for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
      EXPECT_TRUE(ErrorOf([&] { Described(InBlocks(text, size)); }).starts_with("no valid JSON")) << text;
    }
  }
}

// Peek gives a NUL at the end of a text, too.
TEST(JsonText, NothingFollowsANul) {
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("{}\0{}", 5)); }), "no valid JSON at byte 3");
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("[1]\0", 4)); }), "no valid JSON at byte 4");
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("\0[1]", 4)); }), "no valid JSON at byte 1");
}

TEST(JsonText, BadJsonIsPlacedInTheWholeText) {
  const struct {
    std::string text;
    int byte;
  } kCases[] = {
      {R"({"a": [1, 2], "b": })", 20},
      {"[nul]", 5},
      {"[1, 2", 6},
      {"\"a\nb\"", 3},
      {R"(["ab\x"])", 6},
      {"{\"a\" 1}", 6},
  };
  for (const auto& [text, byte] : kCases) {
    for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}})
      EXPECT_EQ(ErrorOf([&] { Described(InBlocks(text, size)); }), "no valid JSON at byte " + std::to_string(byte))
          << text;
  }
}

// Keys, numbers, escapes, words and characters of more than one byte, cut by the ends of blocks at every place.
constexpr std::string_view kMixed =
    R"( {"open": {"a long key of \"some\" length": -12345.5e-1, "\u00e4\ud83d\ude00": [true, false, null, "x\\y"]},
 "t": "ä€😀 plain text that is longer than a word of the machine", "n": 9223372036854775807, "o": {"p": {}, "q": []}} )";

TEST(JsonText, BlocksOfAnySizeAreTheSameText) {
  const std::string whole = Described(OneBlock(kMixed));
  EXPECT_NE(whole.find("open/a long key of \"some\" length=f-1234.550000\n"), std::string::npos) << whole;
  for (size_t size = 1; size <= kMixed.size(); ++size) EXPECT_EQ(Described(InBlocks(kMixed, size)), whole) << size;
}

TEST(JsonText, ATextThatEndsTooEarlyIsRefused) {
  for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
    for (size_t end = 0; end + 2 < kMixed.size(); ++end) {
      const std::string error = ErrorOf([&] { Described(InBlocks(kMixed.substr(0, end), size)); });
      EXPECT_TRUE(error.starts_with("no valid JSON at byte ")) << end << ": " << error;
    }
  }
}

// For a text much larger than the budget, only one piece is in memory.
TEST(JsonText, MemoryIsThatOfAPiece) {
  const std::string call =
      R"({"target": "torch.ops.aten.relu.default", "inputs": [1, 2, {"a": "b"}], "outputs": null},)";
  constexpr size_t kCalls = 200'000;  // 18 MB
  const MemoryBudget budget("a generated text", 0, uint64_t{64} << 10);
  size_t given = 0;
  const auto text = [&]() -> std::string_view {
    if (given > kCalls + 1) return {};
    ++given;
    return given == 1 ? R"({"nodes": [)" : given == kCalls + 2 ? "0]}" : std::string_view(call);
  };
  size_t pieces = 0;
  ReadJson(text, {"", "nodes"}, [&](auto, auto, const Json&) { ++pieces; });
  EXPECT_EQ(pieces, kCalls + 1);
  // The same text as one piece, and as one word, is more than may be held.
  given = 0;
  const auto refused = [](const TextBlocks& blocks) {
    return onnxport::ErrorOf(ErrorKind::kMemoryBudget, [&] { ReadJson(blocks, {}, [](auto, auto, auto) {}); });
  };
  EXPECT_NE(refused(text), "no error");
  given = 0;
  const auto word = [&]() -> std::string_view {
    return ++given == 1 ? "\"" : given > kCalls ? "" : "aaaaaaaaaaaaaaaa";
  };
  EXPECT_NE(refused(word), "no error");
  EXPECT_LT(given, 10'000u);
}

}  // namespace
}  // namespace onnxport::pt2::json_text_test
