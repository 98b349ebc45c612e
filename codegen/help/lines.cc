#include "codegen/help/lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace onnxport::codegen {
namespace {

bool EndsWord(std::string_view text, size_t at) { return at >= text.size() || text[at] == ' '; }

// The byte of the colon that ends a key which begins at `start`; npos without one. `x[1:2]` has none, `row(t): x` has.
size_t ColonOf(std::string_view text, size_t start) {
  int depth = 0;
  char quote = 0;
  if (start < text.size() && (text[start] == '{' || text[start] == '[')) return std::string_view::npos;
  for (size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == '#' && i > 0 && text[i - 1] == ' ') {
      break;
    } else if (c == ':' && depth <= 0 && EndsWord(text, i + 1)) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string Unquoted(std::string_view key) {
  const bool quoted = key.size() >= 2 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front();
  return std::string(quoted ? key.substr(1, key.size() - 2) : key);
}

Line LineOf(std::string_view text) {
  Line line;
  line.text = text;
  size_t at = std::min(text.find_first_not_of(' '), text.size());
  while (at < text.size() && text[at] == '-' && EndsWord(text, at + 1)) {
    if (line.dash < 0) line.dash = static_cast<int>(at);
    at = std::min(text.find_first_not_of(' ', at + 1), text.size());
  }
  line.column = static_cast<int>(at);
  line.value = at;
  const bool empty = at == text.size() || text[at] == '#';
  line.blank = empty && line.dash < 0;
  if (empty) return line;
  const size_t colon = ColonOf(text, at);
  if (colon == std::string_view::npos) return line;
  line.key = Unquoted(text.substr(at, colon - at));
  line.value = std::min(text.find_first_not_of(' ', colon + 1), text.size());
  return line;
}

// The fewest lines that a header has.
constexpr size_t kHeaderLines = 3;

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void AddWords(std::string_view text, std::vector<std::string>* words) {
  for (auto at = text.begin(); at != text.end() && *at != '#';) {
    const auto end = std::find_if_not(at, text.end(), IsOfName);
    if (end != at) words->emplace_back(at, end);
    at = end == at ? at + 1 : end;
  }
}

}  // namespace

std::string_view Line::Value() const { return std::string_view(text).substr(std::min(value, text.size())); }

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(LineOf(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<LineRange> ItemsOf(const std::vector<Line>& lines) {
  std::vector<LineRange> items;
  const auto ops = std::ranges::find_if(lines, [](const Line& line) { return line.column == 0 && line.key == "ops"; });
  int dash = -1;
  for (auto line = ops; line != lines.end(); ++line) {
    if (line->dash < 0) continue;
    if (dash < 0) dash = line->dash;
    if (line->dash != dash) continue;
    const auto number = static_cast<size_t>(line - lines.begin());
    if (!items.empty()) items.back().second = number;
    items.emplace_back(number, lines.size());
  }
  return items;
}

std::vector<std::string> ImportsOf(const std::vector<Line>& lines) {
  std::vector<std::string> imports;
  bool inside = false;
  for (const Line& line : lines) {
    if (line.blank) continue;
    if (line.column == 0 && line.has_key()) inside = line.key == "import";
    if (line.key == "ops") break;
    if (inside) AddWords(line.has_key() ? line.Value() : line.text, &imports);
  }
  return imports;
}

std::string TextOf(const std::vector<Line>& lines, const std::vector<LineRange>& items, const Header& header) {
  std::vector<std::string> kept(lines.size());
  const std::vector<LineRange> all = ItemsOf(lines);
  const size_t end = all.empty() ? lines.size() : all[0].first;
  for (size_t i = 0; i < end; ++i) kept[i] = lines[i].text;
  if (end >= kHeaderLines) {
    std::fill_n(kept.begin(), end, "");
    kept[0] = "spec: 1";
    kept[1] = "family: " + header.family;
    // Where there are any, they have a line in the file.
    if (end > kHeaderLines && !header.imports.empty())
      kept[2] = fmt::format("import: [{}]", fmt::join(header.imports, ", "));
    kept[end - 1] = "ops:";
  }
  for (const LineRange& item : items)
    for (size_t i = item.first; i < item.second; ++i) kept[i] = lines[i].text;
  std::string text;
  for (const std::string& line : kept) text += line + "\n";
  return text;
}

}  // namespace onnxport::codegen
