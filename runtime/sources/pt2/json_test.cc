#include "runtime/sources/pt2/json.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"

namespace onnxport::pt2 {
namespace {

std::string ErrorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A text in blocks of that size. Each has memory of its own, which is gone with the next.
TextBlocks InBlocks(std::string_view text, size_t size) {
  return [text, size, block = std::make_shared<std::string>()]() mutable {
    *block = std::string(text.substr(0, size));
    block->shrink_to_fit();
    text.remove_prefix(block->size());
    return std::string_view(*block);
  };
}

// What a text has, in its own words; all of it as pieces of "".
std::string Told(const Json& json) {
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
      for (const Json item : json.Items()) told += std::string(item.key()) + ":" + Told(item) + " ";
      return "(" + told + ")";
    default:
      return json.is_null() ? "null" : json.AsBool() ? "true" : "false";
  }
}

std::string Told(const TextBlocks& text) {
  std::string told;
  ReadJson(text, {"", "open"}, [&](std::string_view container, std::string_view key, const Json& value) {
    told += std::string(container) + "/" + std::string(key) + "=" + Told(value) + "\n";
  });
  return told;
}

TEST(Json, Values) {
  const JsonTree tree =
      JsonTree::Parse(R"({"i": -3, "f": 1.5, "t": "x\u00e4", "b": true, "n": null, "a": [1, [2], {}], "nan": "NaN"})");
  const Json root = tree.root();
  EXPECT_EQ(root["i"].AsInt(), -3);
  EXPECT_EQ(root["i"].AsFloat(), -3);
  EXPECT_EQ(root["f"].AsFloat(), 1.5);
  EXPECT_EQ(root["t"].AsText(), "x\xc3\xa4");
  EXPECT_TRUE(root["b"].AsBool());
  EXPECT_FALSE(root.Find("n").has_value());
  EXPECT_FALSE(root.Find("absent").has_value());
  EXPECT_EQ(root["a"].Elements().size(), 3u);
  EXPECT_EQ(root["a"].Elements()[1].Elements()[0].AsInt(), 2);
  EXPECT_TRUE(std::isnan(root["nan"].AsFloat()));
  EXPECT_EQ(root.Items()[2].key(), "t");
}

TEST(Json, ErrorsSayWhere) {
  const JsonTree tree = JsonTree::Parse(R"({"a": [0, {"b": "text"}], "u": {"x": 1, "y": 2}})");
  const Json root = tree.root();
  const Json a = root["a"];
  EXPECT_EQ(ErrorOf([&] { a.Elements()[1]["b"].AsInt(); }), "at 'a/1/b': an integer expected, not text");
  EXPECT_EQ(ErrorOf([&] { a.Elements()[1]["c"]; }), "at 'a/1': 'c' is missing");
  EXPECT_EQ(ErrorOf([&] { a["x"]; }), "at 'a': an object expected, not a list");
  EXPECT_EQ(ErrorOf([&] { root["u"].Choice(); }), "at 'u': one member expected, not 2");
}

TEST(Json, NoKeyOccursTwice) {
  const struct {
    const char* text;
    const char* twice;
  } kCases[] = {
      {R"({"a": 1, "b": {"a": 1}, "a": 2})", "a"},
      {R"({"v": [{"x": 1, "y": 2, "x": 3}]})", "x"},
      {R"({"v": {"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"2":0}})", "2"},
      {R"({"g": {"n": 1, "m": 2, "n": 3}})", "n"},
      {R"({"g": {"n": 1}, "g": {"m": 2}})", "g"},
  };
  for (const auto& test : kCases) {
    const std::string expected = "'" + std::string(test.twice) + "' occurs twice in one object";
    EXPECT_EQ(ErrorOf([&] { JsonTree::Parse(test.text); }), expected);
    EXPECT_EQ(ErrorOf([&] { ReadJson(OneBlock(test.text), {"", "g"}, [](auto, auto, const Json&) {}); }), expected);
  }
}

TEST(Json, PiecesOfOpenContainers) {
  std::string seen;
  ReadJson(OneBlock(R"({"g": {"n": [{"x": 1}, {"x": 2}, 3], "m": {"k": [4, {"z": 5}], "l": 6}, "rest": {"n": []}}, "v": 7})"),
           {"", "g", "g/n", "g/m"}, [&](std::string_view container, std::string_view key, const Json& value) {
             seen += std::string(container) + ":" + std::string(key) + "=" +
                     std::to_string(static_cast<int>(value.kind())) + " ";
             if (key == "k") {
               EXPECT_EQ(value.Elements()[1]["z"].AsInt(), 5);
             }
             if (container == "g/n" && value.kind() == Json::Kind::kObject) {
               EXPECT_GE(value["x"].AsInt(), 1);
             }
           });
  EXPECT_EQ(seen, "g/n:=6 g/n:=6 g/n:=2 g/m:k=5 g/m:l=2 g:rest=6 :v=2 ");
}

TEST(Json, PlaceOfAPiece) {
  EXPECT_EQ(ErrorOf([] {
              ReadJson(OneBlock(R"({"g": {"k": {"q": []}}})"), {"", "g"},
                       [](auto, auto, const Json& value) { value["q"].AsText(); });
            }),
            "at 'g/k/q': text expected, not a list");
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const std::string text : {"", "{", "{\"a\": }", "[1, 2", "\"\xff\"", "{} x", "nul", "{\"a\" 1}"}) {
    EXPECT_TRUE(ErrorOf([&] { JsonTree::Parse(text); }).starts_with("no valid JSON at byte ")) << text;
    EXPECT_NE(ErrorOf([&] { ReadJson(OneBlock(text), {""}, [](auto, auto, auto) {}); }), "no error") << text;
  }
}

