#include "onnxport/export_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "onnxport/version.h"

namespace onnxport::export_report_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Model Mnist(const ExportOptions& options) {
  Result<Model> model = Export(Source::File(std::getenv("MNIST")), options);
  EXPECT_TRUE(model) << model.error().Text();
  return std::move(model).value();
}

Report Failure() {
  Diagnostic call{.code = Code::kUnsupportedCall,
                  .op = "aten::roll",
                  .calls = 2,
                  .reason = "axis 4 is outside a rank of 2",
                  .opset = 11,
                  .spec = "spec/aten/shape.yaml:3"};
  call.sites = {{.module = "layer1.0", .file = "/home/me/my net.py", .line = 12, .code = "x.roll(4)", .node = "roll"},
                {.module = "layer2", .file = "net.py"}};
  Diagnostic other{.reason = "an output is a \xff text"};
  return {ErrorKind::kCannotExport, {call, other}, "the model cannot be exported at opset 9"};
}

TEST(ExportReport, FormatIsTheEnding) {
  EXPECT_EQ(*ReportFormatOf("a.json"), ReportFormat::kJson);
  EXPECT_EQ(*ReportFormatOf("b/a.md"), ReportFormat::kMarkdown);
  EXPECT_EQ(*ReportFormatOf("a.b.sarif"), ReportFormat::kSarif);
  for (const char* file : {"report", "a.txt", "a.json.gz"}) {
    const auto format = ReportFormatOf(file);
    ASSERT_FALSE(format) << file;
    EXPECT_EQ(format.error().kind(), ErrorKind::kUsage);
  }
}

TEST(ExportReport, JsonSaysWhatBecameOfEachOperator) {
  const ExportOptions options{.opset = 17, .inputs = {TensorInput("x", kFloat32, {Sym("n").Between(2, 8), 1, 28, 28})}};
  const Model model = Mnist(options);
  const ExportRecord record{
      .source = "mnist.pt2", .options = options, .model = &model, .files = SaveReport{.model_bytes = 7}};
  const json read = json::parse(TextOf(record, ReportFormat::kJson));
  EXPECT_EQ(read["result"], "exported");
  EXPECT_EQ(read["tool"]["version"], kVersion);
  EXPECT_EQ(read["tool"]["build"], BuildText());
  EXPECT_EQ(read["options"]["inputs"][0], "x=float32[n=2..8,1,28,28]");
  EXPECT_EQ(read["inputs"][0]["shape"], (json{"n", 1, 28, 28}));
  EXPECT_EQ(read["axes"]["n"], (json{{"input", "x"}, {"axis", 0}, {"min", 2}, {"max", 8}}));
  EXPECT_EQ(read["files"]["model_bytes"], 7);
  EXPECT_EQ(read["stages"].size(), 3u);
  int64_t nodes = 0;
  bool conv = false;
  for (const json& op : read["operators"]) {
    for (const auto& [name, count] : op["nodes"].items()) nodes += count.get<int64_t>();
    if (op["name"] != "aten::conv2d") continue;
    conv = true;
    EXPECT_EQ(op["calls"], 2);
    EXPECT_EQ(op["nodes"], (json{{"Conv", 2}}));
    EXPECT_THAT(op["spec"].get<std::string>(), HasSubstr("spec/aten/"));
  }
  EXPECT_TRUE(conv);
  EXPECT_EQ(nodes, model.nodes());
  EXPECT_FALSE(read.contains("failure"));
}

TEST(ExportReport, JsonOfAFailure) {
  const ExportOptions options{.opset = 9};
  const Report failure = Failure();
  const json read =
      json::parse(TextOf({.source = "m.pt2", .options = options, .failure = &failure}, ReportFormat::kJson));
  EXPECT_EQ(read["result"], "cannot_export");
  EXPECT_EQ(read["failure"], json::parse(failure.Json()));
  EXPECT_FALSE(read.contains("operators"));
}

TEST(ExportReport, Markdown) {
  const ExportOptions options{.opset = 9};
  const Report failure = Failure();
  const std::string text =
      TextOf({.source = "m_1.pt2", .options = options, .failure = &failure}, ReportFormat::kMarkdown);
  EXPECT_THAT(text, HasSubstr("# Export of m\\_1.pt2\n"));
  EXPECT_THAT(text, HasSubstr("* E0200: aten::roll (2 calls): axis 4 is outside a rank of 2; opset 11 can express it\n"
                              "  * layer1.0  /home/me/my net.py:12  x.roll(4)\n"));
  const Model model = Mnist(options);
  const std::string done = TextOf({.source = "m", .options = options, .model = &model}, ReportFormat::kMarkdown);
  EXPECT_THAT(done, HasSubstr("| aten::conv2d | 2 | 2 Conv | spec/aten/"));
}

