// SARIF 2.1.0, the format in which tools for code review take the results of an analysis. A failed call is an error at
// the line of the program that made it, a warning is a warning, and a remark is a note. Rules are the codes of
// diagnostics. These do not change with the words of a reason, so a viewer can follow one from run to run.
#include "runtime/api/reports/sarif.h"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/version.h"

namespace onnxport {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kRemark = "remark";

// The texts of a rule; a log lists those that it has results of.
ordered_json RuleOf(std::string_view rule) {
  const CodeInfo* code = FindCode(rule);
  if (code == nullptr) {
    return {{"id", rule},
            {"shortDescription", {{"text", "What the exported model does differently from the source program"}}}};
  }
  return {{"id", rule},
          {"shortDescription", {{"text", code->title}}},
          {"fullDescription", {{"text", code->explanation}}},
          {"help", {{"text", code->way_out}}}};
}

// A path as a relative or absolute reference of RFC 3986. Its bytes are encoded one by one, whatever text they are.
std::string UriOf(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos);
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

ordered_json LocationOf(const CallSite& site) {
  ordered_json location = ordered_json::object();
  if (!site.file.empty()) {
    ordered_json& physical = location["physicalLocation"];
    physical["artifactLocation"]["uri"] = UriOf(site.file);
    if (site.line > 0) {
      physical["region"]["startLine"] = site.line;
      if (!site.code.empty()) physical["region"]["snippet"]["text"] = site.code;
    }
  }
  const auto logical = [&location](std::string_view kind, const std::string& name) {
    if (!name.empty()) location["logicalLocations"].push_back({{"fullyQualifiedName", name}, {"kind", kind}});
  };
  logical("module", site.module);
  logical("member", site.node);
  return location;
}

class Log {
 public:
  void Add(std::string_view rule, std::string_view level, const std::string& text, const ordered_json& location,
           ordered_json properties) {
    ordered_json result = {
        {"ruleId", rule}, {"ruleIndex", IndexOf(rule)}, {"level", level}, {"message", {{"text", text}}}};
    if (!location.empty()) result["locations"] = ordered_json::array({location});
    if (!properties.empty()) result["properties"] = std::move(properties);
    results_.push_back(std::move(result));
  }

  ordered_json Take(bool successful, ordered_json record) {
    const ordered_json driver = {{"name", "onnxport"}, {"version", kVersion}, {"rules", std::move(rules_)}};
    ordered_json run = {{"tool", {{"driver", driver}}},
                        {"invocations", ordered_json::array({{{"executionSuccessful", successful}}})},
                        {"columnKind", "unicodeCodePoints"},
                        {"results", std::move(results_)},
                        {"properties", std::move(record)}};
    return {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", ordered_json::array({std::move(run)})}};
  }

 private:
  size_t IndexOf(std::string_view rule) {
    for (size_t i = 0; i < rules_.size(); ++i) {
      if (rules_[i]["id"].get<std::string>() == rule) return i;
    }
    rules_.push_back(RuleOf(rule));
    return rules_.size() - 1;
  }

  ordered_json rules_ = ordered_json::array();
  ordered_json results_ = ordered_json::array();
};

void AddDiagnostic(const Diagnostic& diagnostic, Log* log) {
  std::string text =
      diagnostic.op.empty() ? diagnostic.reason : fmt::format("{}: {}", diagnostic.op, diagnostic.reason);
  if (diagnostic.opset != 0) text += fmt::format("; opset {} can express it", diagnostic.opset);
  ordered_json properties = ordered_json::object();
  if (!diagnostic.op.empty()) properties["operator"] = diagnostic.op;
  if (diagnostic.opset != 0) properties["opset"] = diagnostic.opset;
  if (!diagnostic.spec.empty()) properties["spec"] = diagnostic.spec;
  const std::string_view rule = Number(diagnostic.code);
  // One result for each place, as viewers jump to places; without one, a result without a location rather than none.
  if (diagnostic.sites.empty()) log->Add(rule, "error", text, ordered_json::object(), properties);
  for (const CallSite& site : diagnostic.sites) log->Add(rule, "error", text, LocationOf(site), properties);
}

}  // namespace

ordered_json SarifOf(const ExportRecord& exported, ordered_json record) {
  Log log;
  if (exported.failure != nullptr) {
    const Report failure = exported.failure->With(exported.option_name);
    for (const Diagnostic& diagnostic : failure.diagnostics()) AddDiagnostic(diagnostic, &log);
  }
  const auto add = [&log](std::string_view rule, std::string_view level, const std::string& text) {
    log.Add(rule, level, text, ordered_json::object(), ordered_json());
  };
  if (exported.model != nullptr) {
    for (const Warning& warning : exported.model->warnings(exported.option_name)) {
      add(Number(warning.code), "warning", warning.text);
    }
    for (const std::string& remark : exported.model->remarks(exported.option_name)) add(kRemark, "note", remark);
  }
  return log.Take(exported.failure == nullptr, std::move(record));
}

}  // namespace onnxport
