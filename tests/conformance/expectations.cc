#include "tests/conformance/expectations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/known_wrong/known_wrong.h"
#include "tests/support/hash.h"

namespace onnxport::conformance {
namespace {

using Kind = Outcome::Kind;

const std::string kBeforeCalls = " | ";  // between an outcome and the calls that have it
const std::string kBetweenCalls = "; ";

std::string_view KindText(Kind kind) {
  switch (kind) {
    case Kind::kOk:
      return "agrees";
    case Kind::kPartly:
      return "lacks";
    case Kind::kRefused:
      return "refused";
    case Kind::kNoKernel:
      return "no kernel";
    case Kind::kNotRun:
      return "not run here";
    case Kind::kWrong:
      return "wrong";
    case Kind::kError:
      return "error";
  }
  return "";
}

void Replace(std::string* text, const std::string& from, std::string_view to) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// The first clause, without the dtype, the opset and conditions of the spec: an edit that changes no outcome changes no
// table.
std::string Summary(const Outcome& outcome, ir::DType dtype, int opset) {
  static constexpr std::string_view kCondition = "only exported if";
  if (outcome.kind == Kind::kWrong || outcome.kind == Kind::kError) return ": " + outcome.difference;
  if (outcome.text.starts_with(kCondition)) return fmt::format(": {} ...", kCondition);
  std::string text = outcome.text.substr(0, std::min(outcome.text.find('\n'), outcome.text.find("; ")));
  for (const char* word : {"of", "at"}) Replace(&text, fmt::format(" {} opset {}", word, opset), "");
  Replace(&text, std::string(ir::Name(dtype)), "T");
  return ": " + text;
}

// " bf16@14 f32@7,14"
std::string CellsText(const std::map<std::string, std::set<int>>& cells) {
  std::string text;
  for (const auto& [dtype, opsets] : cells) text += fmt::format(" {}@{}", dtype, fmt::join(opsets, ","));
  return text;
}

// The first line of a section, and the others as one for each call: "(self=T[2,3]) refused bool@7,25: Relu takes no
// bool".
std::pair<std::string, std::set<std::string>> LinesByCall(const std::string& section) {
  std::istringstream in(section);
  std::string head;
  std::getline(in, head);
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const size_t end = std::min(line.find(kBeforeCalls), line.size());
    const std::string outcome = line.substr(std::min<size_t>(2, end), end - std::min<size_t>(2, end));
    std::string calls = line.substr(std::min(end + kBeforeCalls.size(), line.size()));
    do {
      const size_t length = std::min(calls.find(kBetweenCalls), calls.size());
      lines.insert(fmt::format("{} {}", calls.substr(0, length), outcome));
      calls.erase(0, length + kBetweenCalls.size());
    } while (!calls.empty());
  }
  return {head, lines};
}

}  // namespace

void Section::Add(const std::string& call, ir::DType dtype, int opset, const Outcome& outcome) {
  ++cells_;
  const std::string name(ir::ShortName(dtype));
  if (outcome.kind == Kind::kOk || outcome.kind == Kind::kPartly) {
    agreeing_.insert(fmt::format("{} {}@{}", call, name, opset));
    agreeing_cells_[name].insert(opset);
  }
  if (outcome.kind == Kind::kOk) return;
  const bool not_run = outcome.kind == Kind::kNotRun;
  Row& row = others_[{.kind = std::string(KindText(outcome.kind)),
                      .text = not_run ? "" : Summary(outcome, dtype, opset),
                      .call = not_run ? "" : call}];
  row.cells[name].insert(opset);
  if (outcome.kind == Kind::kWrong || outcome.kind == Kind::kError)
    row.graphs = (row.graphs ^ outcome.graph) * 16777619U;  // FNV's prime
}

std::string Section::ToText() const {
  std::string text = fmt::format("{}: {} of {} agree", overload_, agreeing_.size(), cells_);
  if (!agreeing_.empty()) text += fmt::format(", {:08x}:{}", tests::HashOfLines(agreeing_), CellsText(agreeing_cells_));
  std::map<std::string, std::string> lines;  // an outcome -> its calls
  for (const auto& [key, row] : others_) {
    std::string outcome = key.kind + CellsText(row.cells) + key.text;
    if (row.graphs != 0) outcome += fmt::format(" {:08x}", row.graphs);
    std::string& calls = lines[outcome];
    if (!key.call.empty()) calls += (calls.empty() ? kBeforeCalls : kBetweenCalls) + key.call;
  }
  text += "\n";
  for (const auto& [outcome, calls] : lines) text += fmt::format("  {}{}\n", outcome, calls);
  return text;
}

std::vector<std::string> Differences(const std::string& expected, const std::string& actual) {
  const auto [old_head, old_lines] = LinesByCall(expected);
  const auto [new_head, new_lines] = LinesByCall(actual);
  std::vector<std::string> differences;
  for (const auto& line : old_lines) {
    if (!new_lines.contains(line)) differences.push_back("is no longer so: " + line);
  }
  for (const auto& line : new_lines) {
    if (!old_lines.contains(line)) differences.push_back("is new: " + line);
  }
  if (old_head != new_head) {
    differences.push_back(fmt::format(
        "other cells agree: `{}` is expected, and is now `{}`. Those that are not above are new or gone: "
        "compare the lists that `./bazelw run //tests/conformance:list` prints here and at the commit before",
        old_head, new_head));
  }
  return differences;
}

Table ReadTable(const std::string& path) {
  Table table;
  std::ifstream file(path);
  std::string overload;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') overload = line.substr(0, line.find(": "));
    table[overload] += line + "\n";
  }
  return table;
}

void WriteTable(const Table& table, const std::string& path) {
  std::ofstream file(path);
  file << "# Written by `./bazelw run //tests/conformance:update`, read in tests/conformance/expectations.h.\n";
  for (const auto& [overload, section] : table) file << section;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::map<std::string, std::string> ReadWrongCells(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::map<std::string, std::string> cells;
  for (const KnownWrong& known : ReadKnownWrong(file)) {
    for (size_t i = 1; i < known.words.size(); ++i) {
      std::string& reasons = cells[known.words[0] + " " + known.words[i]];
      reasons += reasons.empty() ? known.reason : "; " + known.reason;
    }
  }
  return cells;
}

bool VariesByProcessor(const std::string& reasons) { return reasons.find("on some processors") != std::string::npos; }

bool NaNVariesByProcessor(const std::string& reasons) {
  return reasons.find("a NaN within bounds") != std::string::npos;
}

bool IsOpenWhenEmpty(const std::string& reasons) {
  return reasons.find("an empty tensor is open") != std::string::npos;
}

}  // namespace onnxport::conformance
