#include "tests/opinfo/table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace onnxport::opinfo {
namespace {

// In the order of the table; an outcome is of the first kind that it starts with.
constexpr std::array<std::string_view, 6> kKinds = {kAgrees,   "reference",     "no kernel",
                                                    "refused", "cannot export", "wrong"};

}  // namespace

size_t KindOf(std::string_view outcome) {
  const auto kind = std::ranges::find_if(kKinds, [&](std::string_view k) { return outcome.starts_with(k); });
  if (kind == kKinds.end()) throw std::runtime_error(fmt::format("unknown outcome `{}`", outcome));
  return static_cast<size_t>(kind - kKinds.begin());
}

std::vector<std::string> Split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::pair<std::string, std::string> SplitOnce(const std::string& text, const std::string& separator) {
  const size_t at = text.find(separator);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("`{}` lacks `{}`", text, separator));
  return {text.substr(0, at), text.substr(at + separator.size())};
}

std::string ToText(const Counts& counts) {
  std::string text;
  for (const auto& [outcome, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome);
  return text.empty() ? "nothing" : text;
}

void AddOutcomes(std::istream& in, Table* table) {
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = Split(line, "\t");
    if (fields.size() < 4) throw std::runtime_error(fmt::format("not a line of outcomes: `{}`", line));
    ++(*table)[{fields[0], fields[1], fields[2]}][fields[3]];
  }
}

void WriteSummary(const Table& table, std::ostream& out) {
  std::map<std::string, std::array<int, kKinds.size()>> formats;
  for (const auto& [cell, counts] : table) {
    for (const auto& [outcome, count] : counts) formats[cell.format][KindOf(outcome)] += count;
  }
  for (const auto& [format, counts] : formats) {
    int all = 0;
    for (const int count : counts) all += count;
    fmt::print(out, "{}: {} samples", format, all);
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
      fmt::print(out, "{}{} {} ({:.1f} %)", kind == 0 ? ": " : ", ", kKinds[kind], counts[kind],
                 100.0 * counts[kind] / all);
    }
    out << "\n";
  }
}

std::vector<std::string> ListAgreeing(const Table& table) {
  std::vector<std::string> lines;
  for (const auto& [cell, counts] : table) {
    const auto agree = counts.find(std::string(kAgrees));
    if (agree != counts.end())
      lines.push_back(fmt::format("{} {} {} {}", cell.op, cell.format, cell.dtype, agree->second));
  }
  return lines;
}

}  // namespace onnxport::opinfo
