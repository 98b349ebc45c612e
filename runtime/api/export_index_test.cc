#include "onnxport/export_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace onnxport::export_index_test
