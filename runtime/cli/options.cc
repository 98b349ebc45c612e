#include "runtime/cli/options.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "onnxport/export_report.h"
#include "onnxport/files.h"

namespace onnxport::cli {
namespace {

// Parses "batch=2,seq=10"; returns nothing for another text.
std::optional<AxisSizes> ParseSizes(std::string_view text) {
  AxisSizes sizes;
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    const size_t equals = std::min(part.find('='), part.size());
    int64_t size = 0;
    const char* last = part.data() + part.size();
    if (equals == 0 || equals == part.size()) return std::nullopt;
    const auto [stop, error] = std::from_chars(part.data() + equals + 1, last, size);
    if (error != std::errc() || stop != last || size < 0) return std::nullopt;
    if (!sizes.emplace(part.substr(0, equals), size).second) return std::nullopt;
    if (end == text.size()) return sizes;
    text.remove_prefix(end + 1);
  }
}

std::optional<Report> CompleteTraces(ExportArguments* arguments) {
  ExportOptions& options = arguments->options;
  for (const std::string& file : arguments->traces) options.other_traces.push_back({.source = Source::File(file)});
  if (arguments->sizes.size() > options.other_traces.size() + 1)
    return Report(Code::kCommandLine, "--sizes is given more often than there are traces (MODEL, and each --and)");
  for (size_t i = 0; i < arguments->sizes.size(); ++i) {
    const auto sizes = ParseSizes(arguments->sizes[i]);
    if (!sizes) {
      return Report(Code::kCommandLine,
                    "--sizes '" + arguments->sizes[i] + "': write NAME=SIZE,..., for example batch=2,seq=10");
    }
    // The first --sizes is for MODEL, the next one for the first --and. So none can be skipped; they were counted
    // above.
    (i == 0 ? options.traced_sizes : options.other_traces[i - 1].sizes) = *sizes;
  }
  return std::nullopt;
}

// The command itself writes these files, not the library. None of them may be an input or the model.
std::optional<Report> CheckOutputs(const ExportArguments& arguments) {
  for (const std::string& output : {arguments.report, arguments.html}) {
    if (output.empty()) continue;
    if (auto mistake = CheckOutput(output, OtherFiles(arguments))) return mistake;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::vector<std::string> OtherFiles(const ExportArguments& arguments) {
  std::vector<std::string> files = {arguments.model, arguments.out};
  files.insert(files.end(), arguments.traces.begin(), arguments.traces.end());
  if (arguments.weights) files.push_back(*arguments.weights);
  return files;
}

std::optional<Report> Complete(ExportArguments* arguments) {
  if (!arguments->mistakes.empty()) return Report(ErrorKind::kUsage, arguments->mistakes);
  for (const std::string& text : arguments->domains) {
    // "com.microsoft" allows a domain whose operators have schemas; "my.domain=2" only sets the version of an import.
    if (text.find('=') == std::string::npos) {
      arguments->options.domains.push_back(text);
      continue;
    }
    Result<DomainVersion> domain = ParseDomain(text);
    if (!domain) return domain.error();
    arguments->options.domain_versions.insert(*std::move(domain));
  }
  for (const std::string& text : arguments->functions) {
    // An empty list means all classes; no list means no functions.
    if (!arguments->options.functions) arguments->options.functions.emplace();
    if (text != "*") std::ranges::move(SplitNames(text), std::back_inserter(*arguments->options.functions));
  }
  if (!arguments->report.empty()) {
    if (const auto format = ReportFormatOf(arguments->report); !format) return format.error();
  }
  if (arguments->weights) arguments->options.weights = Source::File(*arguments->weights);
  if (auto mistake = CompleteTraces(arguments)) return mistake;
  if (auto mistake = CheckOutputs(*arguments)) return mistake;
  if (arguments->max_seconds != 0) {
    arguments->options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(arguments->max_seconds);
  }
  return std::nullopt;
}

}  // namespace onnxport::cli
