// Makes a page and a table of many exports from the record of each (export_report.h). The records may be of another
// version of this library, or of no export at all. So each is read for the few keys that are shown, and the error names
// one that lacks them.
#include "onnxport/export_index.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "onnxport/text.h"
#include "runtime/api/border/border.h"
#include "runtime/base/error.h"
#include "runtime/model/onnx_file/html_page.h"

namespace onnxport {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kMostNested = 200;  // SECURITY.md

// "HASH  NAME" in each line -> {NAME: HASH}. Each name once, with its last sum.
ordered_json SumsOf(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> sums;
  std::unordered_map<std::string, size_t> places;
  std::istringstream lines(text);
  for (std::string hash, name; lines >> hash >> std::ws && std::getline(lines, name);) {
    const auto [place, is_new] = places.try_emplace(name, sums.size());
    if (is_new) sums.emplace_back(name, "");
    sums[place->second].second = hash;
  }
  // Put behind one another: an ordered object looks at all keys for each that is set.
  ordered_json::object_t object;
  for (auto& [name, hash] : sums) object.emplace_back(std::move(name), std::move(hash));
  return object;
}

// A record, or a part of one. A value that no record has there throws a json::exception.
const std::string& TextOf(const json& object, const char* key) {
  return object.at(key).get_ref<const json::string_t&>();
}

int64_t NumberOf(const json& object, const char* key) {
  const json& number = object.at(key);
  // Positive numbers are read as unsigned ones.
  if (number.is_number_unsigned() && number.get<uint64_t>() <= INT64_MAX) return number.get<int64_t>();
  throw json::type_error::create(302, std::string(key) + " is no size", &number);
}

std::string RefusalText(const json& diagnostic) {
  if (!diagnostic.contains("op")) return TextOf(diagnostic, "reason");
  return fmt::format("{} ({} calls): {}", TextOf(diagnostic, "op"), NumberOf(diagnostic, "calls"),
                     TextOf(diagnostic, "reason"));
}

int64_t BytesOf(const json& files) {
  int64_t bytes = NumberOf(files, "model_bytes");
  if (files.contains("data_bytes") && __builtin_add_overflow(bytes, NumberOf(files, "data_bytes"), &bytes))
    throw json::out_of_range::create(406, "the files have more bytes than there can be", &files);
  return bytes;
}

ordered_json TextsOf(const json& list) {
  ordered_json texts = ordered_json::array();
  for (const json& text : list.get_ref<const json::array_t&>()) texts.push_back(text.get_ref<const json::string_t&>());
  return texts;
}

ordered_json RowOf(const IndexedExport& one, const json& report) {
  ordered_json row = {{"name", one.name},
                      {"source", TextOf(report, "source")},
                      {"opset", NumberOf(report.at("options"), "opset")},
                      {"result", TextOf(report, "result")}};
  if (report.contains("failure")) {
    row["refusals"] = ordered_json::array();
    for (const json& diagnostic : report.at("failure").at("diagnostics").get_ref<const json::array_t&>()) {
      row["refusals"].push_back(RefusalText(diagnostic));
    }
    return row;
  }
  row["nodes"] = NumberOf(report, "nodes");
  row["weights"] = NumberOf(report, "weights");
  row["bytes"] = BytesOf(report.at("files"));
  if (!one.sha256.empty()) row["sha256"] = SumsOf(one.sha256);
  if (report.contains("warnings")) {
    for (const json& warning : report.at("warnings").get_ref<const json::array_t&>()) {
      row["warnings"].push_back(TextOf(warning, "code") + ": " + TextOf(warning, "text"));
    }
  }
  if (report.contains("remarks")) row["remarks"] = TextsOf(report.at("remarks"));
  return row;
}

// In the order in which a record has it.
ordered_json ToolOf(const json& tool) {
  (void)tool.get_ref<const json::object_t&>();
  ordered_json made = ordered_json::object();
  for (const char* key : {"name", "version", "build", "onnx"}) {
    if (tool.contains(key)) made[key] = TextOf(tool, key);
  }
  return made;
}

// Joins the texts under these keys, if there are any.
std::string Lines(const ordered_json& row, std::initializer_list<const char*> keys) {
  std::string text;
  for (const char* key : keys) {
    if (!row.contains(key)) continue;
    for (const ordered_json& line : row.at(key)) text += (text.empty() ? "" : "; ") + line.get<std::string>();
  }
  return text;
}

std::string Number(const ordered_json& row, const char* key) {
  return row.contains(key) ? std::to_string(row.at(key).get<int64_t>()) : "";
}

std::string PageOf(const ordered_json& rows, size_t refused, std::string_view title) {
  onnx_file::HtmlPage page(title);
  page.Text(fmt::format("{} exported, {} not", rows.size() - refused, refused));
  page.Table("", {"model", "opset", "result", "nodes", "size", "SHA-256", "warnings, remarks and refusals"});
  for (const ordered_json& row : rows) {
    const std::string size = row.contains("bytes") ? onnx_file::SizeText(row.at("bytes").get<int64_t>()) : "";
    page.Row({row.at("name").get<std::string>(), Number(row, "opset"), row.at("result").get<std::string>(),
              Number(row, "nodes"), size, Lines(row, {"sha256"}), Lines(row, {"warnings", "remarks", "refusals"})});
  }
  page.EndTable();
  return Visible(page.End());
}

// JSON, in which all texts of the table are written, has no others.
void CheckText(const IndexedExport& one, const std::string& text, const char* what) {
  try {
    (void)json(text).dump();
  } catch (const json::exception&) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {} no UTF-8", one.name, what));
  }
}

json ReadReport(const IndexedExport& one) {
  const auto check = [&](int depth, json::parse_event_t event, const json& /*parsed*/) {
    // A list or object that begins lies in so many others.
    const bool begins = event == json::parse_event_t::array_start || event == json::parse_event_t::object_start;
    if (!begins || depth < kMostNested) return true;
    throw Error(ErrorKind::kBadInput, fmt::format("{}: JSON is nested more than {} deep", one.name, kMostNested));
  };
  try {
    return json::parse(one.report, check);
  } catch (const json::exception& error) {
    throw Error(ErrorKind::kBadInput, one.name + ": no JSON: " + error.what());
  }
}

ExportIndex Index(const std::vector<IndexedExport>& exports, std::string_view title) {
  ordered_json tool;
  ordered_json rows = ordered_json::array();
  ExportIndex index;
  for (const IndexedExport& one : exports) {
    CheckText(one, one.name, "its name is");
    CheckText(one, one.sha256, "its checksums are");
    const json report = ReadReport(one);
    try {
      rows.push_back(RowOf(one, report));
      if (tool.is_null()) tool = ToolOf(report.at("tool"));
    } catch (const json::exception& error) {
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
