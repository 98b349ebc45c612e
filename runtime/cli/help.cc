#include "runtime/cli/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace onnxport::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kColumn = 26;  // where descriptions begin

// Wraps the words into lines that begin at the column. The first line goes on at column `at`.
std::string Wrapped(std::string_view text, size_t at) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    // At the column, no word precedes this one, so no blank is needed, and a break would only make an empty line.
    const bool first = at <= kColumn;
    if (!first && at + 1 + word.size() > kWidth) {
      out += '\n' + std::string(kColumn, ' ');
      at = kColumn;
    } else if (!first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    begin = end + 1;
  }
  return out;
}

// Returns "  -o, --out FILE" with the description beside it or below it.
std::string Entry(const std::string& left, const std::string& description) {
  const bool beside = left.size() + 2 <= kColumn;
  const std::string gap = beside ? std::string(kColumn - left.size(), ' ') : '\n' + std::string(kColumn, ' ');
  return left + gap + Wrapped(description, kColumn) + '\n';
}

// "--functions{*}" of CLI11 is "--functions".
std::string NamesOf(const CLI::Option& option, bool positional) {
  std::string names;
  bool inside = false;
  for (const char c : option.get_name(positional, !positional)) {
    inside = inside || c == '{';
    if (!inside) names += c;
    if (c == ',') names += ' ';
    if (c == '}') inside = false;
  }
  return names;
}

class Formatter : public CLI::Formatter {
 public:
  Formatter() {
    column_width(kColumn);
    right_column_width(kWidth - kColumn);
    // Footers are examples and tables with lines of their own. CLI11 would join them to a paragraph.
    enable_footer_formatting(false);
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string left = "  " + std::string(is_positional || !option->get_snames().empty() ? "" : "    ");
    left += NamesOf(*option, is_positional);
    const bool takes = option->get_type_size() != 0;
    if (takes && !is_positional) left += ' ' + option->get_type_name();
    std::string description = option->get_description();
    if (takes && !option->get_default_str().empty()) description += fmt::format(" ({})", option->get_default_str());
    return Entry(left, description);
  }

  // CLI11 leaves blanks at the ends of lines, and several empty lines in a row. They are invisible, but they remain if
  // somebody copies or compares a page.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string help;
    for (const char c : CLI::Formatter::make_help(app, std::move(name), mode)) {
      while (c == '\n' && help.ends_with(' ')) help.pop_back();
      if (c == '\n' && help.ends_with("\n\n")) continue;
      help += c;
    }
    return help;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> HelpFormatter() { return std::make_shared<Formatter>(); }

}  // namespace onnxport::cli