TEST(Json, DepthIsCapped) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(ErrorOf([&] { JsonTree::Parse(deep); }), "nested deeper than 200");
  EXPECT_EQ(ErrorOf([&] { ReadJson(OneBlock(deep), {""}, [](auto, auto, auto) {}); }), "nested deeper than 200");
}

TEST(Json, Numbers) {
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
      // What has no int64 is a float: nobody takes it for another integer.
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

TEST(Json, RefusesWhatIsNoNumber) {
  for (const std::string text : {"1e400", "-1e400", "1.8e308", "1e99999999999", "01", "-", "+1", ".5", "1.", "1e", "1e+",
                                 "0x1", "NaN", "Infinity", "-Infinity", "--1", "1 2", "1_0"}) {
    EXPECT_TRUE(ErrorOf([&] { JsonTree::Parse("[" + text + "]"); }).starts_with("no valid JSON at byte ")) << text;
  }
  EXPECT_NE(ErrorOf([] { JsonTree::Parse(std::string(400, '9')); }), "no error");
}

TEST(Json, Texts) {
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
      EXPECT_EQ(Told(InBlocks(test.text, size)), told) << test.text << " in blocks of " << size;
    }
  }
}

TEST(Json, RefusesWhatIsNoText) {
  const std::string kCases[] = {
      "\"\xff\"",              // in no UTF-8
      "\"\xc0\x80\"",          // two bytes for a character of one
      "\"\xe0\x80\x80\"",      // three
      "\"\xed\xa0\x80\"",      // half of a pair
      "\"\xf4\x90\x80\x80\"",  // beyond the last character
      "\"\xe2\x82\"",          // cut off
      "\"\xe2\x82",            "\"a\nb\"",       "\"a\x01\"",       R"("\x41")",  R"("\u12")",
      R"("\u12G4")",           R"("\ud83d")",    R"("\ud83d\n")",   R"("\ude00")", R"("\ud83d\ud83d")",
      R"("abc)",               R"("abc\)",       std::string("\"a\0b\"", 5),
  };
  for (const std::string& text : kCases) {
    for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
      EXPECT_TRUE(ErrorOf([&] { Told(InBlocks(text, size)); }).starts_with("no valid JSON")) << text;
    }
  }
}

// RapidJSON takes a NUL for the end of a text.
TEST(Json, NothingFollowsANul) {
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("{}\0{}", 5)); }), "no valid JSON at byte 3");
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("[1]\0", 4)); }), "no valid JSON at byte 4");
  EXPECT_EQ(ErrorOf([] { JsonTree::Parse(std::string_view("\0[1]", 4)); }), "no valid JSON at byte 1");
}

TEST(Json, BadJsonIsPlacedInTheWholeText) {
  const std::string text = R"({"a": [1, 2], "b": })";
  for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}})
    EXPECT_EQ(ErrorOf([&] { Told(InBlocks(text, size)); }), "no valid JSON at byte 20");
}

// Keys, numbers, escapes, words and characters of more than one byte, cut by the ends of blocks at every place.
constexpr std::string_view kMixed =
    R"( {"open": {"a long key of \"some\" length": -12345.5e-1, "\u00e4\ud83d\ude00": [true, false, null, "x\\y"]},
 "t": "ä€😀 plain text that is longer than a word of the machine", "n": 9223372036854775807, "o": {"p": {}, "q": []}} )";

TEST(Json, BlocksOfAnySizeAreTheSameText) {
  const std::string whole = Told(OneBlock(kMixed));
  EXPECT_NE(whole.find("open/a long key of \"some\" length=f-1234.550000\n"), std::string::npos) << whole;
  for (size_t size = 1; size <= kMixed.size(); ++size) EXPECT_EQ(Told(InBlocks(kMixed, size)), whole) << size;
}

TEST(Json, ATextThatEndsTooEarlyIsRefused) {
  for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
    for (size_t end = 0; end + 2 < kMixed.size(); ++end) {
      const std::string error = ErrorOf([&] { Told(InBlocks(kMixed.substr(0, end), size)); });
      EXPECT_TRUE(error.starts_with("no valid JSON at byte ")) << end << ": " << error;
    }
  }
}

// Of a text much larger than the budget only one piece is held.
TEST(Json, MemoryIsThatOfAPiece) {
  const std::string call = R"({"target": "torch.ops.aten.relu.default", "inputs": [1, 2, {"a": "b"}], "outputs": null},)";
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
  EXPECT_NE(ErrorOf([&] { ReadJson(text, {}, [](auto, auto, auto) {}); }), "no error");
  given = 0;
  const auto word = [&]() -> std::string_view { return ++given == 1 ? "\"" : given > kCalls ? "" : "aaaaaaaaaaaaaaaa"; };
  EXPECT_NE(ErrorOf([&] { ReadJson(word, {}, [](auto, auto, auto) {}); }).find("memory"), std::string::npos);
  EXPECT_LT(given, 10'000u);
}

}  // namespace
}  // namespace onnxport::pt2
