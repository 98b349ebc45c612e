#include "runtime/sources/fit/number_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace onnxport::fit {
namespace {

using Kind = Step::Kind;

constexpr std::array<int64_t, 18> kDivisors = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 24, 28, 32, 64};
constexpr size_t kMostInPairs = 24;  // known numbers of which pairs are tried
constexpr size_t kMostInTriples = 12;

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

Step Known(size_t which) { return {Kind::kKnown, static_cast<int64_t>(which)}; }
Step Number(int64_t number) { return {Kind::kNumber, number}; }

bool IsConstant(const Observed& numbers) {
  return std::ranges::all_of(numbers, [&](int64_t number) { return number == numbers.front(); });
}

bool Divides(const Step& step) { return step.kind == Kind::kFloorDiv || step.kind == Kind::kMod; }

bool Bounds(const Step& step) { return step.kind == Kind::kMin || step.kind == Kind::kMax; }

// f(a), where `formula` gives a.
Formula Then(Formula formula, Kind kind, int64_t number) {
  formula.push_back(Number(number));
  formula.push_back({kind});
  return formula;
}

// c*a + b
Formula Affine(Formula formula, int64_t c, int64_t b) {
  if (c != 1) formula = Then(std::move(formula), Kind::kMul, c);
  if (b > 0) formula = Then(std::move(formula), Kind::kAdd, b);
  if (b < 0) formula = Then(std::move(formula), Kind::kSub, -b);
  return formula;
}

// How much was chosen to make it fit.
size_t Choices(const Formula& formula) {
  size_t choices = 0;
  for (size_t i = 1; i < formula.size(); ++i) {
    const Step& step = formula[i];
    const bool by_number = formula[i - 1].kind == Kind::kNumber;
    if (step.kind == Kind::kKnown) ++choices;
    if (by_number && step.kind == Kind::kMul) ++choices;
    if (by_number && (step.kind == Kind::kAdd || step.kind == Kind::kSub)) choices += 2;
    if (Divides(step)) choices += by_number ? 3 : 2;
  }
  return choices;
}

// Formulas that give what is wanted, simple ones first.
class Search {
 public:
  // Takes a formula, and how many were tried of those that say little; true: it is enough.
  using Take = std::function<bool(Formula, size_t tried)>;

  // `found_in`: what is wanted in the runs that are used to find it.
  Search(std::span<const int64_t> found_in, std::span<const Observed> known, int64_t distinct, Take take)
      : known_(known), found_in_(found_in), distinct_(distinct), take_(std::move(take)) {}

  // Until it is enough.
  void Run() { Sums() || Quotients(0) || PairQuotients(); }
  // The same with forms that only many runs can tell.
  void RunAll() {
    // Quotients come last: they have so many forms that one of them may give a sum by chance. Those that programs are
    // full of come first, as little has been tried until then.
    Sums() || Bounds() || PlainQuotients() || Quotients(1) || Paddings() || PairQuotients();
  }

 private:
  bool Sums() { return One() || Pairs() || Triples(); }

  // In the runs that are used to find it.
  bool Gives(const Formula& formula) const {
    const auto numbers = Evaluate(formula, known_);
    return numbers && std::ranges::equal(found_in_, std::span(*numbers).first(found_in_.size()));
  }
  size_t Count(size_t most) const { return std::min(known_.size(), most); }

  // c*a + b, where `numbers` are what `a` gives.
  std::optional<Formula> AffineOf(const Formula& a) const {
    const auto numbers = Evaluate(a, known_);
    if (!numbers) return std::nullopt;
    for (size_t i = 1; i < found_in_.size(); ++i) {
      const int64_t run = (*numbers)[i] - (*numbers)[0];
      if (run == 0) continue;
      const int64_t rise = found_in_[i] - found_in_[0];
      if (rise % run != 0 || rise == 0) return std::nullopt;
      Formula formula = Affine(a, rise / run, found_in_[0] - rise / run * (*numbers)[0]);
      return Gives(formula) ? std::optional(std::move(formula)) : std::nullopt;
    }
    return std::nullopt;
  }

  bool Takes(Formula formula) { return take_(std::move(formula), tried_); }

  // c*a + b of an `a` that has few values: by chance, one of many such formulas gives what is wanted.
  bool TakesWeak(const Formula& a, bool rising = true) {
    ++tried_;
    auto found = AffineOf(a);
    return found && (!rising || Rises(*found)) && Takes(*std::move(found));
  }

  // c*a + b with c above 0.
  static bool Rises(const Formula& affine) {
    return std::ranges::none_of(affine, [](const Step& step) { return step.kind == Kind::kNumber && step.number < 0; });
  }

