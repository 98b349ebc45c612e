#include "onnxport/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/base/option_names.h"
#include "runtime/base/text.h"

namespace onnxport {
namespace {

using nlohmann::ordered_json;

constexpr size_t kShownSites = 5;  // places shown of each diagnostic

Code CodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kCannotExport:
      return Code::kUnsupportedProgram;
    case ErrorKind::kUsage:
      return Code::kUsage;
    case ErrorKind::kBadInput:
      return Code::kBadInput;
    case ErrorKind::kCannotWrite:
      return Code::kCannotWrite;
    case ErrorKind::kMemoryBudget:
      return Code::kMemoryBudget;
    case ErrorKind::kDeadline:
      return Code::kDeadline;
    case ErrorKind::kCancelled:
      return Code::kCancelled;
  }
  return Code::kInternal;
}

std::vector<Diagnostic> OneDiagnostic(Code code, const std::string& reason) {
  return {{.code = code, .reason = VisibleLine(reason)}};
}

std::string SitesText(const std::vector<CallSite>& sites) {
  std::string text;
  std::vector<std::string> shown;
  size_t hidden = 0;
  for (const CallSite& site : sites) {
    std::string line = site.Text();
    if (line.empty() || std::ranges::find(shown, line) != shown.end()) continue;
    if (shown.size() == kShownSites) {
      ++hidden;
      continue;
    }
    text += fmt::format("\n      {}", line);
    shown.push_back(std::move(line));
  }
  if (hidden > 0) text += fmt::format("\n      and {} more places", hidden);
  return text;
}

std::string TextOf(const Diagnostic& diagnostic) {
  std::string text = VisibleLine(diagnostic.reason);
  if (!diagnostic.op.empty()) {
    const char* calls = diagnostic.calls == 1 ? "call" : "calls";
    text = fmt::format("{} ({} {}): {}", VisibleLine(diagnostic.op), diagnostic.calls, calls, text);
  }
  if (diagnostic.opset != 0) text += fmt::format("\n      opset {} can express it", diagnostic.opset);
  return text + SitesText(diagnostic.sites);
}

ordered_json JsonOf(const CallSite& site) {
  ordered_json json = ordered_json::object();
  if (!site.module.empty()) json["module"] = site.module;
  if (!site.file.empty()) json["file"] = site.file;
  if (site.line != 0) json["line"] = site.line;
  if (!site.code.empty()) json["code"] = site.code;
  if (!site.function.empty()) json["function"] = site.function;
  if (!site.node.empty()) json["node"] = site.node;
  return json;
}

ordered_json JsonOf(const Diagnostic& diagnostic) {
  ordered_json json = {{"code", Number(diagnostic.code)}};
  if (!diagnostic.op.empty()) json["op"] = diagnostic.op;
  if (diagnostic.calls != 0) json["calls"] = diagnostic.calls;
  json["reason"] = WithOptionNames(diagnostic.reason, OptionAsKey);
  if (!diagnostic.options.empty()) json["options"] = diagnostic.options;
  if (diagnostic.opset != 0) json["opset"] = diagnostic.opset;
  if (!diagnostic.spec.empty()) json["spec"] = diagnostic.spec;
  if (!diagnostic.sites.empty()) {
    ordered_json& sites = json["sites"] = ordered_json::array();
    for (const CallSite& site : diagnostic.sites) sites.push_back(JsonOf(site));
  }
  return json;
}

}  // namespace

std::string CallSite::Text() const {
  std::string text = module;
  const auto add = [&text](const std::string& part) {
    if (!text.empty() && !part.empty()) text += "  ";
    text += part;
  };
  if (!file.empty()) add(line != 0 ? fmt::format("{}:{}", file, line) : file);
  add(code);
  if (!function.empty()) add("in " + function);
  if (text.empty()) text = node;
  std::ranges::replace(text, '\t', ' ');
  return VisibleLine(text);
}

Report::Report(Code code, const std::string& reason) : Report(InfoOf(code).kind, OneDiagnostic(code, reason)) {}

Report::Report(ErrorKind kind, const std::string& reason) : Report(kind, OneDiagnostic(CodeOf(kind), reason)) {}

Report::Report(ErrorKind kind, std::vector<Diagnostic> diagnostics, std::string headline)
    : kind_(kind), marked_(std::move(diagnostics)), marked_headline_(std::move(headline)) {
  for (Diagnostic& diagnostic : marked_) {
    if (auto options = MarkedOptions(diagnostic.reason); !options.empty()) diagnostic.options = std::move(options);
  }
  diagnostics_ = marked_;
  for (Diagnostic& diagnostic : diagnostics_) diagnostic.reason = WithOptionNames(diagnostic.reason, OptionInCpp);
  headline_ = WithOptionNames(marked_headline_, OptionInCpp);
}

Report Report::Behind(const std::string& where) const {
  if (!marked_headline_.empty()) return {kind_, marked_, where + marked_headline_};
  std::vector<Diagnostic> diagnostics = marked_;
  for (Diagnostic& diagnostic : diagnostics) diagnostic.reason = where + diagnostic.reason;
  return {kind_, std::move(diagnostics)};
}

Report Report::With(OptionName name) const {
  std::vector<Diagnostic> diagnostics = marked_;
  for (Diagnostic& diagnostic : diagnostics) diagnostic.reason = WithOptionNames(diagnostic.reason, name);
  return {kind_, std::move(diagnostics), WithOptionNames(marked_headline_, name)};
}

std::string Report::Text() const {
  std::string text = headline_.empty() ? "" : VisibleLine(headline_) + ":";
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (!headline_.empty()) {
      text += "\n  ";
    } else if (!text.empty()) {
      text += '\n';
    }
    text += TextOf(diagnostic);
  }
  return text;
}

std::string Report::TextWithCodes() const {
  std::string text = headline_.empty() ? "" : "error: " + VisibleLine(headline_) + ":";
  for (const Diagnostic& diagnostic : diagnostics_) {
    const char* form = headline_.empty() ? "{}error[{}]: {}" : "{}  [{}] {}";
    text += fmt::format(fmt::runtime(form), text.empty() ? "" : "\n", Number(diagnostic.code), TextOf(diagnostic));
  }
  return text;
}

std::string Report::Json() const {
  ordered_json json = {{"kind", Name(kind_)}};
  if (!marked_headline_.empty()) json["headline"] = WithOptionNames(marked_headline_, OptionAsKey);
  ordered_json& diagnostics = json["diagnostics"] = ordered_json::array();
  for (const Diagnostic& diagnostic : marked_) diagnostics.push_back(JsonOf(diagnostic));
  return VisibleText(json.dump(-1, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace));
}

}  // namespace onnxport
