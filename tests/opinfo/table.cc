#include "tests/opinfo/table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tests/known_wrong/known_wrong.h"

namespace onnxport::opinfo {
namespace {

// In the order of the table; an outcome is of the first kind that it starts with.
constexpr std::array<std::string_view, 6> kKinds = {"ok",      "reference",     "no kernel",
                                                    "refused", "cannot export", "wrong"};

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

void ReadLine(const std::string& line, Table* table) {
  const auto [key, groups] = SplitOnce(line, ": ");
  const auto [op, format] = SplitOnce(key, " ");
  for (const std::string& group : Split(groups, "; ")) {
    const auto [dtypes, outcome] = SplitOnce(group, " = ");
    KindOf(outcome);
    for (const std::string& dtype : Split(dtypes, " ")) {
      const size_t colon = dtype.find(':');
      const int count = colon == std::string::npos ? kSamples : std::stoi(dtype.substr(colon + 1));
      (*table)[{op, format, dtype.substr(0, colon)}][outcome] += count;
    }
  }
}

// What stands in one line: dtypes by kind and outcome.
using Line = std::map<std::pair<size_t, std::string>, std::string>;

std::string ToText(const Line& line) {
  std::string text;
  for (const auto& [key, dtypes] : line) text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", dtypes, key.second);
  return text;
}

std::string ToText(const Counts& counts) {
  std::string text;
  for (const auto& [outcome, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, outcome);
  return text.empty() ? "nothing" : text;
}

}  // namespace

WrongCells ReadWrongCells(std::istream& in, int opset) {
  const std::string suffix = fmt::format("@{}", opset);
  WrongCells cells;
  for (const KnownWrong& known : ReadKnownWrong(in)) {
    if (known.words.size() < 3)
      throw std::runtime_error(fmt::format("not `OP FORMAT DTYPE`, below `{}`", known.reason));
    for (size_t i = 2; i < known.words.size(); ++i) {
      const std::string& word = known.words[i];
      const size_t at = std::min(word.find('@'), word.size());
      if (at < word.size() && !word.ends_with(suffix)) continue;
      const Cell cell = {known.words[0], known.words[1], word.substr(0, at)};
      if (!cells.emplace(cell, known.reason).second) {
        throw std::runtime_error(fmt::format("{} {} {} stands there twice", cell.op, cell.format, cell.dtype));
      }
    }
  }
  return cells;
}

Table ReadTable(std::istream& in) {
  Table table;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') ReadLine(line, &table);
  }
  return table;
}

void WriteTable(const Table& table, std::ostream& out) {
  out << "# What becomes of the samples of PyTorch's operator database: see table.h and outcome.h.\n"
         "# Written by ./bazelw run //tests/opinfo:update_OPSET\n"
         "#\n";
  std::ostringstream summary;
  WriteSummary(table, summary);
  for (const std::string& line : Split(summary.str(), "\n")) {
    if (!line.empty()) out << "# " << line << "\n";
  }
  std::map<std::pair<std::string, std::string>, Line> lines;
  for (const auto& [cell, counts] : table) {
    for (const auto& [outcome, count] : counts) {
      std::string& dtypes = lines[{cell.op, cell.format}][{KindOf(outcome), outcome}];
      dtypes += (dtypes.empty() ? "" : " ") + cell.dtype;
      if (count != kSamples) dtypes += ":" + std::to_string(count);
    }
  }
  for (const auto& [key, line] : lines) fmt::print(out, "{} {}: {}\n", key.first, key.second, ToText(line));
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

std::vector<std::string> Differences(const Table& expected, const Table& actual, bool all) {
  std::vector<std::string> differences;
  const auto compare = [&](const Cell& cell, const Counts& wanted, const Counts& got) {
    if (wanted == got) return;
    differences.push_back(
        fmt::format("{} {} {}: expected {}; got {}", cell.op, cell.format, cell.dtype, ToText(wanted), ToText(got)));
  };
  for (const auto& [cell, got] : actual) {
    const auto wanted = expected.find(cell);
    compare(cell, wanted == expected.end() ? Counts{} : wanted->second, got);
  }
  for (const auto& [cell, wanted] : expected) {
    if (all && !actual.contains(cell)) compare(cell, wanted, {});
  }
  return differences;
}

std::vector<std::string> Unexplained(const WrongCells& wrong, const Table& actual, bool all) {
  std::vector<std::string> texts;
  const auto add = [&](const Cell& cell, std::string_view what) {
    texts.push_back(fmt::format("{} {} {}: {}", cell.op, cell.format, cell.dtype, what));
  };
  for (const auto& [cell, counts] : actual) {
    const bool is_wrong =
        std::ranges::any_of(counts, [](const auto& outcome) { return outcome.first.starts_with("wrong"); });
    if (is_wrong && !wrong.contains(cell)) add(cell, "is wrong, and wrong.txt does not say why");
    if (!is_wrong && wrong.contains(cell)) add(cell, "is not wrong, take it out of wrong.txt");
  }
  for (const auto& [cell, reason] : wrong) {
    if (all && !actual.contains(cell)) add(cell, "is in wrong.txt, but there is no such cell");
  }
  return texts;
}

}  // namespace onnxport::opinfo
