// Interval arithmetic over symbol ranges.
#include <algorithm>

#include "runtime/ir/dim.h"
#include "runtime/ir/sym_expr.h"

// A symbol that occurs twice is treated as two: `s0*s0 - s0` with s0 in 2..10 has the bounds -6..98, though it is
// always in 2..90. So bounds may be too wide, but never too narrow, and conclusions from them are right. Quotients are
// an exception, because nearly every program has them: `s0 - s0//2` with s0 in 2..10 has the bounds 1..5.
namespace onnxport::ir {
namespace {

// Nothing is an open end. An end that overflows becomes open, which is wider and so still right.
using Bound = std::optional<int64_t>;

Bound Add(Bound a, Bound b) {
  int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

Bound Multiply(Bound a, Bound b) {
  int64_t product = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &product)) return std::nullopt;
  return product;
}

bool NonNegative(const Range& r) { return r.min && *r.min >= 0; }

// Sizes are not negative, so nearly all of them reach the second line, which keeps an open end: 1.. times 4..8 is 4.. .
// With negative numbers, all four products of the ends are tried.
Range Multiply(const Range& a, const Range& b) {
  if (a.min == 1 && a.max == 1) return b;  // a half-open range stays one
  if (NonNegative(a) && NonNegative(b)) return {Multiply(a.min, b.min).value_or(0), Multiply(a.max, b.max)};
  if (!a.min || !a.max || !b.min || !b.max) return {};
  Range result;
  bool first = true;
  for (const Bound& x : {a.min, a.max}) {
    for (const Bound& y : {b.min, b.max}) {
      const Bound product = Multiply(x, y);
      if (!product) return {};
      result.min = first ? product : std::min(result.min, product);
      result.max = first ? product : std::max(result.max, product);
      first = false;
    }
  }
  return result;
}

Range Scale(int64_t coefficient, const Range& r) {
  Range scaled{Multiply(r.min, coefficient), Multiply(r.max, coefficient)};
  if (coefficient < 0) std::swap(scaled.min, scaled.max);
  return scaled;
}

Bound FloorQuotient(Bound a, int64_t b) {
  if (!a) return std::nullopt;
  const Dim quotient = Dim::FloorDiv(*a, b);
  return quotient.is_number() ? Bound(quotient.number()) : std::nullopt;
}

Range BoundsOf(const Atom& atom, const Ranges& ranges) {
  if (atom.args.empty()) {
    const auto found = ranges.find(atom.name);
    return found == ranges.end() ? Range{} : found->second;
  }
  std::vector<Range> args;
  for (const Dim& arg : atom.args) args.push_back(arg.Bounds(ranges));
  if (atom.name == "FloorDiv") {
    const Dim& divisor = atom.args[1];
    // Rounding down keeps the order, so the ends give the ends. If the divisor is only known to be positive, x//y is at
    // most x.
    if (divisor.is_number() && divisor.number() > 0) {
      return {FloorQuotient(args[0].min, divisor.number()), FloorQuotient(args[0].max, divisor.number())};
    }
    if (NonNegative(args[0]) && args[1].min && *args[1].min > 0) return {0, args[0].max};
    return {};
  }
  if (atom.name == "Mod") {
    if (!args[1].min || *args[1].min <= 0) return {};
    Range result{0, Add(args[1].max, -1)};
    if (NonNegative(args[0]) && args[0].max && (!result.max || *args[0].max < *result.max)) result.max = args[0].max;
    return result;
  }
  // Max and Min: one side needs one bound, the other all of them.
  const bool largest = atom.name == "Max";
  Range result = args[0];
  for (size_t i = 1; i < args.size(); ++i) {
    Bound& any = largest ? result.min : result.max;
    Bound& all = largest ? result.max : result.min;
    const Bound& any_more = largest ? args[i].min : args[i].max;
    const Bound& all_more = largest ? args[i].max : args[i].min;
    if (any_more && (!any || (largest ? *any_more > *any : *any_more < *any))) any = any_more;
    if (!all_more || !all) {
      all = std::nullopt;
    } else {
      all = largest ? std::max(*all, *all_more) : std::min(*all, *all_more);
    }
  }
  return result;
}

Range OfTerms(const std::vector<Term>& terms, const Ranges& ranges) {
  Range sum{0, 0};
  for (const Term& term : terms) {
    Range product{1, 1};
    for (const Factor& factor : term.factors) {
      const Range base = BoundsOf(*factor.atom, ranges);
      for (int i = 0; i < factor.power; ++i) product = Multiply(product, base);
    }
    const Range scaled = Scale(term.coefficient, product);
    sum = {Add(sum.min, scaled.min), Add(sum.max, scaled.max)};
  }
  return sum;
}

// The quotient of a term `c*(x//k)`; null for other terms.
const Atom* QuotientOf(const Term& term) {
  if (term.factors.size() != 1 || term.factors[0].power != 1) return nullptr;
  const Atom& atom = *term.factors[0].atom;
  if (atom.args.empty()) return nullptr;  // a symbol, which may have any name
  const bool by_number = atom.name == "FloorDiv" && atom.args[1].is_number() && atom.args[1].number() > 1;
  return by_number ? &atom : nullptr;
}

Range Common(const Range& a, const Range& b) {
  Range result = a;
  if (b.min && (!a.min || *b.min > *a.min)) result.min = b.min;
  if (b.max && (!a.max || *b.max < *a.max)) result.max = b.max;
  return result;
}

// Each costs a look at all other terms; an expression of a file may have many, one within the other.
constexpr int kMostQuotients = 3;
constexpr int kDeepest = 3;

// A sum with `c*(x//k)` in it, k times: k*rest + c*x - c*r, where r is the remainder, 0 to k - 1. Now x may meet itself
// in the rest. `quotients` may be left out, one after another.
Range OfSum(const Dim& sum, const Ranges& ranges, int quotients) {
  const std::vector<Term> terms = SymExpr::TermsOf(sum);
  const Range bounds = OfTerms(terms, ranges);
  const auto term = std::ranges::find_if(terms, [](const Term& t) { return QuotientOf(t) != nullptr; });
  if (terms.size() < 2 || term == terms.end() || quotients == 0) return bounds;
  const Atom& quotient = *QuotientOf(*term);
  const int64_t k = quotient.args[1].number();
  const Dim times_k = (sum - SymExpr::Make({*term})) * Dim(k) + quotient.args[0] * Dim(term->coefficient);
  if (times_k.is_unknown()) return bounds;
  const Range without = OfSum(times_k, ranges, quotients - 1);
  const Range remainder = Scale(-1, Scale(term->coefficient, {0, k - 1}));
  // A whole number that is at least min/k is at least that rounded up.
  const Bound min = FloorQuotient(Add(Add(without.min, remainder.min), k - 1), k);
  return Common(bounds, {min, FloorQuotient(Add(without.max, remainder.max), k)});
}

}  // namespace

Range Dim::Bounds(const Ranges& ranges) const {
  if (is_number()) return {number_, number_};
  if (!is_symbolic()) return {};
  return OfSum(*this, ranges, expr_->depth() <= kDeepest ? kMostQuotients : 0);
}

}  // namespace onnxport::ir
