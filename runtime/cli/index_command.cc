#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "onnxport/export_index.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/text_file.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // Also false when there is nothing to copy: an empty report is no report.
  if (!(file && text << file.rdbuf())) return std::nullopt;
  return text.str();
}

Report CannotRead(const std::string& path) {
  return {ErrorKind::kBadInput, "cannot read " + path + ", or it is empty"};
}

// Puts what `@FILE` names in its place.
std::optional<Report> NamesOf(const std::vector<std::string>& words, std::vector<std::string>* names) {
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      names->push_back(word);
      continue;
    }
    const auto text = Read(word.substr(1));
    if (!text) return CannotRead(word.substr(1));
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) names->push_back(line);
    }
  }
  return std::nullopt;
}

std::optional<Report> ReadExports(const IndexArguments& arguments, std::vector<IndexedExport>* exports) {
  std::vector<std::string> files;
  if (auto mistake = NamesOf(arguments.reports, &files)) return mistake;
  for (const std::string& file : files) {
    const auto report = Read(file);
    if (!report) return CannotRead(file);
    // "reports/a/b.json" has its sum in "reports/a/b.sha256", and with --root reports it is called "a/b".
    const std::string sums = fs::path(file).replace_extension(".sha256").string();
    const fs::path name = arguments.root.empty() ? fs::path(file) : fs::path(file).lexically_relative(arguments.root);
    exports->push_back({fs::path(name).replace_extension().string(), *report, Read(sums).value_or("")});
  }
  return std::nullopt;
}

std::optional<Report> WriteIfAsked(const std::string& path, const std::string& text) {
  return path.empty() ? std::nullopt : WriteText(path, text);
}

}  // namespace

int RunIndex(const IndexArguments& arguments) {
  std::vector<IndexedExport> exports;
  if (const auto mistake = ReadExports(arguments, &exports)) return Fail(*mistake);
  const auto index = IndexExports(exports, arguments.title);
  if (!index) return Fail(index.error());
  if (const auto mistake = WriteIfAsked(arguments.json, index->json)) return Fail(*mistake);
  if (const auto mistake = WriteIfAsked(arguments.html, index->html)) return Fail(*mistake);
  if (!arguments.all_exported || index->not_exported.empty()) return 0;
  std::string refused = std::to_string(index->not_exported.size()) + " not exported:";
  for (const std::string& name : index->not_exported) refused += "\n  " + name;
  return Fail(Report(ErrorKind::kCannotExport, refused));
}

}  // namespace onnxport::cli
