#include "codegen/load/traits.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/load/lexer.h"
#include "codegen/load/placed_text.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

bool IsTraitKey(std::string_view key) {
  const Clause* clause = FindClause(kOfTraitItem, key);
  return clause != nullptr && clause->form == Form::kTrait;
}

// `word`, `-1`, `0.5`, `word(a, b, name=c)`; words may have dots, and a namespace in front. A small grammar of its own
// and not that of expressions: a trait names arguments and operators, it computes nothing. `slice_scatter(base, part,
// dim, start)`.
class TermParser {
 public:
  explicit TermParser(const PlacedText& text) : text_(text), tokens_(Tokenize(text.text())) {}

  TraitTerm Whole() {
    TraitTerm term = Term(0);
    if (current().kind != TokenKind::kEnd) Fail("the end");
    return term;
  }

 private:
  static constexpr int kMaxDepth = 4;

  const Token& current() const { return tokens_[index_]; }
  [[noreturn]] void Fail(std::string_view expected) const {
    throw SyntaxError{current().begin, fmt::format("expected {}", expected)};
  }
  bool Accept(std::string_view symbol) {
    const bool is_it = current().kind == TokenKind::kSymbol && current().text == symbol;
    if (is_it) ++index_;
    return is_it;
  }

  std::string Word() {
    if (current().kind != TokenKind::kName) Fail("a word");
    return tokens_[index_++].text;
  }

  TraitTerm Term(int depth) {
    if (depth > kMaxDepth) Fail("fewer brackets");
    TraitTerm term;
    term.place = text_.At(current().begin);
    const bool negative = Accept("-");
    if (negative || IsNumber(current())) return Number(negative, std::move(term));
    term.text = Word();
    // `functional::fill_diagonal` is of another namespace, `slice.Tensor` has an overload.
    if (Accept("::")) term.text += "::" + Word();
    while (Accept(".")) term.text += "." + Word();
    if (Accept("(")) Operands(depth, &term);
    return term;
  }

  TraitTerm Number(bool negative, TraitTerm term) {
    const Token& token = current();
    const bool is_int = token.kind == TokenKind::kInt;
    if (!IsNumber(token) || (is_int && token.int_value > uint64_t{std::numeric_limits<int64_t>::max()}))
      Fail("a number in range");
    term.kind = is_int ? TraitTerm::Kind::kInt : TraitTerm::Kind::kFloat;
    const auto value = static_cast<int64_t>(token.int_value);
    term.int_value = negative ? -value : value;
    term.float_value = negative ? -token.float_value : token.float_value;
    ++index_;
    return term;
  }

  void Operands(int depth, TraitTerm* call) {
    call->kind = TraitTerm::Kind::kCall;
    while (!Accept(")")) {
      const bool is_named = current().kind == TokenKind::kName && tokens_[index_ + 1].text == "=";
      if (is_named) {
        std::string name = Word();
        ++index_;
        call->named.push_back({std::move(name), Term(depth + 1)});
      } else if (!call->named.empty()) {
        Fail("`name=`: a positional operand stands before named ones");
      } else {
        call->operands.push_back(Term(depth + 1));
      }
      if (!Accept(",") && !(current().kind == TokenKind::kSymbol && current().text == ")")) Fail("`,` or `)`");
    }
  }

  const PlacedText& text_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
};

std::optional<TraitTerm> ParseTerm(const PlacedText& text, Diagnostics* diagnostics) {
  try {
    return TermParser(text).Whole();
  } catch (const SyntaxError& error) {
    diagnostics->Error(text.At(error.position), error.message);
    return std::nullopt;
  }
}

}  // namespace

void ReadClause(const YamlNode& node, const Clause& clause, std::vector<Trait>& traits, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, fmt::format("`{}`", clause.key), diagnostics);
  auto term = text == nullptr ? std::nullopt : ParseTerm(*text, diagnostics);
  if (term) traits.push_back({std::string(clause.key), std::move(*term)});
}

// `- op: aten::copy_.Tensor` with `functional: copy(self, other)` is such an item; an entry has at least something that
// it emits.
bool StatesTraitsOnly(const YamlNode& node) {
  const auto is_trait = [](const YamlNode& key) { return IsTraitKey(key.text.text()); };
  return node.kind == YamlKind::kMap && std::ranges::any_of(node.keys, is_trait) &&
         std::ranges::all_of(node.keys, [](const YamlNode& key) { return FindClause(kOfTraitItem, key.text.text()); });
}

}  // namespace onnxport::codegen
