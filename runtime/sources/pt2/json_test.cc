#include "runtime/sources/pt2/json.h"

#include <cmath>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/error.h"

namespace onnxport::pt2::json_test {
namespace {

std::string ErrorOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
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
  ReadJson(
      OneBlock(
          R"({"g": {"n": [{"x": 1}, {"x": 2}, 3], "m": {"k": [4, {"z": 5}], "l": 6}, "rest": {"n": []}}, "v": 7})"),
      {"", "g", "g/n", "g/m"}, [&](std::string_view container, std::string_view key, const Json& value) {
        seen += std::string(container) + ":" + std::string(key) + "=" + std::to_string(static_cast<int>(value.kind())) +
                " ";
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

}  // namespace
}  // namespace onnxport::pt2::json_test
