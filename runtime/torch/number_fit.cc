#include "runtime/torch/number_fit.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <set>
#include <utility>

namespace onnxport::torch_export {
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

class Search {
 public:
  Search(const Observed& wanted, std::span<const Observed> known)
      : known_(known),
        found_in_(std::span(wanted).first(wanted.size() - 1)),
        distinct_(static_cast<int64_t>(std::set<int64_t>(wanted.begin(), wanted.end()).size())) {}

  bool IsSure(const Formula& found) const {
    const auto divides = [](const Step& step) { return step.kind == Kind::kFloorDiv || step.kind == Kind::kMod; };
    return distinct_ >= 3 && std::ranges::none_of(found, divides);
  }

  std::optional<Formula> Run() const {
    // What divides comes last: it has so many forms that one of them may give a sum by chance.
    for (const auto step :
         {&Search::One, &Search::Pairs, &Search::Triples, &Search::Quotients, &Search::PairQuotients}) {
      if (auto found = (this->*step)()) return found;
    }
    return std::nullopt;
  }

 private:
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

  // c*a + b with c above 0.
  static bool Rises(const Formula& affine) {
    return std::ranges::none_of(affine, [](const Step& step) { return step.kind == Kind::kNumber && step.number < 0; });
  }

  // With the smallest numbers in it.
  std::optional<Formula> One() const {
    std::optional<Formula> best;
    int64_t cost = 0;
    for (size_t i = 0; i < known_.size(); ++i) {
      const std::optional<Formula> found = AffineOf({Known(i)});
      if (!found) continue;
      int64_t numbers = 0;
      for (const Step& step : *found) numbers += step.kind == Kind::kNumber ? 1 + std::abs(step.number) : 0;
      if (best && numbers >= cost) continue;
      best = found;
      cost = numbers;
    }
    return best;
  }

  // Few different numbers are what many formulas give: quotients need three, remainders most of those that they have.
  bool MayBe(Kind kind, int64_t divisor) const {
    if (kind == Kind::kMod) return distinct_ >= std::min<int64_t>(divisor, 4);
    return distinct_ >= 3;
  }

  std::optional<Formula> Divided(const Formula& formula, int64_t divisor) const {
    for (const Kind kind : {Kind::kFloorDiv, Kind::kMod}) {
      if (!MayBe(kind, divisor)) continue;
      if (auto found = AffineOf(Then(formula, kind, divisor)); found && Rises(*found)) return found;
    }
    return std::nullopt;
  }

  std::optional<Formula> Quotients() const {
    for (const int64_t divisor : kDivisors) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (int64_t before = 0; before < divisor; ++before) {
          if (auto found = Divided(Affine({Known(i)}, 1, before), divisor)) return found;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Formula> Pairs() const {
    for (const Kind kind : {Kind::kMul, Kind::kAdd, Kind::kSub}) {
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (size_t j = 0; j < Count(kMostInPairs); ++j) {
          // a - b falls where b - a rises.
          const auto found = AffineOf({Known(i), Known(j), {kind}});
          if (found && (kind != Kind::kSub || Rises(*found))) return found;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Formula> PairQuotients() const {
    for (const Kind kind : {Kind::kFloorDiv, Kind::kMod}) {
      if (distinct_ < 3) continue;
      for (size_t i = 0; i < Count(kMostInPairs); ++i) {
        for (size_t j = 0; j < Count(kMostInPairs); ++j) {
          if (auto found = AffineOf({Known(i), Known(j), {kind}})) return found;
        }
      }
    }
    for (size_t i = 0; i < Count(kMostInPairs); ++i) {
      for (size_t j = i; j < Count(kMostInPairs); ++j) {
        for (const int64_t divisor : kDivisors) {
          if (auto found = Divided({Known(i), Known(j), {Kind::kMul}}, divisor)) return found;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Formula> Triples() const {
    const size_t count = Count(kMostInTriples);
    for (const Kind kind : {Kind::kMul, Kind::kAdd}) {
      for (size_t i = 0; i < count; ++i) {
        for (size_t j = i; j < count; ++j) {
          for (size_t k = j; k < count; ++k) {
            if (auto found = AffineOf({Known(i), Known(j), {kind}, Known(k), {kind}})) return found;
          }
        }
      }
    }
    return std::nullopt;
  }

  std::span<const Observed> known_;
  std::span<const int64_t> found_in_;
  int64_t distinct_;  // numbers that are wanted
};

}  // namespace

std::optional<Observed> Evaluate(const Formula& formula, std::span<const Observed> known) {
  const size_t runs = known.empty() ? 1 : known[0].size();
  Observed results;
  for (size_t run = 0; run < runs; ++run) {
    std::vector<int64_t> stack;
    for (const Step& step : formula) {
      if (step.kind == Kind::kKnown) {
        stack.push_back(known[static_cast<size_t>(step.number)][run]);
        continue;
      }
      if (step.kind == Kind::kNumber) {
        stack.push_back(step.number);
        continue;
      }
      const int64_t b = stack.back();
      stack.pop_back();
      int64_t& a = stack.back();
      if ((step.kind == Kind::kFloorDiv || step.kind == Kind::kMod) && b == 0) return std::nullopt;
      bool overflow = false;
      if (step.kind == Kind::kAdd) overflow = __builtin_add_overflow(a, b, &a);
      if (step.kind == Kind::kSub) overflow = __builtin_sub_overflow(a, b, &a);
      if (step.kind == Kind::kMul) overflow = __builtin_mul_overflow(a, b, &a);
      if (step.kind == Kind::kFloorDiv) a = FloorDiv(a, b);
      if (step.kind == Kind::kMod) a -= FloorDiv(a, b) * b;
      if (overflow) return std::nullopt;
    }
    results.push_back(stack.back());
  }
  return results;
}

std::string ToText(const Formula& formula, const std::vector<std::string>& names) {
  std::vector<std::string> stack;
  for (const Step& step : formula) {
    if (step.kind == Kind::kKnown) {
      stack.push_back(names[static_cast<size_t>(step.number)]);
    } else if (step.kind == Kind::kNumber) {
      stack.push_back(std::to_string(step.number));
    } else {
      constexpr std::array<const char*, 7> kSigns = {"", "", " + ", " - ", "*", "//", "%"};
      const std::string b = std::move(stack.back());
      stack.pop_back();
      stack.back() = "(" + stack.back() + kSigns[static_cast<size_t>(step.kind)] + b + ")";
    }
  }
  return stack.back();
}

std::optional<Fitted> Fit(const Observed& wanted, std::span<const Observed> known) {
  if (wanted.size() < 2 || known.empty()) return std::nullopt;
  if (IsConstant(wanted)) return Fitted{{Number(wanted.front())}};
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i] == wanted) return Fitted{{Known(i)}};
  }
  const Search search(wanted, known);
  std::optional<Formula> found = search.Run();
  if (!found || Evaluate(*found, known) != wanted) return std::nullopt;
  const bool sure = search.IsSure(*found);
  return Fitted{.formula = std::move(*found), .sure = sure};
}

}  // namespace onnxport::torch_export
