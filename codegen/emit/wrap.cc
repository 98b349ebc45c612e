#include "codegen/emit/wrap.h"

#include <optional>
#include <utility>
#include <vector>

namespace onnxport::codegen {
namespace {

constexpr size_t kColumns = 120;

// Where a line may end: the text up to `end` stays, what follows goes on at column `indent`.
struct Break {
  size_t end;
  size_t cost;  // a line is broken where it is least, far right
  size_t indent;
};

// Reads one line's characters with the brackets that are open at each.
class Scanner {
 public:
  // `outer`: the column for what goes on outside of all brackets; `indent`: the statement's.
  Scanner(std::string_view text, std::vector<size_t> open, size_t outer, size_t indent)
      : text_(text), open_(std::move(open)), outer_(outer), indent_(indent) {}

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
      const size_t outside = text_[i - 1] == '=' ? indent_ + 4 : outer_;
      const Break here{i, Cost(i), open_.empty() ? outside : open_.back()};
      // As far right as possible; but the arms of `a ? b : c ? d : e` get a line each.
      const bool better = !best || here.cost < best->cost || (here.cost == best->cost && text_[i + 1] != ':');
      if (better) best = here, open_at_best_ = open_;
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
    const bool operator_before =
        i >= 2 && text_[i - 2] == ' ' && std::string_view("+-*/%").find(before) != std::string_view::npos;
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
  size_t indent_;
  bool quoted_ = false;
};

// The position of the bracket that closes the one at `open`; npos when there is none.
size_t Closing(std::string_view text, size_t open) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      if (text[i] == '{') ++depth;
      if (text[i] == '}' && --depth == 0) return i;
    }
  }
  return text.npos;
}

// `Map(list, [&](const Val& x) { return f(x); });` -> the position of the lambda's brace, when the lambda ends the
// statement and what comes before it fits on a line.
std::optional<size_t> LastLambda(std::string_view statement, size_t indent) {
  for (size_t at = statement.find("[&]"); at != statement.npos; at = statement.find("[&]", at + 1)) {
    const size_t brace = statement.find('{', at);
    const size_t end = brace == statement.npos ? brace : Closing(statement, brace);
    if (end == statement.npos) continue;
    const bool last = statement.substr(end).find_first_not_of("});") == statement.npos;
    if (last && indent + brace < kColumns) return brace;
  }
  return std::nullopt;
}

// Where the expression of `return x;` and `const Val y = x;` begins: its operators are aligned there.
size_t ExpressionStart(std::string_view statement) {
  if (statement.starts_with("return ")) return 7;
  const std::string_view before_brackets = statement.substr(0, statement.find_first_of("({[\""));
  const size_t equals = before_brackets.find(" = ");
  return equals == before_brackets.npos ? 4 : equals + 3;
}

}  // namespace

std::string WrapStatement(std::string_view statement, int indent) {
  const size_t outer = static_cast<size_t>(indent) + ExpressionStart(statement);
  std::string wrapped;
  if (indent + statement.size() > kColumns) {
    if (const auto brace = LastLambda(statement, indent)) {
      const size_t end = Closing(statement, *brace);
      const std::string_view body = statement.substr(*brace + 2, end - *brace - 3);
      return WrapStatement(statement.substr(0, *brace + 1), indent) + WrapStatement(body, indent + 2) +
             WrapStatement(statement.substr(end), indent);
    }
  }
  std::string_view rest = statement;
  std::vector<size_t> open;
  auto column = static_cast<size_t>(indent);
  while (column + rest.size() > kColumns) {
    Scanner scanner(rest, open, outer, indent);
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
