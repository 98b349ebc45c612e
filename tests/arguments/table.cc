#include "tests/arguments/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace onnxport::arguments {
namespace {

constexpr std::string_view kBefore = " | ";    // between an outcome and its changes
constexpr std::string_view kBetween = "; ";    // between changes
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

void ReadChanges(std::string_view line, Changes* changes) {
  const size_t end = line.find(kBefore);
  if (end == std::string_view::npos) throw std::runtime_error("no outcome and changes: " + std::string(line));
  const std::string outcome(line.substr(0, end));
  line.remove_prefix(end + kBefore.size());
  while (!line.empty()) {
    const size_t length = std::min(line.find(kBetween), line.size());
    (*changes)[std::string(line.substr(0, length))] = outcome;
    line.remove_prefix(std::min(length + kBetween.size(), line.size()));
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
  Changes* changes = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      calls = &table[line];
      changes = nullptr;
    } else if (calls != nullptr && !line.starts_with(kChanges)) {
      changes = &(*calls)[line.substr(2)];
    } else if (changes != nullptr) {
      ReadChanges(std::string_view(line).substr(kChanges.size()), changes);
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
    for (const auto& [call, changes] : calls) {
      file << "  " << call << "\n";
      WriteChanges(changes, file);
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
