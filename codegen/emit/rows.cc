#include "codegen/emit/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace onnxport::codegen {
namespace {

constexpr std::string_view kKinds[] = {"function", "node", "hook", "refusal"};

// A field cannot hold what separates fields.
std::string Field(std::string text) {
  std::ranges::replace_if(text, [](char letter) { return letter == '\t' || letter == '\n' || letter == '\r'; }, ' ');
  return text;
}

int Number(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) throw std::runtime_error("not a number: " + text);
  return number;
}

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  for (char letter : line) {
    if (letter == '\t')
      fields.emplace_back();
    else
      fields.back() += letter;
  }
  return fields;
}

}  // namespace

std::string ToText(const RowsFile& file) {
  std::string text = file.family + "\n";
  for (const Row& row : file.rows)
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.overload, row.since, row.until,
                        kKinds[static_cast<size_t>(row.kind)], Field(row.symbol), Field(row.remark), Field(row.place));
  return text;
}

RowsFile ReadRows(const std::string& text) {
  std::istringstream lines(text);
  RowsFile file;
  std::getline(lines, file.family);
  for (std::string line; std::getline(lines, line);) {
    const auto fields = Fields(line);
    const auto kind = std::ranges::find(kKinds, fields.size() == 7 ? fields[3] : "");
    if (kind == std::end(kKinds)) throw std::runtime_error("not a line of a .rows file: " + line);
    file.rows.push_back({.overload = fields[0],
                         .since = Number(fields[1]),
                         .until = Number(fields[2]),
                         .kind = static_cast<Row::Kind>(kind - std::begin(kKinds)),
                         .symbol = fields[4],
                         .remark = fields[5],
                         .place = fields[6]});
  }
  return file;
}

}  // namespace onnxport::codegen
