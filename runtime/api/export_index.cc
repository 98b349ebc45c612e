// A page and a table of many exports, made of the records that each has left (export_report.h). They may be of another
// version of this library, or of no export at all: so each is read for the few keys that are shown, and one that lacks
// them is named in the error.
#include "onnxport/export_index.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>

#include "onnxport/text.h"
#include "runtime/api/border.h"
#include "runtime/base/error.h"
#include "runtime/model/onnx_file/html_page.h"

namespace onnxport {
namespace {

using nlohmann::ordered_json;

// "HASH  NAME" in each line -> {NAME: HASH}
ordered_json SumsOf(const std::string& text) {
  ordered_json sums = ordered_json::object();
  std::istringstream lines(text);
  for (std::string hash, name; lines >> hash >> std::ws && std::getline(lines, name);) sums[name] = hash;
  return sums;
}

std::string RefusalText(const ordered_json& diagnostic) {
  const std::string reason = diagnostic.at("reason");
  if (!diagnostic.contains("op")) return reason;
  return fmt::format("{} ({} calls): {}", diagnostic.at("op").get<std::string>(), diagnostic.at("calls").get<int64_t>(),
                     reason);
}

ordered_json RowOf(const IndexedExport& one, const ordered_json& report) {
  ordered_json row = {{"name", one.name},
                      {"source", report.at("source")},
                      {"opset", report.at("options").at("opset")},
                      {"result", report.at("result")}};
  if (report.contains("failure")) {
    row["refusals"] = ordered_json::array();
    for (const ordered_json& diagnostic : report.at("failure").at("diagnostics")) {
      row["refusals"].push_back(RefusalText(diagnostic));
    }
    return row;
  }
  const ordered_json& files = report.at("files");
  row["nodes"] = report.at("nodes");
  row["weights"] = report.at("weights");
  row["bytes"] = files.at("model_bytes").get<int64_t>() + files.value("data_bytes", int64_t{0});
  if (!one.sha256.empty()) row["sha256"] = SumsOf(one.sha256);
  if (report.contains("remarks")) row["remarks"] = report.at("remarks");
  return row;
}

// What is there, one text below the other.
std::string Lines(const ordered_json& row, const char* key) {
  std::string text;
  if (!row.contains(key)) return text;
  for (const ordered_json& line : row.at(key)) text += (text.empty() ? "" : "; ") + line.get<std::string>();
  return text;
}

std::string Number(const ordered_json& row, const char* key) {
  return row.contains(key) ? std::to_string(row.at(key).get<int64_t>()) : "";
}

std::string PageOf(const ordered_json& rows, size_t refused, std::string_view title) {
  onnx_file::HtmlPage page(title);
  page.Text(fmt::format("{} exported, {} not", rows.size() - refused, refused));
  page.Table("", {"model", "opset", "result", "nodes", "size", "SHA-256", "remarks and refusals"});
  for (const ordered_json& row : rows) {
    const std::string size = row.contains("bytes") ? onnx_file::SizeText(row.at("bytes").get<int64_t>()) : "";
    page.Row({row.at("name").get<std::string>(), Number(row, "opset"), row.at("result").get<std::string>(),
              Number(row, "nodes"), size, Lines(row, "sha256"), Lines(row, "remarks") + Lines(row, "refusals")});
  }
  page.EndTable();
  return Visible(page.End());
}

ordered_json ReadReport(const IndexedExport& one) {
  try {
    return ordered_json::parse(one.report);
  } catch (const ordered_json::exception& error) {
    throw Error(ErrorKind::kBadInput, one.name + ": no JSON: " + error.what());
  }
}

ExportIndex Index(const std::vector<IndexedExport>& exports, std::string_view title) {
  ordered_json tool;
  ordered_json rows = ordered_json::array();
  ExportIndex index;
  for (const IndexedExport& one : exports) {
    const ordered_json report = ReadReport(one);
    try {
      rows.push_back(RowOf(one, report));
      if (tool.is_null()) tool = report.at("tool");
    } catch (const ordered_json::exception& error) {
      throw Error(ErrorKind::kBadInput, one.name + ": no record of an export: " + error.what());
    }
    if (report.contains("failure")) index.not_exported.push_back(one.name);
  }
  index.html = PageOf(rows, index.not_exported.size(), title);
  index.json = Visible(ordered_json({{"tool", tool}, {"models", rows}}).dump(2)) + "\n";
  return index;
}

}  // namespace

Result<ExportIndex> IndexExports(const std::vector<IndexedExport>& exports, std::string_view title) {
  return AtBorder([&] { return Index(exports, title); });
}

}  // namespace onnxport
