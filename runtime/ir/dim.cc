#include "runtime/ir/dim.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "runtime/ir/sym_expr.h"

namespace onnxport::ir {
namespace {

// The limit for operands of a Max or Min, because each is compared with all others. Beyond it the result is unknown, as
// with SymExpr's limits.
constexpr size_t kMostOperands = 32;

// Python's floor division and modulo; nothing for a zero divisor or an overflow.
std::optional<int64_t> FloorQuotient(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t FloorRemainder(int64_t a, int64_t b) {
  const int64_t remainder = b == -1 ? 0 : a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// Returns the atom of a function. Only this code makes its text: two atoms are equal if their texts are, so both sides
// of a comparison must be written in the same way.
Dim Function(std::string name, Dims args) {
  Atom atom;
  if (name == "FloorDiv") {
    // `s0//2`, but `(s0 + 1)//2`.
    const auto operand = [](const Dim& d) {
      const std::string text = d.ToString();
      return text.find_first_of(" *-") == std::string::npos ? text : "(" + text + ")";
    };
    atom.text = "(" + operand(args[0]) + "//" + operand(args[1]) + ")";
  } else {
    atom.text = name + "(";
    for (size_t i = 0; i < args.size(); ++i) atom.text += (i == 0 ? "" : ", ") + args[i].ToString();
    atom.text += ')';
  }
  atom.name = std::move(name);
  atom.args = std::move(args);
  return SymExpr::OfAtom(std::move(atom));
}

// Returns the atom of `s0` or `Max(1, s0)`; null for `2*s0`, `s0**2` and sums. `terms` are those of `dim` and own the
// atom.
const Atom* SingleAtom(const Dim& dim, const std::vector<Term>& terms) {
  if (!dim.is_symbolic() || terms.size() != 1 || terms[0].coefficient != 1 || terms[0].factors.size() != 1)
    return nullptr;
  return terms[0].factors[0].power == 1 ? terms[0].factors[0].atom.get() : nullptr;
}

// `x//m + c` as (x, m, c) for m > 0.
struct Nested {
  Dim dividend;
  int64_t divisor;
  int64_t offset;
};
// `dim` may be `s0//3` or `s0//3 + 2`. The constant of a sum is its last term.
std::optional<Nested> AsNestedDivision(const Dim& dim) {
  const std::vector<Term> terms = SymExpr::TermsOf(dim);
  if (terms.empty() || terms.size() > 2 || (terms.size() == 2 && !terms[1].factors.empty())) return std::nullopt;
  const Term& first = terms[0];
  if (first.coefficient != 1 || first.factors.size() != 1 || first.factors[0].power != 1) return std::nullopt;
  const Atom& atom = *first.factors[0].atom;
  if (atom.name != "FloorDiv" || atom.args.empty() || !atom.args[1].is_number() || atom.args[1].number() <= 0) {
    return std::nullopt;
  }
  return Nested{atom.args[0], atom.args[1].number(), terms.size() == 2 ? terms[1].coefficient : 0};
}

// Splits a sum into b*whole + rest, the rest's coefficients in [0, b).
std::pair<Dim, Dim> SplitMultiples(const Dim& a, int64_t b) {
  std::vector<Term> whole;
  std::vector<Term> rest;
  for (const Term& term : SymExpr::TermsOf(a)) {
    const int64_t quotient = *FloorQuotient(term.coefficient, b);
    if (quotient != 0) whole.push_back({quotient, term.factors});
    const int64_t remainder = FloorRemainder(term.coefficient, b);
    if (remainder != 0) rest.push_back({remainder, term.factors});
  }
  return {SymExpr::Make(std::move(whole)), SymExpr::Make(std::move(rest))};
}

// Joins quotients: (s0//2 + 1)//3 is (s0 + 2)//6. Takes out multiples of the divisor: (6*s0 + 5)//3 is 2*s0 + 1.
// Reduces the rest to lowest terms. So a size that can be written in several ways has one text.
Dim FloorDivByNumber(const Dim& a, int64_t b) {
  if (b < 0) {
    if (b == INT64_MIN) return Dim();
    return FloorDivByNumber(Dim(0) - a, -b);
  }
  if (const auto nested = AsNestedDivision(a)) {
    const Dim divisor = Dim(nested->divisor) * Dim(b);
    const Dim dividend = nested->dividend + Dim(nested->offset) * Dim(nested->divisor);
    if (divisor.is_number() && !dividend.is_unknown()) return FloorDivByNumber(dividend, divisor.number());
  }
  const auto [whole, rest] = SplitMultiples(a, b);
  if (rest.is_unknown() || rest.is_number()) {
    return rest.is_number() ? whole + Dim(*FloorQuotient(rest.number(), b)) : Dim();
  }
  // (4*s0 + 3)//6 is (2*s0 + 1)//3.
  int64_t common = b;
  for (const Term& term : SymExpr::TermsOf(rest)) {
    if (!term.factors.empty()) common = std::gcd(common, term.coefficient);
  }
  if (common == b) return whole;  // unreachable for coefficients in (0, b), but cheap and correct
  // The rest may be a quotient itself: (-(s0//3))//2 is s0//6 - s0//3, and 2*(s0//3)//4 is s0//6.
  if (common == 1 && !(whole == Dim(0)) && AsNestedDivision(rest)) return whole + FloorDivByNumber(rest, b);
  if (common == 1) return whole + Function("FloorDiv", {rest, Dim(b)});
  return whole + FloorDivByNumber(SplitMultiples(rest, common).first, b / common);
}

// Max(x, Min(x, y)) is x, and also with Max and Min exchanged.
bool Absorbs(const Dim& x, const Dim& function, bool largest) {
  const std::vector<Term> terms = SymExpr::TermsOf(function);
  const Atom* atom = SingleAtom(function, terms);
  return atom != nullptr && atom->name == (largest ? "Min" : "Max") &&
         std::ranges::any_of(atom->args, [&](const Dim& arg) { return arg == x; });
}

// Max and Min differ only in which of two numbers wins. Max(a, Max(b, c)) is one atom with three operands. An operand
// that another one always beats is dropped: Max(s0, s0 + 1, 1) is Max(s0 + 1, 1).
Dim Extreme(const char* name, bool largest, const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return Dim();
  Dims kept;
  // Returns true if `x` wins against `y` for all values of the symbols.
  const auto wins = [&](const Dim& x, const Dim& y) {
    if (x.is_number() && y.is_number()) return largest ? x.number() >= y.number() : x.number() <= y.number();
    const Dim difference = x - y;
    if (difference.is_number()) return largest ? difference.number() >= 0 : difference.number() <= 0;
    return Absorbs(x, y, largest);
  };
  const auto add = [&](const Dim& candidate) {
    if (std::ranges::any_of(kept, [&](const Dim& other) { return wins(other, candidate); })) return;
    std::erase_if(kept, [&](const Dim& other) { return wins(candidate, other); });
    kept.push_back(candidate);
  };
  for (const Dim* operand : {&a, &b}) {
    const std::vector<Term> terms = SymExpr::TermsOf(*operand);
    const Atom* atom = SingleAtom(*operand, terms);
    if (atom != nullptr && atom->name == name && !atom->args.empty()) {
      for (const Dim& arg : atom->args) add(arg);
    } else {
      add(*operand);
    }
  }
  if (kept.size() == 1) return kept[0];
  if (kept.size() > kMostOperands) return Dim();
  // Max(s0, s1) and Max(s1, s0) must have one text.
  std::vector<std::pair<std::string, Dim>> sorted;
  for (const Dim& dim : kept) sorted.emplace_back(dim.ToString(), dim);
  std::sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  Dims args;
  for (auto& [text, dim] : sorted) args.push_back(std::move(dim));
  return Function(name, std::move(args));
}

Dim Power(const Dim& base, int power) {
  Dim result = 1;
  for (int i = 0; i < power; ++i) result = result * base;
  return result;
}

// Calls the functions that simplify, not Function(): with s0 = 4, `s0//2` must become 2 and not an atom `(4//2)`.
Dim Apply(const std::string& function, const Dims& args) {
  if (function == "FloorDiv") return Dim::FloorDiv(args[0], args[1]);
  if (function == "Mod") return Dim::Mod(args[0], args[1]);
  Dim result = args[0];
  for (size_t i = 1; i < args.size(); ++i) {
    result = function == "Max" ? Dim::Max(result, args[i]) : Dim::Min(result, args[i]);
  }
  return result;
}

void CollectSymbols(const Dim& dim, std::set<std::string>* names) {
  for (const Term& term : SymExpr::TermsOf(dim)) {
    for (const Factor& factor : term.factors) {
      if (factor.atom->args.empty()) names->insert(factor.atom->name);
      for (const Dim& arg : factor.atom->args) CollectSymbols(arg, names);
    }
  }
}

}  // namespace

const SymExpr Dim::kIsNumber;

void Dim::Hold() const { expr_->holders_.fetch_add(1, std::memory_order_relaxed); }

void Dim::Release() const {
  if (expr_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete expr_;
}

Dim Dim::Symbol(std::string_view name) {
  return SymExpr::OfAtom({.name = std::string(name), .args = {}, .text = std::string(name), .depth = 0});
}

std::optional<std::string> Dim::symbol() const {
  const std::vector<Term> terms = SymExpr::TermsOf(*this);
  const Atom* atom = SingleAtom(*this, terms);
  return atom != nullptr && atom->args.empty() ? std::optional(atom->name) : std::nullopt;
}

std::vector<std::string> Dim::symbols() const {
  std::set<std::string> names;
  CollectSymbols(*this, &names);
  return {names.begin(), names.end()};
}

bool AllKnown(const Dims& dims) { return std::ranges::none_of(dims, &Dim::is_unknown); }

std::string Dim::ToString() const {
  if (is_number()) return std::to_string(number_);
  return is_symbolic() ? expr_->text() : "?";
}

Dim Dim::Substitute(const std::map<std::string, Dim>& values) const {
  if (!is_symbolic()) return *this;
  Dim sum = 0;
  for (const Term& term : expr_->terms()) {
    Dim product = term.coefficient;
    for (const Factor& factor : term.factors) {
      Dim base;
      if (const auto found = values.find(factor.atom->text); found != values.end()) {
        base = found->second;
      } else if (factor.atom->args.empty()) {
        base = Symbol(factor.atom->name);
      } else {
        Dims args;
        for (const Dim& arg : factor.atom->args) args.push_back(arg.Substitute(values));
        base = Apply(factor.atom->name, args);
      }
      product = product * Power(base, factor.power);
    }
    sum = sum + product;
  }
  return sum;
}

// Comparing texts is enough, because both are canonical. A number never equals an expression: constant expressions are
// numbers.
bool operator==(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return a.number_ == b.number_;
  return a.is_symbolic() && b.is_symbolic() && (a.expr_ == b.expr_ || a.expr_->text() == b.expr_->text());
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown()) return Dim();
  if (a.is_number() && b.is_number()) {
    int64_t sum = 0;
    return __builtin_add_overflow(a.number_, b.number_, &sum) ? Dim() : Dim(sum);
  }
  if (a == Dim(0)) return b;
  if (b == Dim(0)) return a;
  std::vector<Term> terms = SymExpr::TermsOf(a);
  const std::vector<Term> more = SymExpr::TermsOf(b);
  terms.insert(terms.end(), more.begin(), more.end());
  return SymExpr::Make(std::move(terms));
}

Dim operator-(const Dim& a, const Dim& b) { return a == b ? Dim(0) : a + Dim(-1) * b; }

Dim operator*(const Dim& a, const Dim& b) {
  // Before unknown ones: 0 times anything is 0. So a tensor with an empty axis has no elements even if another axis is
  // unknown.
  if (a == Dim(0) || b == Dim(0)) return 0;
  if (a.is_unknown() || b.is_unknown()) return Dim();
  if (a.is_number() && b.is_number()) {
    int64_t product = 0;
    return __builtin_mul_overflow(a.number_, b.number_, &product) ? Dim() : Dim(product);
  }
  // Most products are with 1, because strides are products of sizes.
  if (a == Dim(1)) return b;
  if (b == Dim(1)) return a;
  const std::vector<Term> left = SymExpr::TermsOf(a);
  const std::vector<Term> right = SymExpr::TermsOf(b);
  if (left.size() * right.size() > SymExpr::kMaxTerms * 4) return Dim();
  std::vector<Term> terms;
  for (const Term& x : left) {
    for (const Term& y : right) {
      Term product{0, x.factors};
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &product.coefficient)) return Dim();
      product.factors.insert(product.factors.end(), y.factors.begin(), y.factors.end());
      terms.push_back(std::move(product));
    }
  }
  return SymExpr::Make(std::move(terms));
}

Dim Dim::FloorDiv(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown() || b == Dim(0)) return Dim();
  if (a.is_number() && b.is_number()) {
    const auto quotient = FloorQuotient(a.number_, b.number_);
    return quotient ? Dim(*quotient) : Dim();
  }
  if (b.is_number()) return FloorDivByNumber(a, b.number_);
  // (s0*s1)//s0 is s1. If s0 is 0 at run time, the program itself divides by zero.
  if (const Dim exact = SymExpr::ExactQuotient(a, b); !exact.is_unknown()) return exact;
  return Function("FloorDiv", {a, b});
}

Dim Dim::Mod(const Dim& a, const Dim& b) {
  if (a.is_unknown() || b.is_unknown() || b == Dim(0)) return Dim();
  if (a.is_number() && b.is_number()) return FloorRemainder(a.number_, b.number_);
  // (4*s0 + 3) % 2 is 1: multiples of the divisor are removed.
  if (b.is_number() && b.number_ > 0) {
    const Dim rest = SplitMultiples(a, b.number_).second;
    return rest.is_number() ? Dim(FloorRemainder(rest.number(), b.number_)) : Function("Mod", {rest, b});
  }
  if (!SymExpr::ExactQuotient(a, b).is_unknown()) return 0;
  return Function("Mod", {a, b});
}

Dim Dim::Max(const Dim& a, const Dim& b) { return Extreme("Max", true, a, b); }
Dim Dim::Min(const Dim& a, const Dim& b) { return Extreme("Min", false, a, b); }

}  // namespace onnxport::ir
