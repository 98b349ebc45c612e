#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

#include "onnxport/export_index.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/read_file.h"
#include "runtime/cli/text_file.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

// Puts what `@FILE` names in its place.
std::optional<Report> NamesOf(const std::vector<std::string>& words, std::vector<std::string>* names) {
  for (const std::string& word : words) {
    if (!word.starts_with('@')) {
      names->push_back(word);
      continue;
    }
    const auto text = ReadFile(word.substr(1));
    if (!text) return text.error();
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
    const auto report = ReadFile(file);
    if (!report) return report.error();
    // "reports/a/b.json" has its sum in "reports/a/b.sha256", and with --root reports it is called "a/b".
    const std::string sums = fs::path(file).replace_extension(".sha256").string();
    std::error_code missing;
    const auto sum = fs::exists(sums, missing) ? ReadFile(sums) : Result<std::string>("");
    if (!sum) return sum.error();
    const fs::path name = arguments.root.empty() ? fs::path(file) : fs::path(file).lexically_relative(arguments.root);
    exports->push_back({fs::path(name).replace_extension().string(), *report, *sum});
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
