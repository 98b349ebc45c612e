#include "tests/arguments/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace onnxport::arguments {
namespace {

constexpr std::string_view kBefore = " | ";    // between an outcome and its changes
constexpr std::string_view kBetween = "; ";    // between changes, and between calls
constexpr std::string_view kChanges = "    ";  // at the start of their line

// The first clause, without the opset and the conditions of a spec: an edit that changes no outcome changes no table.
std::string Summary(std::string text, int opset) {
  static constexpr std::string_view kCondition = "only exported if";
  if (text.starts_with(kCondition)) return fmt::format("{} ...", kCondition);
  text = text.substr(0, std::min(text.find('\n'), text.find("; ")));
  for (const char* word : {"of", "at"}) {
    const std::string named = fmt::format(" {} opset {}", word, opset);
    if (const size_t at = text.find(named); at != std::string::npos) text.erase(at, named.size());
  }
  std::ranges::replace(text, '|', '/');
  return text;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t length = std::min(text.find(kBetween), text.size());
    parts.emplace_back(text.substr(0, length));
    text.remove_prefix(std::min(length + kBetween.size(), text.size()));
  }
  return parts;
}

void ReadChanges(std::string_view line, const std::vector<Changes*>& calls) {
  const size_t end = line.find(kBefore);
  if (end == std::string_view::npos) throw std::runtime_error("no outcome and changes: " + std::string(line));
  const std::string outcome(line.substr(0, end));
  for (const std::string& change : Split(line.substr(end + kBefore.size()))) {
    for (Changes* changes : calls) (*changes)[change] = outcome;
  }
}

void WriteChanges(const Changes& changes, std::ofstream& file) {
  std::map<std::string, std::string> lines;
  for (const auto& [change, outcome] : changes) {
    std::string& line = lines[outcome];
    line += fmt::format("{}{}", line.empty() ? kBefore : kBetween, change);
  }
  for (const auto& [outcome, line] : lines) file << kChanges << outcome << line << "\n";
}

}  // namespace

Table ReadTable(const std::string& path) {
  Table table;
  std::ifstream file(path);
  std::map<std::string, Changes>* calls = nullptr;
  std::vector<Changes*> of_line;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      calls = &table[line];
      of_line.clear();
    } else if (calls != nullptr && !line.starts_with(kChanges)) {
      of_line.clear();
      for (const std::string& call : Split(std::string_view(line).substr(2))) of_line.push_back(&(*calls)[call]);
    } else if (!of_line.empty()) {
      ReadChanges(std::string_view(line).substr(kChanges.size()), of_line);
    } else {
      throw std::runtime_error(path + ": a line that is of no call: " + line);
    }
  }
  return table;
}

void WriteTable(const Table& table, const std::string& path) {
  std::ofstream file(path);
  file << "# Written by `./bazelw run //tests/arguments:update`, read in tests/arguments/table.h.\n";
  for (const auto& [overload, calls] : table) {
    if (calls.empty()) continue;
    file << overload << "\n";
    std::map<Changes, std::string> lines;
    for (const auto& [call, changes] : calls) {
      std::string& line = lines[changes];
      line += fmt::format("{}{}", line.empty() ? "" : kBetween, call);
    }
    std::map<std::string, const Changes*> in_order;
    for (const auto& [changes, line] : lines) in_order[line] = &changes;
    for (const auto& [line, changes] : in_order) {
      file << "  " << line << "\n";
      WriteChanges(*changes, file);
    }
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string ToText(const conformance::Outcome& outcome, int opset) {
  using Kind = conformance::Outcome::Kind;
  switch (outcome.kind) {
    case Kind::kOk:
    case Kind::kNotRun:
      return "";
    case Kind::kPartly:
      return "lacks: " + outcome.text;
    case Kind::kRefused:
      return "refused: " + Summary(outcome.text, opset);
    case Kind::kNoKernel:
      return "no kernel: " + outcome.text;
    case Kind::kWrong:
      return fmt::format("wrong: {} {:08x}", outcome.difference, outcome.graph);
    case Kind::kError:
      return fmt::format("error: {} {:08x}", outcome.difference, outcome.graph);
  }
  return "";
}

}  // namespace onnxport::arguments