  // Those with small numbers in them first.
  bool One() {
    std::vector<std::pair<int64_t, Formula>> found;
    for (size_t i = 0; i < known_.size(); ++i) {
      std::optional<Formula> formula = AffineOf({Known(i)});
      if (!formula) continue;
      int64_t cost = 0;
      for (const Step& step : *formula) cost += step.kind == Kind::kNumber ? 1 + std::abs(step.number) : 0;
      found.emplace_back(cost, *std::move(formula));
    }
    std::ranges::stable_sort(found, {}, &std::pair<int64_t, Formula>::first);
    return std::ranges::any_of(found, [&](auto& entry) { return Takes(std::move(entry.second)); });
  }

  // Few different numbers are what many formulas give: quotients need three, remainders most of those that they have.
  bool MayBe(Kind kind, int64_t divisor) const {
    if (kind == Kind::kMod) return distinct_ >= std::min<int64_t>(divisor, 4);
    return distinct_ >= 3;
  }

  bool Divided(const Formula& formula, int64_t divisor) {
    for (const Kind kind : {Kind::kFloorDiv, Kind::kMod}) {
      if (MayBe(kind, divisor) && TakesWeak(Then(formula, kind, divisor))) return true;
    }
    return false;
  }

  // Tries quotients of a size with a number added, `least` or more.
  bool Quotients(int64_t least) {
    for (const int64_t divisor : kDivisors) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (int64_t before = least; before < divisor; ++before) {
          if (Divided(Affine({Known(i)}, 1, before), divisor)) return true;
        }
      }
    }
    return false;
  }

  // The smaller and the larger of two; of one and a number, which it reached.
  bool Bounds() {
    if (distinct_ < 3) return false;
    for (const Kind kind : {Kind::kMin, Kind::kMax}) {
      const int64_t bound = kind == Kind::kMin ? std::ranges::max(found_in_) : std::ranges::min(found_in_);
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        const Formula bounded = Then({Known(i)}, kind, bound);
        ++tried_;
        if (std::ranges::count(found_in_, bound) > 1 && Gives(bounded) && Takes(bounded)) return true;
        for (size_t j = i + 1; j < Count(kMostInPairs); ++j) {
          if (TakesWeak({Known(i), Known(j), {kind}})) return true;
        }
      }
    }
    return false;
  }

  // The padding of a size up to a multiple: (b - a) % c.
  bool Padded(int64_t before, size_t size, int64_t divisor) {
    const Formula negated = {Number(before), Known(size), {Kind::kSub}};
    return MayBe(Kind::kMod, divisor) && TakesWeak(Then(negated, Kind::kMod, divisor));
  }

  bool PlainQuotients() {
    for (const int64_t divisor : kDivisors) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        if (Divided({Known(i)}, divisor) || Padded(0, i, divisor)) return true;
      }
    }
    return false;
  }

  bool Paddings() {
    for (const int64_t divisor : kDivisors) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (int64_t before = 1; before < divisor; ++before) {
          if (Padded(before, i, divisor)) return true;
        }
      }
    }
    return false;
  }

  bool Pairs() {
    for (const Kind kind : {Kind::kMul, Kind::kAdd, Kind::kSub}) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (size_t j = 0; j < Count(kMostInPairs); ++j) {
          // a - b falls where b - a rises.
          const auto found = AffineOf({Known(i), Known(j), {kind}});
          if (found && (kind != Kind::kSub || Rises(*found)) && Takes(*found)) return true;
        }
      }
    }
    return false;
  }

  bool PairQuotients() {
    for (const Kind kind : {Kind::kFloorDiv, Kind::kMod}) {
      if (distinct_ < 3) continue;
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (size_t j = 0; j < Count(kMostInPairs); ++j) {
          if (TakesWeak({Known(i), Known(j), {kind}}, /*rising=*/false)) return true;
        }
      }
    }
    for (size_t i = 0; i < Count(kMostInPairs); ++i) {
      for (size_t j = i; j < Count(kMostInPairs); ++j) {
        for (const int64_t divisor : kDivisors) {
          if (Divided({Known(i), Known(j), {Kind::kMul}}, divisor)) return true;
        }
      }
    }
    return false;
  }

  bool Triples() {
    const size_t count = Count(kMostInTriples);
    for (const Kind kind : {Kind::kMul, Kind::kAdd}) {
      for (size_t i = 0; i < count; ++i) {
        for (size_t j = i; j < count; ++j) {
          for (size_t k = j; k < count; ++k) {
            if (auto found = AffineOf({Known(i), Known(j), {kind}, Known(k), {kind}}); found && Takes(*found))
              return true;
          }
        }
      }
    }
    return false;
  }

  std::span<const Observed> known_;
  std::span<const int64_t> found_in_;
  int64_t distinct_;  // numbers that are wanted
  Take take_;
  size_t tried_ = 0;  // formulas that say little
};

int64_t Distinct(const Observed& wanted) {
  return static_cast<int64_t>(std::set<int64_t>(wanted.begin(), wanted.end()).size());
}

