#include "codegen/emit/wrap.h"

#include <optional>
#include <utility>
#include <vector>

namespace onnxport::codegen {
namespace {

constexpr size_t kColumns = 100;

// Where a line may end: the text up to `end` stays, what follows goes on at column `indent`.
struct Break {
  size_t end;
  size_t cost;  // a line is broken where it is least, far right
  size_t indent;
};

// Reads one line's characters with the brackets that are open at each.
class Scanner {
 public:
  Scanner(std::string_view text, std::vector<size_t> open, size_t outer)
      : text_(text), open_(std::move(open)), outer_(outer) {}

  // The best break within the columns, and the brackets open there. Nothing when there is none.
  std::optional<Break> Find(size_t start_column) {
    std::optional<Break> best;
    for (size_t i = 0; i < text_.size() && start_column + i <= kColumns; ++i) {
      if (quoted_) {
        quoted_ = text_[i] != '"' || Escaped(i);
        continue;
      }
      const char letter = text_[i];
      if (letter == '"') quoted_ = true;
      if (letter == '(' || letter == '{' || letter == '[') open_.push_back(start_column + i + 1);
      if ((letter == ')' || letter == '}' || letter == ']') && !open_.empty()) open_.pop_back();
      if (!MayBreak(i)) continue;
      const Break here{i, Cost(i), open_.empty() ? outer_ + 4 : open_.back()};
      if (!best || here.cost <= best->cost) best = here, open_at_best_ = open_;
    }
    return best;
  }

  const std::vector<size_t>& open_at_best() const { return open_at_best_; }

 private:
  bool Escaped(size_t i) const {
    size_t slashes = 0;
    while (slashes < i && text_[i - 1 - slashes] == '\\') ++slashes;
    return slashes % 2 == 1;
  }

  // Before the space at `i`: after a comma, an operator, `=`; before `?` and `:`.
  bool MayBreak(size_t i) const {
    if (text_[i] != ' ' || i == 0) return false;
    const char before = text_[i - 1];
    const std::string_view after = text_.substr(i + 1);
    if (after.starts_with("? ") || after.starts_with(": ")) return true;
    if (before == ',' || before == '=') return true;
    const bool operator_before = i >= 2 && text_[i - 2] == ' ' && std::string_view("+-*/%").find(before) != std::string_view::npos;
    return operator_before || text_.substr(0, i).ends_with("&&") || text_.substr(0, i).ends_with("||");
  }

  // Twice the number of open brackets, and a penalty: commas and colons first, then weak operators, `?` and strong
  // operators, and after the `=` of a statement as the last resort.
  size_t Cost(size_t i) const {
    const char before = text_[i - 1];
    size_t penalty = 1;
    if (before == ',' || text_[i + 1] == ':') penalty = 0;
    if (text_[i + 1] == '?' || before == '*' || before == '/' || before == '%') penalty = 2;
    if (before == '=') penalty = 6;
    return 2 * open_.size() + penalty;
  }

  std::string_view text_;
  std::vector<size_t> open_;
  std::vector<size_t> open_at_best_;
  size_t outer_;
  bool quoted_ = false;
};

}  // namespace

std::string WrapStatement(std::string_view statement, int indent) {
  const auto outer = static_cast<size_t>(indent) + (statement.starts_with("return ") ? 3 : 0);
  std::string wrapped;
  std::string_view rest = statement;
  std::vector<size_t> open;
  auto column = static_cast<size_t>(indent);
  while (column + rest.size() > kColumns) {
    Scanner scanner(rest, open, outer);
    const auto at = scanner.Find(column);
    if (!at) break;
    wrapped += std::string(column, ' ') + std::string(rest.substr(0, at->end)) + "\n";
    rest.remove_prefix(at->end + 1);
    open = scanner.open_at_best();
    column = at->indent;
  }
  return wrapped + std::string(column, ' ') + std::string(rest) + "\n";
}

std::string WrapComment(std::string_view text) {
  std::string wrapped;
  std::string line = "//";
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (line.size() > 6 && line.size() + 1 + word.size() > kColumns) {
      wrapped += line + "\n";
      line = "//    ";
    }
    line += " " + std::string(word);
  }
  return wrapped + line + "\n";
}

}  // namespace onnxport::codegen
