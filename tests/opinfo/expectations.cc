#include "tests/opinfo/expectations.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "tests/support/hash.h"

namespace onnxport::opinfo {
namespace {

constexpr std::string_view kShard = "ok ";  // at the start of a shard's line

// Returns whether it is a shard's line: no operator is called `ok`.
bool IsOfShard(std::string_view line) { return line.starts_with(kShard); }

// "pt2@25" -> "pt2" and {25}; without an opset all of them.
std::pair<std::string, std::vector<int>> ReadPlace(const std::string& place) {
  if (place.find('@') == std::string::npos) return {place, {kOpsets.begin(), kOpsets.end()}};
  const auto [what, opset] = SplitOnce(place, "@");
  return {what, {std::stoi(opset)}};
}

// The reverse, for one opset or all of them.
std::string PlaceText(const std::string& what, const std::vector<int>& opsets) {
  return opsets.size() == kOpsets.size() ? what : fmt::format("{}@{}", what, opsets.front());
}

// "decomposed.pt2 92, pt 385, 1a2b3c4d"
Agreeing ReadAgreeing(const std::string& text) {
  std::vector<std::string> parts = Split(text, ", ");
  Agreeing agreeing;
  agreeing.hash = static_cast<uint32_t>(std::stoul(parts.back(), nullptr, 16));
  parts.pop_back();
  for (const std::string& part : parts) {
    const auto [format, count] = SplitOnce(part, " ");
    agreeing.samples[format] = std::stoi(count);
  }
  return agreeing;
}

std::string AgreeingText(const Agreeing& agreeing) {
  std::string text;
  for (const auto& [format, count] : agreeing.samples) text += fmt::format("{} {}, ", format, count);
  return text + fmt::format("{:08x}", agreeing.hash);
}

// "bf16 bool:2 = no kernel; c64 = refused aten::add.Tensor"
void ReadGroups(const std::string& groups, const std::string& op, const std::string& format, Table* table) {
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

void ReadLine(const std::string& line, Expectations* expectations) {
  const auto [key, text] = SplitOnce(line, ": ");
  std::vector<std::string> places = Split(key, " ");
  const std::string op = places.front();
  places.erase(places.begin());
  if (places.empty()) throw std::runtime_error(fmt::format("`{}` names no format", line));
  for (const std::string& place : places) {
    const auto [what, opsets] = ReadPlace(place);
    for (const int opset : opsets) {
      if (IsOfShard(line)) {
        expectations->agreeing[{std::stoi(what), opset}] = ReadAgreeing(text);
      } else {
        ReadGroups(text, op, what, &expectations->others[opset]);
      }
    }
  }
}

// The cells of one operator and format, as they stand in a line: dtypes by kind and outcome.
std::string GroupsText(const std::vector<std::pair<std::string, const Counts*>>& dtypes) {
  std::map<std::pair<size_t, std::string>, std::string> groups;
  for (const auto& [dtype, counts] : dtypes) {
    for (const auto& [outcome, count] : *counts) {
      std::string& text = groups[{KindOf(outcome), outcome}];
      text += (text.empty() ? "" : " ") + dtype;
      if (count != kSamples) text += ":" + std::to_string(count);
    }
  }
  std::string text;
  for (const auto& [key, group] : groups) text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", group, key.second);
  return text;
}

// The expectations of one operator: text of groups -> format -> the opsets at which it has that text.
using Places = std::map<std::string, std::map<std::string, std::vector<int>>>;

void WriteLines(const std::string& op, const Places& places, std::ostream& out) {
  for (const auto& [text, formats] : places) {
    out << op;
    for (const auto& [format, opsets] : formats) out << " " << PlaceText(format, opsets);
    out << ": " << text << "\n";
  }
}

// A line for each shard, or for each of its opsets where they differ.
void WriteShards(const Expectations& expectations, std::ostream& out) {
  std::map<int, std::map<int, std::string>> shards;
  for (const auto& [place, agreeing] : expectations.agreeing) {
    shards[place.first][place.second] = AgreeingText(agreeing);
  }
  for (const auto& [shard, texts] : shards) {
    const std::string& first = texts.begin()->second;
    const bool is_one = texts.size() == kOpsets.size() &&
                        std::ranges::all_of(texts, [&](const auto& text) { return text.second == first; });
    if (is_one) fmt::print(out, "{}{}: {}\n", kShard, shard, first);
    if (is_one) continue;
    for (const auto& [opset, text] : texts) fmt::print(out, "{}{}@{}: {}\n", kShard, shard, opset, text);
  }
}

void WriteOthers(const Expectations& expectations, std::ostream& out) {
  std::map<std::string, Places> operators;
  for (const auto& [opset, table] : expectations.others) {
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::string, const Counts*>>> formats;
    for (const auto& [cell, counts] : table) formats[{cell.op, cell.format}].emplace_back(cell.dtype, &counts);
    for (const auto& [key, dtypes] : formats) operators[key.first][GroupsText(dtypes)][key.second].push_back(opset);
  }
  for (const auto& [op, places] : operators) WriteLines(op, places, out);
}

// Everything that is expected at an opset, for the summary: the samples that agree are cells without a name.
Table AllAt(int opset, const Expectations& expectations) {
  const auto others = expectations.others.find(opset);
  Table table = others == expectations.others.end() ? Table{} : others->second;
  for (const auto& [place, agreeing] : expectations.agreeing) {
    if (place.second != opset) continue;
    for (const auto& [format, count] : agreeing.samples) table[{"", format, ""}][std::string(kAgrees)] += count;
  }
  return table;
}

Counts WithoutAgreeing(Counts counts) {
  counts.erase(std::string(kAgrees));
  return counts;
}

std::string ExpectedText(const Counts& others) {
  return others.empty() ? "all ok" : fmt::format("{}, and others ok", ToText(others));
}

void CompareCells(const Table& expected, const Table& actual, bool all, std::vector<std::string>* differences) {
  const auto compare = [&](const Cell& cell, const Counts& wanted, const Counts& got) {
    if (wanted == WithoutAgreeing(got)) return;
    differences->push_back(fmt::format("{} {} {}: expected {}; got {}", cell.op, cell.format, cell.dtype,
                                       ExpectedText(wanted), ToText(got)));
  };
  for (const auto& [cell, got] : actual) {
    const auto wanted = expected.find(cell);
    compare(cell, wanted == expected.end() ? Counts{} : wanted->second, got);
  }
  for (const auto& [cell, wanted] : expected) {
    if (all && !actual.contains(cell)) compare(cell, wanted, {});
  }
}

}  // namespace

Agreeing AgreeingOf(const Table& table) {
  Agreeing agreeing;
  for (const auto& [cell, counts] : table) {
    const auto agree = counts.find(std::string(kAgrees));
    if (agree != counts.end()) agreeing.samples[cell.format] += agree->second;
  }
  agreeing.hash = tests::HashOfLines(ListAgreeing(table));
  return agreeing;
}

Expectations ReadExpectations(std::istream& in) {
  Expectations expectations;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') ReadLine(line, &expectations);
  }
  return expectations;
}

void WriteExpectations(const Expectations& expectations, std::ostream& out) {
  out << "# What becomes of the samples of PyTorch's operator database: see expectations.h and outcome.h.\n"
         "# Written by ./bazelw run //tests/opinfo:update_OPSET\n"
         "#\n";
  for (const int opset : kOpsets) {
    std::ostringstream summary;
    WriteSummary(AllAt(opset, expectations), summary);
    for (const std::string& line : Split(summary.str(), "\n")) {
      if (!line.empty()) fmt::print(out, "# opset {}, {}\n", opset, line);
    }
  }
  WriteShards(expectations, out);
  WriteOthers(expectations, out);
}

void Update(const Shards& actual, int opset, bool all, Expectations* expectations) {
  Table& others = expectations->others[opset];
  if (all) {
    others.clear();
    std::erase_if(expectations->agreeing, [&](const auto& shard) { return shard.first.second == opset; });
  }
  for (const auto& [shard, table] : actual) {
    expectations->agreeing[{shard, opset}] = AgreeingOf(table);
    for (const auto& [cell, counts] : table) {
      others.erase(cell);
      if (Counts rest = WithoutAgreeing(counts); !rest.empty()) others.emplace(cell, std::move(rest));
    }
  }
}

std::vector<std::string> Differences(const Expectations& expected, const Shards& actual, int opset, bool all) {
  std::vector<std::string> differences;
  Table cells;
  for (const auto& [shard, table] : actual) cells.insert(table.begin(), table.end());
  const auto others = expected.others.find(opset);
  CompareCells(others == expected.others.end() ? Table{} : others->second, cells, all, &differences);
  const auto compare = [&](int shard, const Agreeing& wanted, const Agreeing& got) {
    if (wanted == got) return;
    differences.push_back(fmt::format("the samples of shard {} that are ok: expected {}; got {}", shard,
                                      AgreeingText(wanted), AgreeingText(got)));
  };
  for (const auto& [shard, table] : actual) {
    const auto wanted = expected.agreeing.find({shard, opset});
    compare(shard, wanted == expected.agreeing.end() ? Agreeing{} : wanted->second, AgreeingOf(table));
  }
  for (const auto& [place, wanted] : expected.agreeing) {
    if (all && place.second == opset && !actual.contains(place.first)) compare(place.first, wanted, {});
  }
  return differences;
}

}  // namespace onnxport::opinfo