// The number of orders in which the runs could have given the same numbers, as a power of two.
double OrdersOf(const Observed& wanted) {
  std::map<int64_t, int> counts;
  double power = 0;
  for (size_t i = 0; i < wanted.size(); ++i) power += std::log2(i + 1) - std::log2(++counts[wanted[i]]);
  return power;
}

// Returns true if it is unlikely that one of `tried` formulas gives the numbers by chance. For example, eight 4s and
// two 3s have 45 orders, and of hundreds of remainders some give exactly this order.
bool IsTold(const Observed& wanted, size_t tried) {
  constexpr double kMargin = 3;
  return OrdersOf(wanted) >= std::log2(tried) + kMargin;
}

// The result in one run; nothing for a division by zero and for numbers that no int64 holds.
std::optional<int64_t> Apply(Kind kind, std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b || (Divides({kind}) && *b == 0)) return std::nullopt;
  int64_t result = 0;
  bool overflow = false;
  if (kind == Kind::kAdd) overflow = __builtin_add_overflow(*a, *b, &result);
  if (kind == Kind::kSub) overflow = __builtin_sub_overflow(*a, *b, &result);
  if (kind == Kind::kMul) overflow = __builtin_mul_overflow(*a, *b, &result);
  if (kind == Kind::kFloorDiv) result = FloorDiv(*a, *b);
  if (kind == Kind::kMod) result = *a - FloorDiv(*a, *b) * *b;
  if (kind == Kind::kMin) result = std::min(*a, *b);
  if (kind == Kind::kMax) result = std::max(*a, *b);
  return overflow ? std::nullopt : std::optional(result);
}

}  // namespace

ir::Instruction InstructionOf(Kind kind) {
  using I = ir::Instruction;
  switch (kind) {
    case Kind::kAdd:
      return I::kAdd;
    case Kind::kSub:
      return I::kSub;
    case Kind::kMul:
      return I::kMul;
    case Kind::kFloorDiv:
      return I::kFloorDiv;
    case Kind::kMod:
      return I::kMod;
    case Kind::kMin:
      return I::kMin;
    case Kind::kMax:
      return I::kMax;
    case Kind::kKnown:
    case Kind::kNumber:
      break;
  }
  throw std::logic_error("an operand computes nothing");
}

std::optional<Observed> Evaluate(const Formula& formula, std::span<const Observed> known) {
  const size_t runs = known.empty() ? 1 : known[0].size();
  Observed results;
  for (size_t run = 0; run < runs; ++run) {
    using Result = std::optional<int64_t>;
    const Result result = Fold<Result>(
        formula, [&](size_t which) -> Result { return known[which][run]; }, [](int64_t n) -> Result { return n; },
        Apply);
    if (!result) return std::nullopt;
    results.push_back(*result);
  }
  return results;
}

std::string ToText(const Formula& formula, const std::vector<std::string>& names) {
  return Fold<std::string>(
      formula, [&](size_t which) { return names[which]; }, [](int64_t number) { return std::to_string(number); },
      [](Kind kind, const std::string& a, const std::string& b) {
        constexpr std::array<const char*, 9> kSigns = {"", "", " + ", " - ", "*", "//", "%", " min ", " max "};
        return "(" + a + kSigns[static_cast<size_t>(kind)] + b + ")";
      });
}

std::optional<Fitted> Fit(const Observed& wanted, std::span<const Observed> known) {
  if (wanted.size() < 2 || known.empty()) return std::nullopt;
  if (IsConstant(wanted)) return Fitted{{Number(wanted.front())}};
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i] == wanted) return Fitted{{Known(i)}};
  }
  const int64_t distinct = Distinct(wanted);
  std::optional<Formula> found;
  const auto first = [&](Formula formula, size_t tried) {
    if (tried == 0 || IsTold(wanted, tried)) found = std::move(formula);
    return true;
  };
  Search(std::span(wanted).first(wanted.size() - 1), known, distinct, first).RunAll();
  if (!found || Evaluate(*found, known) != wanted) return std::nullopt;
  const bool sure = distinct >= 3 && std::ranges::none_of(*found, Divides) && std::ranges::none_of(*found, Bounds);
  return Fitted{.formula = std::move(*found), .sure = sure};
}

std::vector<Formula> Candidates(const Observed& wanted, std::span<const Observed> known) {
  std::vector<Formula> found;
  if (known.empty()) return found;
  const auto take = [&](Formula formula, size_t /*tried*/) {
    if (Choices(formula) < wanted.size()) found.push_back(std::move(formula));
    return false;
  };
  Search(wanted, known, Distinct(wanted), take).Run();
  std::ranges::stable_sort(found, {}, Choices);
  std::erase_if(found, [&](const Formula& formula) { return Choices(formula) >= Choices(found.front()) + 2; });
  return found;
}

std::string SizesText(const std::map<std::string, int64_t>& sizes) {
  std::vector<std::string> parts;
  for (const auto& [name, size] : sizes) parts.push_back(fmt::format("{}={}", name, size));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace onnxport::fit
