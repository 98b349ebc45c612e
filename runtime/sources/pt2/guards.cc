#include "runtime/sources/pt2/guards.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/sources/pt2/guard_sizes.h"

namespace onnxport::pt2 {
namespace {

// "A == 4" gives the text of A, and 4.
std::optional<std::pair<std::string, int64_t>> Equation(std::string_view guard, const GuardInputs& inputs) {
  constexpr std::string_view kEqual = " == ";
  const size_t equal = guard.rfind(kEqual);
  if (equal == guard.npos) return std::nullopt;
  auto left = InSymbols(guard.substr(0, equal), inputs);
  std::string ignored;
  const auto number = ir::Dim::Parse(guard.substr(equal + kEqual.size()), &ignored);
  if (!left || !number || !number->is_number()) return std::nullopt;
  return std::pair(std::move(*left), number->number());
}

// "(s0 % 4)" gives s0, and 4.
std::optional<std::pair<std::string, int64_t>> Remainder(std::string_view text) {
  constexpr std::string_view kMod = " % ";
  const size_t mod = text.rfind(kMod);
  if (mod == text.npos || !text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  std::string ignored;
  const auto size = ir::Dim::Parse(text.substr(1, mod - 1), &ignored);
  text.remove_suffix(1);
  const auto number = ir::Dim::Parse(text.substr(mod + kMod.size()), &ignored);
  const auto symbol = size ? size->symbol() : std::nullopt;
  if (!symbol || !number || !number->is_number()) return std::nullopt;
  return std::pair(*symbol, number->number());
}

// Facts about sizes that guards state. For s0 % 4 == 0, the symbol s0 becomes 4 * `s0/4`, where `s0/4` is a new symbol.
// So s0//4 is `s0/4`, and s0//(s0//4) is 4. Several divisors of a symbol are combined to their least common multiple.
class Facts {
 public:
  Facts(const std::vector<std::string>& guards, const ir::Graph& graph) {
    const GuardInputs inputs = InputsOf(graph);
    std::map<std::string, int64_t> divisors;
    for (const std::string& guard : guards) {
      const auto equation = Equation(guard, inputs);
      if (!equation) continue;
      if (const auto size = Remainder(equation->first); size && equation->second == 0) {
        AddDivisor(size->second, &divisors[size->first]);
      }
      // If the free size of an input is a number, it has been replaced already.
      std::string ignored;
      const auto size = ir::Dim::Parse(equation->first, &ignored);
      if (size && size->is_symbolic() && !size->symbol()) numbers_[size->ToString()] = ir::Dim(equation->second);
    }
    for (const auto& [symbol, divisor] : divisors) {
      if (divisor > 1) multiples_[symbol] = ir::Dim(divisor) * ir::Dim::Symbol(symbol + "/" + std::to_string(divisor));
    }
  }

  bool empty() const { return numbers_.empty() && multiples_.empty(); }

  template <typename Optional>
  void Use(Optional* dims) const {
    if (!*dims) return;
    for (ir::Dim& dim : **dims) {
      if (dim.is_symbolic() && !dim.symbol()) dim = Known(dim);
    }
  }

 private:
  static void AddDivisor(int64_t divisor, int64_t* all) {
    constexpr int64_t kMost = 1 << 20;
    if (divisor < 2 || divisor > kMost) return;
    const int64_t both = std::lcm(std::max<int64_t>(*all, 1), divisor);
    if (both <= kMost) *all = both;
  }

  ir::Dim Known(const ir::Dim& dim) const {
    // Try the whole size first: a guard about all of it says more than one about its parts.
    if (const auto number = numbers_.find(dim.ToString()); number != numbers_.end()) return number->second;
    const ir::Dim shorter = dim.Substitute(numbers_);
    // Only used for this decision: sizes keep their names.
    const ir::Dim in_multiples = shorter.Substitute(multiples_);
    if (in_multiples.is_number()) return in_multiples;
    return shorter.is_unknown() ? dim : shorter;
  }

  std::map<std::string, ir::Dim> numbers_;    // by the text of a size
  std::map<std::string, ir::Dim> multiples_;  // of symbols
};

}  // namespace

void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph) {
  const Facts facts(guards, *graph);
  if (facts.empty()) return;
  for (ir::Value& value : graph->values) {
    facts.Use(&value.dims);
    facts.Use(&value.contents);
  }
}

}  // namespace onnxport::pt2
