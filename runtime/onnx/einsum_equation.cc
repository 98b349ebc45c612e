#include "runtime/onnx/einsum_equation.h"

#include <fmt/format.h>

#include <algorithm>

namespace onnxport::onnx_ops {
namespace {

constexpr std::string_view kArrow = "->";
constexpr std::string_view kEllipsis = "...";

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Appends the letters of a term to `letters`, in order.
std::string TermMistake(std::string_view term, std::string* letters) {
  const size_t ellipsis = std::min(term.find(kEllipsis), term.size());
  std::string rest(term.substr(0, ellipsis));
  if (ellipsis < term.size()) rest += term.substr(ellipsis + kEllipsis.size());
  if (!std::ranges::all_of(rest, IsLetter)) return "a term has letters and at most one `...`";
  *letters += rest;
  return "";
}

std::string ResultMistake(std::string_view term, std::string_view known) {
  std::string letters;
  if (std::string mistake = TermMistake(term, &letters); !mistake.empty()) return mistake;
  if (letters.find_first_not_of(known) != std::string::npos) return "the result has a letter that no operand has";
  std::ranges::sort(letters);
  return std::ranges::adjacent_find(letters) == letters.end() ? "" : "the result has a letter twice";
}

std::string Mistake(std::string_view equation, size_t operands) {
  const size_t arrow = std::min(equation.find(kArrow), equation.size());
  std::string_view left = equation.substr(0, arrow);
  std::string letters;
  size_t terms = 0;
  for (bool more = true; more; ++terms) {
    const size_t comma = left.find(',');
    if (std::string mistake = TermMistake(left.substr(0, comma), &letters); !mistake.empty()) return mistake;
    more = comma != std::string_view::npos;
    if (more) left.remove_prefix(comma + 1);
  }
  if (terms != operands) return fmt::format("it has {} terms for {} operands", terms, operands);
  return arrow == equation.size() ? "" : ResultMistake(equation.substr(arrow + kArrow.size()), letters);
}

}  // namespace

std::string EinsumMistake(std::string_view equation, size_t operands) {
  std::string text(equation);
  std::erase(text, ' ');
  return Mistake(text, operands);
}

}  // namespace onnxport::onnx_ops