// Checks what SARIF 2.1.0 requires of the written objects: its schema's `required`, types and enumerations. They may
// have no members but those of the schema.
class SarifCheck {
 public:
  static void Check(const json& log) {
    Members(log, {"$schema", "version", "runs"}, {"version", "runs"});
    EXPECT_EQ(log["version"], "2.1.0");
    ASSERT_TRUE(log["runs"].is_array());
    for (const json& run : log["runs"]) Run(run);
  }

 private:
  static void Members(const json& object, const std::set<std::string>& known, const std::set<std::string>& required) {
    ASSERT_TRUE(object.is_object()) << object;
    for (const auto& [key, value] : object.items()) EXPECT_TRUE(known.contains(key)) << key;
    for (const std::string& key : required) ASSERT_TRUE(object.contains(key)) << key << " in " << object;
  }
  static void Text(const json& text) {
    Members(text, {"text"}, {"text"});
    EXPECT_TRUE(text["text"].is_string());
  }
  static void Run(const json& run) {
    Members(run, {"tool", "invocations", "columnKind", "results", "properties"}, {"tool"});
    EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
    Members(run["tool"], {"driver"}, {"driver"});
    const json& driver = run["tool"]["driver"];
    Members(driver, {"name", "version", "rules"}, {"name"});
    for (const json& rule : driver["rules"]) {
      Members(rule, {"id", "shortDescription", "fullDescription", "help"}, {"id"});
      for (const char* text : {"shortDescription", "fullDescription", "help"}) {
        if (rule.contains(text)) Text(rule[text]);
      }
    }
    ASSERT_EQ(run["invocations"].size(), 1u);
    Members(run["invocations"][0], {"executionSuccessful"}, {"executionSuccessful"});
    EXPECT_TRUE(run["invocations"][0]["executionSuccessful"].is_boolean());
    ASSERT_TRUE(run["results"].is_array());
    for (const json& result : run["results"]) Result(result, driver["rules"]);
    EXPECT_TRUE(run["properties"].is_object());
  }
  static void Result(const json& result, const json& rules) {
    Members(result, {"ruleId", "ruleIndex", "level", "message", "locations", "properties"}, {"message"});
    EXPECT_EQ(rules.at(result["ruleIndex"].get<size_t>())["id"], result["ruleId"]);
    EXPECT_TRUE(result["level"] == "error" || result["level"] == "note");
    Text(result["message"]);
    for (const json& location : result.value("locations", json::array())) Location(location);
  }
  static void Location(const json& location) {
    Members(location, {"physicalLocation", "logicalLocations"}, {});
    for (const json& logical : location.value("logicalLocations", json::array()))
      Members(logical, {"fullyQualifiedName", "kind"}, {});
    if (!location.contains("physicalLocation")) return;
    const json& physical = location["physicalLocation"];
    Members(physical, {"artifactLocation", "region"}, {"artifactLocation"});
    EXPECT_EQ(physical["artifactLocation"]["uri"].get<std::string>().find(' '), std::string::npos);
    if (!physical.contains("region")) return;
    Members(physical["region"], {"startLine", "snippet"}, {"startLine"});
    EXPECT_GE(physical["region"]["startLine"].get<int>(), 1);
    if (physical["region"].contains("snippet")) Text(physical["region"]["snippet"]);
  }
};

TEST(ExportReport, SarifOfAFailure) {
  const ExportOptions options{.opset = 9};
  const Report failure = Failure();
  const json log = json::parse(TextOf({.source = "m", .options = options, .failure = &failure}, ReportFormat::kSarif));
  SarifCheck::Check(log);
  const json& run = log["runs"][0];
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  ASSERT_EQ(run["results"].size(), 3u);  // two places, and one without
  const json& first = run["results"][0];
  EXPECT_EQ(first["ruleId"], "E0200");
  EXPECT_EQ(first["message"]["text"], "aten::roll: axis 4 is outside a rank of 2; opset 11 can express it");
  const json& place = first["locations"][0];
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "file:///home/me/my%20net.py");
  EXPECT_EQ(place["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(place["logicalLocations"][0]["fullyQualifiedName"], "layer1.0");
  EXPECT_FALSE(run["results"][2].contains("locations"));
  EXPECT_EQ(run["properties"]["result"], "cannot_export");
}

TEST(ExportReport, SarifOfASuccess) {
  const ExportOptions options;
  const Model model = Mnist(options);
  const json log = json::parse(TextOf({.source = "m", .options = options, .model = &model}, ReportFormat::kSarif));
  SarifCheck::Check(log);
  EXPECT_EQ(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(log["runs"][0]["results"].size(), model.remarks().size());
}

}  // namespace
}  // namespace onnxport::export_report_test
