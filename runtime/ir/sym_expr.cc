#include "runtime/ir/sym_expr.h"

#include <algorithm>
#include <memory>

namespace onnxport::ir {
namespace {

int Degree(const Term& term) {
  int degree = 0;
  for (const Factor& factor : term.factors) degree += factor.power;
  return degree;
}

// Orders products: higher degree first, then by names (graded lexicographic, so that exact division works).
std::strong_ordering Compare(const Term& a, const Term& b) {
  if (const int x = Degree(a), y = Degree(b); x != y) return y <=> x;
  for (size_t i = 0; i < a.factors.size() && i < b.factors.size(); ++i) {
    if (const auto c = a.factors[i].atom->text <=> b.factors[i].atom->text; c != 0) return c;
    if (const auto c = b.factors[i].power <=> a.factors[i].power; c != 0) return c;
  }
  return a.factors.size() <=> b.factors.size();
}

// Sorts the factors of a product and merges equal ones.
// s1*s0*s1 becomes s0*s1**2.
void Normalise(Term* term) {
  std::sort(term->factors.begin(), term->factors.end(),
            [](const Factor& a, const Factor& b) { return a.atom->text < b.atom->text; });
  std::vector<Factor> merged;
  for (Factor& factor : term->factors) {
    if (!merged.empty() && merged.back().atom->text == factor.atom->text) {
      merged.back().power += factor.power;
    } else {
      merged.push_back(std::move(factor));
    }
  }
  term->factors = std::move(merged);
}

std::string TextOf(const Term& term) {
  std::string text;
  if (term.coefficient != 1 || term.factors.empty()) text = std::to_string(term.coefficient);
  if (term.coefficient == -1 && !term.factors.empty()) text = "-";
  for (const Factor& factor : term.factors) {
    if (!text.empty() && text != "-") text += '*';
    text += factor.atom->text;
    if (factor.power != 1) text += "**" + std::to_string(factor.power);
  }
  return text;
}

std::string TextOf(const std::vector<Term>& terms) {
  std::string text;
  for (const Term& term : terms) {
    std::string piece = TextOf(term);
    if (text.empty()) {
      text = std::move(piece);
    } else if (piece[0] == '-' && term.coefficient != INT64_MIN) {  // that one is a number with its sign only
      text += " - " + piece.substr(1);
    } else {
      text += " + " + piece;
    }
  }
  return text;
}

// a / b for products; nothing when b does not divide a.
// 6*s0**2*s1 / (2*s0) is 3*s0*s1. By -1 nothing is divided, as INT64_MIN / -1 overflows.
std::optional<Term> Divide(const Term& a, const Term& b) {
  if (b.coefficient == 0 || b.coefficient == -1 || a.coefficient % b.coefficient != 0) return std::nullopt;
  Term quotient{a.coefficient / b.coefficient, {}};
  size_t next = 0;
  for (const Factor& factor : a.factors) {
    Factor left = factor;
    if (next < b.factors.size() && b.factors[next].atom->text == factor.atom->text) {
      left.power -= b.factors[next++].power;
    }
    if (left.power < 0) return std::nullopt;
    if (left.power > 0) quotient.factors.push_back(std::move(left));
  }
  return next == b.factors.size() ? std::optional(std::move(quotient)) : std::nullopt;
}

}  // namespace

Dim SymExpr::Make(std::vector<Term> terms) {
  if (terms.size() > kMaxTerms * 8) return Dim();
  // Factors first: terms are compared factor by factor, and `s0*s1 + s1*s0` is found to be one product only if both are
  // sorted.
  for (Term& term : terms) Normalise(&term);
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return Compare(a, b) < 0; });
  std::vector<Term> merged;
  for (Term& term : terms) {
    if (merged.empty() || Compare(merged.back(), term) != 0) {
      merged.push_back(std::move(term));
    } else if (__builtin_add_overflow(merged.back().coefficient, term.coefficient, &merged.back().coefficient)) {
      return Dim();
    }
  }
  std::erase_if(merged, [](const Term& term) { return term.coefficient == 0; });
  if (merged.empty()) return 0;
  if (merged[0].factors.empty()) return merged[0].coefficient;  // the constant sorts last
  if (merged.size() > kMaxTerms || Degree(merged[0]) > kMaxDegree) return Dim();

  auto expr = std::make_unique<SymExpr>();
  for (const Term& term : merged) {
    for (const Factor& factor : term.factors) expr->depth_ = std::max(expr->depth_, factor.atom->depth);
  }
  expr->text_ = TextOf(merged);
  if (expr->text_.size() > kMaxText) return Dim();
  expr->terms_ = std::move(merged);
  Dim dim;
  dim.expr_ = expr.release();
  dim.Hold();
  return dim;
}

Dim SymExpr::OfAtom(Atom atom) {
  for (const Dim& arg : atom.args) {
    if (arg.is_unknown()) return Dim();
    if (arg.is_symbolic()) atom.depth = std::max(atom.depth, arg.expr_->depth() + 1);
  }
  if (atom.depth > kMaxDepth) return Dim();
  return Make({{1, {{std::make_shared<const Atom>(std::move(atom)), 1}}}});
}

std::vector<Term> SymExpr::TermsOf(const Dim& dim) {
  if (dim.is_symbolic()) return dim.expr_->terms();
  if (dim.is_unknown() || dim.number() == 0) return {};
  return {{dim.number(), {}}};
}

// Long division, as for polynomials. For (s0*s1 + s0) / (s1 + 1), s0*s1 / s1 = s0, and subtracting s0*(s1 + 1) leaves
// nothing.
Dim SymExpr::ExactQuotient(const Dim& a, const Dim& b) {
  const std::vector<Term> divisor = TermsOf(b);
  if (divisor.empty()) return Dim();
  Dim rest = a;
  Dim quotient = 0;
  // Each step removes the leading product, so kMaxTerms steps are enough if it divides.
  for (size_t step = 0; step < kMaxTerms; ++step) {
    const std::vector<Term> terms = TermsOf(rest);
    if (rest.is_unknown()) return Dim();
    if (terms.empty()) return quotient;
    const auto piece = Divide(terms[0], divisor[0]);
    if (!piece) return Dim();
    const Dim part = Make({*piece});
    quotient = quotient + part;
    rest = rest - part * b;
  }
  return Dim();
}

}  // namespace onnxport::ir
