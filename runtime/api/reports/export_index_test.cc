#include "onnxport/export_index.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

namespace onnxport::export_index_test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json Exported() {
  return {{"tool", {{"name", "onnxport"}}},
          {"source", "a.pt2"},
          {"result", "exported"},
          {"options", {{"opset", 17}}},
          {"nodes", 3},
          {"weights", 2},
          {"warnings", {{{"code", "W0600"}, {"text", "may be wrong"}}}},
          {"remarks", {"x is <fixed>"}},
          {"files", {{"model_bytes", 1000}, {"data_file", "a.onnx.data"}, {"data_bytes", 24}}}};
}

json Refused() {
  return {{"tool", {{"name", "onnxport"}}},
          {"source", "b.pt"},
          {"result", "cannot_export"},
          {"options", {{"opset", 9}}},
          {"failure",
           {{"diagnostics",
             {{{"op", "aten::roll"}, {"calls", 2}, {"reason", "axis 4 is outside"}}, {{"reason", "no inputs"}}}}}}};
}

TEST(ExportIndex, HasARowForEachExport) {
  const auto index = IndexExports(
      {{"a", Exported().dump(), "12ab  a.onnx\n34cd  a.onnx.data\n"}, {"b", Refused().dump()}}, "Our models");
  ASSERT_TRUE(index) << index.error().Text();
  const json read = json::parse(index->json);
  EXPECT_EQ(read["tool"]["name"], "onnxport");
  EXPECT_EQ(read["models"][0], (json{{"name", "a"},
                                     {"source", "a.pt2"},
                                     {"opset", 17},
                                     {"result", "exported"},
                                     {"nodes", 3},
                                     {"weights", 2},
                                     {"bytes", 1024},
                                     {"sha256", {{"a.onnx", "12ab"}, {"a.onnx.data", "34cd"}}},
                                     {"warnings", {"W0600: may be wrong"}},
                                     {"remarks", {"x is <fixed>"}}}));
  EXPECT_EQ(read["models"][1], (json{{"name", "b"},
                                     {"source", "b.pt"},
                                     {"opset", 9},
                                     {"result", "cannot_export"},
                                     {"refusals", {"aten::roll (2 calls): axis 4 is outside", "no inputs"}}}));
  EXPECT_THAT(index->not_exported, ElementsAre("b"));
  EXPECT_THAT(index->html, HasSubstr("<h1>Our models</h1>"));
  EXPECT_THAT(index->html, HasSubstr("1 exported, 1 not"));
  EXPECT_THAT(index->html, HasSubstr("x is &lt;fixed&gt;"));
  EXPECT_THAT(index->html, HasSubstr("<td>1.0 KiB</td>"));
  EXPECT_THAT(index->html, HasSubstr("aten::roll (2 calls): axis 4 is outside; no inputs"));
}

TEST(ExportIndex, RefusesWhatIsNoRecord) {
  json no_opset = Exported();
  no_opset.erase("options");
  for (const std::string& text : {std::string("{"), std::string("[]"), std::string("{}"), no_opset.dump()}) {
    const auto index = IndexExports({{"the name", text}}, "");
    ASSERT_FALSE(index) << text;
    EXPECT_EQ(index.error().kind(), ErrorKind::kBadInput);
    EXPECT_THAT(index.error().Text(), HasSubstr("the name: no "));
  }
}

// Any other kind of value in the place of each that is read.
TEST(ExportIndex, RefusesOtherTypes) {
  const json values[] = {nullptr, true, -1, 1.5, uint64_t{1} << 63, "text", json::array({1}), {{"a", 1}}};
  const char* const places[] = {"/tool",
                                "/source",
                                "/result",
                                "/options",
                                "/nodes",
                                "/files",
                                "/weights",
                                "/options/opset",
                                "/tool/name",
                                "/warnings",
                                "/remarks",
                                "/files/model_bytes",
                                "/files/data_bytes"};
  int refused = 0;
  for (const char* const path : places) {
    const json::json_pointer place(path);
    for (const json& value : values) {
      json report = Exported();
      const bool same = report[place].is_string() && value.is_string();
      report[place] = value;
      const auto index = IndexExports({{"the name", report.dump()}}, "");
      if (same) {
        EXPECT_TRUE(index) << report.dump();
        continue;
      }
      // An object that lacks what is looked for is no tool that is known.
      if (index && value.is_object() && path == std::string("/tool")) continue;
      ASSERT_FALSE(index) << report.dump();
      EXPECT_EQ(index.error().kind(), ErrorKind::kBadInput);
      EXPECT_THAT(index.error().Text(), HasSubstr("the name: no record of an export"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 80);
}

TEST(ExportIndex, RefusesSizesBeyondAll) {
  json report = Exported();
  report["files"]["model_bytes"] = INT64_MAX;
  report["files"]["data_bytes"] = 1;
  const auto index = IndexExports({{"the name", report.dump()}}, "");
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().Text(), HasSubstr("more bytes than there can be"));
}

TEST(ExportIndex, RefusesDeepJson) {
  const auto deep = [](size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  for (const size_t levels : {201, 100'000}) {
    const auto index = IndexExports({{"the name", deep(levels)}}, "");
    ASSERT_FALSE(index);
    EXPECT_THAT(index.error().Text(), HasSubstr("the name: JSON is nested more than 200 deep"));
  }
  EXPECT_THAT(IndexExports({{"the name", deep(200)}}, "").error().Text(), HasSubstr("no record"));
}

TEST(ExportIndex, RefusesWhatIsNoUtf8) {
  EXPECT_EQ(IndexExports({{"a\xff", Exported().dump()}}, "").error().Text(), "a\\xff: its name is no UTF-8");
  EXPECT_EQ(IndexExports({{"a", Exported().dump(), "12ab  \xff\n"}}, "").error().Text(),
            "a: its checksums are no UTF-8");
  EXPECT_EQ(IndexExports({{"a", "\"\xff\""}}, "").error().kind(), ErrorKind::kBadInput);
}

TEST(ExportIndex, TakesTheLastOfTwoSums) {
  const auto index = IndexExports({{"a", Exported().dump(), "1  b\n2  a\n3  b\n"}}, "");
  ASSERT_TRUE(index);
  EXPECT_THAT(index->json, HasSubstr("\"b\": \"3\",\n        \"a\": \"2\""));
}

// With a look at all names for each they took minutes.
TEST(ExportIndex, ManySumsTakeTimeInProportion) {
  const auto seconds = [](int sums) {
    std::string text;
    for (int i = 0; i < sums; ++i) text += fmt::format("12ab  model_{}\n", i);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(IndexExports({{"a", Exported().dump(), text}}, ""));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  EXPECT_LT(seconds(100'000), 20);
}

}  // namespace
}  // namespace onnxport::export_index_test
