// Interval arithmetic over symbol ranges.
#include <algorithm>

#include "runtime/ir/dim.h"
#include "runtime/ir/sym_expr.h"

// A symbol that occurs twice is treated as two: `s0 - s0//2` with s0 in 2..10 has the bounds -3..9, though it is always
// in 1..5. So bounds may be too wide, but never too narrow, and conclusions from them are right.
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

}  // namespace

Range Dim::Bounds(const Ranges& ranges) const {
  if (is_number()) return {number_, number_};
  if (!is_symbolic()) return {};
  Range sum{0, 0};
  for (const Term& term : expr_->terms()) {
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

}  // namespace onnxport::ir
