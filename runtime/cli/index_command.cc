#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

#include "onnxport/export_index.h"
#include "onnxport/files.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/read_file.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

// Puts what `@FILE` names in its place; `read` gets what is read for it.
std::optional<Report> NamesOf(const std::vector<std::string>& words, std::vector<std::string>* names,
                              std::vector<std::string>* read) {
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      names->push_back(word);
      continue;
    }
    const auto text = ReadFile(word.substr(1));
    if (!text) return text.error();
    read->push_back(word.substr(1));
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) names->push_back(line);
    }
  }
  return std::nullopt;
}

// `read`: all files that are read.
std::optional<Report> ReadExports(const IndexArguments& arguments, std::vector<IndexedExport>* exports,
                                  std::vector<std::string>* read) {
  std::vector<std::string> files;
  if (auto mistake = NamesOf(arguments.reports, &files, read)) return mistake;
  for (const std::string& file : files) {
    const auto report = ReadFile(file);
    if (!report) return report.error();
    // "reports/a/b.json" has its sum in "reports/a/b.sha256", and with --root reports it is called "a/b".
    const std::string sums = fs::path(file).replace_extension(".sha256").string();
    read->push_back(file);
    std::error_code missing;
    const bool has_sums = fs::exists(sums, missing);
    const auto sum = has_sums ? ReadFile(sums) : Result<std::string>("");
    if (!sum) return sum.error();
    if (has_sums) read->push_back(sums);
    const fs::path name = arguments.root.empty() ? fs::path(file) : fs::path(file).lexically_relative(arguments.root);
    exports->push_back({fs::path(name).replace_extension().string(), *report, *sum});
  }
  return std::nullopt;
}

// Both are looked at before either is written.
std::optional<Report> WriteBoth(const IndexArguments& arguments, const ExportIndex& index,
                                const std::vector<std::string>& read) {
  std::vector<std::string> others = read;
  others.push_back(arguments.html);
  if (!arguments.json.empty()) {
    if (auto mistake = CheckOutput(arguments.json, others)) return mistake;
  }
  if (!arguments.html.empty()) {
    if (auto mistake = CheckOutput(arguments.html, read)) return mistake;
  }
  if (!arguments.json.empty()) {
    if (auto mistake = WriteOutput(arguments.json, index.json, others)) return mistake;
  }
  return arguments.html.empty() ? std::nullopt : WriteOutput(arguments.html, index.html, read);
}

}  // namespace

int RunIndex(const IndexArguments& arguments) {
  std::vector<IndexedExport> exports;
  std::vector<std::string> read;
  if (const auto mistake = ReadExports(arguments, &exports, &read)) return Fail(*mistake);
  const auto index = IndexExports(exports, arguments.title);
  if (!index) return Fail(index.error());
  if (const auto mistake = WriteBoth(arguments, *index, read)) return Fail(*mistake);
  if (!arguments.all_exported || index->not_exported.empty()) return 0;
  const int status =
      Fail(Report(Code::kUnsupportedProgram,
                  fmt::format("{} of {} models were not exported:", index->not_exported.size(), exports.size())));
  for (const std::string& name : index->not_exported) TellLine("  " + name);
  return status;
}

}  // namespace onnxport::cli
