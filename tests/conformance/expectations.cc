#include "tests/conformance/expectations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "tests/known_wrong/known_wrong.h"

namespace onnxport::conformance {
namespace {

using Kind = Outcome::Kind;

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

}  // namespace

void Section::Add(const std::string& call, ir::DType dtype, int opset, const Outcome& outcome) {
  ++cells_;
  if (outcome.kind == Kind::kOk || outcome.kind == Kind::kPartly) {
    ++agree_;
    agreeing_[std::string(ir::ShortName(dtype))].insert(opset);
  }
  if (outcome.kind == Kind::kOk) return;
  const std::string kind(KindText(outcome.kind));
  Row& row = outcome.kind == Kind::kNotRun
                 ? others_[{kind, ""}]
                 : others_[{fmt::format("{} {}", call, kind), Summary(outcome, dtype, opset)}];
  row.cells[std::string(ir::ShortName(dtype))].insert(opset);
  if (outcome.kind == Kind::kWrong || outcome.kind == Kind::kError)
    row.graphs = (row.graphs ^ outcome.graph) * 16777619U;  // FNV's prime
}

std::string Section::ToText() const {
  std::string text = fmt::format("{}: {} of {} agree\n", overload_, agree_, cells_);
  if (agree_ > 0) text += fmt::format("  agrees{}\n", CellsText(agreeing_));
  for (const auto& [what, row] : others_) {
    text += fmt::format("  {}{}{}", what.first, CellsText(row.cells), what.second);
    text += row.graphs != 0 ? fmt::format(" {:08x}\n", row.graphs) : "\n";
  }
  return text;
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
