#include "runtime/sources/pt2/guards.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace onnxport::pt2 {
namespace {

constexpr size_t kMostTold = 3;
constexpr size_t kLongestTold = 80;
constexpr size_t kTrials = 96;

// A tensor in a guard: `L['x']`, in a container `L['past'][0]['key']`.
struct Access {
  std::string input;    // "past.0.key", as inputs are named
  std::string counted;  // "past_0.key": one of `*past`
};

// Reads an Access off `text`; nothing, and no more of it read, where there is none.
std::optional<Access> ReadAccess(std::string_view* text) {
  std::string_view rest = *text;
  if (!rest.starts_with("L['")) return std::nullopt;
  rest.remove_prefix(1);
  Access access;
  for (bool first = true; rest.starts_with('['); first = false) {
    const size_t end = rest.find(']');
    if (end == rest.npos) return std::nullopt;
    std::string_view key = rest.substr(1, end - 1);
    const bool quoted = key.size() > 1 && key.front() == '\'' && key.back() == '\'';
    if (quoted) key = key.substr(1, key.size() - 2);
    const bool counts = !quoted && access.input == access.counted;
    if (!first) access.input += '.', access.counted += counts ? '_' : '.';
    access.input += key;
    access.counted += key;
    rest.remove_prefix(end + 1);
  }
  *text = rest;
  return access;
}

// The text with accesses, up to their sizes, in other words; nothing where `word` has none for one.
template <typename Word>
// `word` gets the access and what follows it, of which it takes off what it has read, such as `.size()[1]`.
std::optional<std::string> Reworded(std::string_view text, const Word& word) {
  std::string out;
  for (size_t at = text.find("L['"); at != text.npos; at = text.find("L['")) {
    out += text.substr(0, at);
    text.remove_prefix(at);
    const auto access = ReadAccess(&text);
    const auto other = access ? word(*access, &text) : std::nullopt;
    if (!other) return std::nullopt;
    out += *other;
  }
  return out += text;
}

using Inputs = std::unordered_map<std::string_view, const ir::Value*>;

const ir::Value* FindInput(const Access& access, const Inputs& inputs) {
  for (const std::string& name : {access.input, access.counted}) {
    if (const auto found = inputs.find(name); found != inputs.end()) return found->second;
  }
  return nullptr;
}

// The text with `L['x'].size()[1]` as the dimension that it is. Nothing for what no input has.
std::optional<std::string> InSymbols(std::string_view text, const Inputs& inputs) {
  return Reworded(text, [&](const Access& access, std::string_view* rest) -> std::optional<std::string> {
    constexpr std::string_view kSize = ".size()[";
    const ir::Value* input = FindInput(access, inputs);
    if (input == nullptr || !rest->starts_with(kSize)) return std::nullopt;
    rest->remove_prefix(kSize.size());
    size_t axis = 0;
    const char* const after = std::from_chars(rest->data(), rest->data() + rest->size(), axis).ptr;
    rest->remove_prefix(static_cast<size_t>(after - rest->data()));
    if (!rest->starts_with(']')) return std::nullopt;
    rest->remove_prefix(1);
    const auto& dims = input->dims;
    if (!dims || axis >= dims->size() || (*dims)[axis].is_unknown()) return std::nullopt;
    const std::string size = (*dims)[axis].ToString();
    return (*dims)[axis].symbol() ? size : "(" + size + ")";
  });
}

// Of "A == 4": the text of A, and 4.
std::optional<std::pair<std::string, int64_t>> Equation(std::string_view guard, const Inputs& inputs) {
  constexpr std::string_view kEqual = " == ";
  const size_t equal = guard.rfind(kEqual);
  if (equal == guard.npos) return std::nullopt;
  auto left = InSymbols(guard.substr(0, equal), inputs);
  std::string ignored;
  const auto number = ir::Dim::Parse(guard.substr(equal + kEqual.size()), &ignored);
  if (!left || !number || !number->is_number()) return std::nullopt;
  return std::pair(std::move(*left), number->number());
}

// Of "(s0 % 4)": s0, and 4.
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

// What guards say of sizes.
// For s0 % 4 == 0 the symbol s0 is 4 * `s0/4`, where `s0/4` is a symbol of its own: so s0//4 is `s0/4`, and s0//(s0//4)
// is 4. Several divisors of one symbol count as their least common multiple.
class Facts {
 public:
  Facts(const std::vector<std::string>& guards, const ir::Graph& graph) {
    Inputs inputs;
    for (const ir::Port& input : graph.inputs) {
      if (const ir::ValueId* id = input.value.value()) inputs.emplace(input.name, &graph.value(*id));
    }
    std::map<std::string, int64_t> divisors;
    for (const std::string& guard : guards) {
      const auto equation = Equation(guard, inputs);
      if (!equation) continue;
      if (const auto size = Remainder(equation->first); size && equation->second == 0) {
        AddDivisor(size->second, &divisors[size->first]);
      }
      // An input whose free size is a number has that number already.
      std::string ignored;
      const auto size = ir::Dim::Parse(equation->first, &ignored);
      if (size && size->is_symbolic() && !size->symbol()) numbers_[size->ToString()] = ir::Dim(equation->second);
    }
    for (const auto& [symbol, divisor] : divisors) {
      if (divisor > 1) multiples_[symbol] = ir::Dim(divisor) * ir::Dim::Symbol(symbol + "/" + std::to_string(divisor));
    }
  }

  bool empty() const { return numbers_.empty() && multiples_.empty(); }

  void Use(std::optional<ir::Dims>* dims) const {
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
    // The whole first: a guard that names all of this size says more than what follows of its parts.
    if (const auto number = numbers_.find(dim.ToString()); number != numbers_.end()) return number->second;
    const ir::Dim shorter = dim.Substitute(numbers_);
    // Only to find out: sizes keep their names.
    const ir::Dim in_multiples = shorter.Substitute(multiples_);
    if (in_multiples.is_number()) return in_multiples;
    return shorter.is_unknown() ? dim : shorter;
  }

  std::map<std::string, ir::Dim> numbers_;    // by the text of a size
  std::map<std::string, ir::Dim> multiples_;  // of symbols
};

// A comparison of two sizes; nothing for other texts, "A == 4 or B == 1".
struct Comparison {
  ir::Dim left;
  std::string_view sign;
  ir::Dim right;
};

// "torch.sym_max(1, L['x'].size()[3])" as "Max(1, L['x'].size()[3])".
// Guards are Python, and Dim::Parse reads sympy's words.
std::string InSympysWords(std::string text) {
  for (const auto& [python, sympy] : {std::pair("torch.sym_max", "Max"), std::pair("torch.sym_min", "Min")}) {
    for (size_t at = text.find(python); at != text.npos; at = text.find(python)) {
      text.replace(at, std::string_view(python).size(), sympy);
    }
  }
  return text;
}

std::optional<Comparison> ReadComparison(const std::string& text) {
  for (const std::string_view sign : {" == ", " != ", " <= ", " >= ", " < ", " > "}) {
    const size_t at = text.find(sign);
    if (at == text.npos) continue;
    std::string ignored;
    const auto left = ir::Dim::Parse(text.substr(0, at), &ignored);
    const auto right = ir::Dim::Parse(text.substr(at + sign.size()), &ignored);
    if (!left || !right || left->is_unknown() || right->is_unknown()) return std::nullopt;
    return Comparison{*left, sign.substr(1, sign.size() - 2), *right};
  }
  return std::nullopt;
}

bool Holds(int64_t left, std::string_view sign, int64_t right) {
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  if (sign == "<=") return left <= right;
  if (sign == ">=") return left >= right;
  return sign == "<" ? left < right : left > right;
}

// Of a comparison that does not hold: one side is at most 1, and that is all it says; or a factor is 1 (A < A*B).
bool SaysNotOne(const Comparison& comparison, int64_t left, int64_t right) {
  const auto bounds = [&](const ir::Dim& bound, int64_t other) {
    return bound.is_number() && bound.number() >= 0 && bound.number() <= 2 && other <= 1 && comparison.sign != "==";
  };
  if (bounds(comparison.left, right) || bounds(comparison.right, left)) return true;
  const auto multiple = [](const ir::Dim& of, const ir::Dim& side) { return ir::Dim::FloorDiv(side, of) * of == side; };
  return left == right && (multiple(comparison.left, comparison.right) || multiple(comparison.right, comparison.left));
}

// The size of a symbol in a trial: within its range, and at another step for each.
// The first half goes up from the least size one by one, the other in steps that differ by symbol, so that sizes meet
// in other remainders, too.
int64_t TrialSize(const ir::Range& range, size_t symbol, size_t trial) {
  const int64_t low = std::max<int64_t>(range.min.value_or(2), 2);
  const int64_t high = std::max(low, range.max.value_or(low + 4096));
  const auto step = static_cast<int64_t>(trial * (trial < kTrials / 2 ? 1 : 31 + 2 * symbol) + symbol * trial / 3);
  return low + step % (high - low + 1);
}

// "Not 0 or 1" of any size, or what every size within the ranges has where no size is 1.
// Trials are no proof, but only the remark depends on them: a condition that holds at all these sizes and fails at
// another goes untold.
bool GoesWithoutSaying(const Comparison& comparison, const ir::Ranges& ranges) {
  std::vector<std::string> symbols = comparison.left.symbols();
  for (std::string& symbol : comparison.right.symbols()) symbols.push_back(std::move(symbol));
  for (size_t trial = 0; trial < kTrials; ++trial) {
    std::map<std::string, ir::Dim> sizes;
    for (size_t i = 0; i < symbols.size(); ++i) {
      const auto range = ranges.find(symbols[i]);
      sizes.emplace(symbols[i], TrialSize(range == ranges.end() ? ir::Range() : range->second, i, trial));
    }
    const ir::Dim left = comparison.left.Substitute(sizes);
    const ir::Dim right = comparison.right.Substitute(sizes);
    if (!left.is_number() || !right.is_number()) return false;
    const bool holds = Holds(left.number(), comparison.sign, right.number());
    if (!holds && !SaysNotOne(comparison, left.number(), right.number())) return false;
  }
  return true;
}

// Whether `holds` is true of one part of the text between two such words, or with `all` of each.
template <typename Predicate>
bool OfParts(std::string_view text, std::string_view word, bool all, const Predicate& holds) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(word, begin), text.size());
    if (holds(text.substr(begin, end - begin)) != all) return !all;
    begin = end + word.size();
  }
  return all;
}

// "A == 4 or B >= 2 and A > 0", where the last two go without saying. A part of something in brackets is no comparison,
// and so none that does.
bool AlwaysHolds(std::string_view text, const ir::Ranges& ranges) {
  const auto goes_without_saying = [&](std::string_view part) {
    const auto comparison = ReadComparison(std::string(part));
    return comparison && GoesWithoutSaying(*comparison, ranges);
  };
  return OfParts(text, " or ", false, [&](std::string_view alternative) {
    return OfParts(alternative, " and ", true, goes_without_saying);
  });
}

// What a model fulfills only in part, the shortest first.
std::vector<std::string> ConditionsOf(const std::vector<std::string>& guards, const ir::Graph& graph) {
  Inputs inputs;
  for (const ir::Port& input : graph.inputs) {
    if (const ir::ValueId* id = input.value.value()) inputs.emplace(input.name, &graph.value(*id));
  }
  // By length, then by text; what two guards say in other words is told once.
  std::set<std::pair<size_t, std::string>> found;
  for (const std::string& guard : guards) {
    const std::string text = InSympysWords(InSymbols(guard, inputs).value_or(guard));
    if (AlwaysHolds(text, graph.ranges)) continue;
    const auto comparison = ReadComparison(text);
    const std::string told = comparison ? comparison->left.ToString() + " " + std::string(comparison->sign) + " " +
                                              comparison->right.ToString()
                                        : text;
    found.emplace(told.size(), told);
  }
  std::vector<std::string> conditions;
  for (const auto& [size, text] : found) conditions.push_back(text);
  return conditions;
}

}  // namespace

std::string GuardRemark(const std::vector<std::string>& guards, const ir::Graph& graph) {
  const std::vector<std::string> conditions = ConditionsOf(guards, graph);
  if (conditions.empty()) return {};
  std::string few;
  std::string all;
  size_t told = 0;
  for (const std::string& condition : conditions) {
    if (told < kMostTold && condition.size() <= kLongestTold) few += (told++ == 0 ? "" : ", ") + condition;
    all += "\n  " + condition;
  }
  const size_t more = conditions.size() - told;
  const std::string rest =
      std::to_string(more) + (told == 0 ? " long condition" : " more condition") + (more > 1 ? "s" : "");
  if (more > 0) few += (told == 0 ? "" : " and ") + rest;
  return "torch.export made this program for sizes with " + few + "; for others the model may be wrong" +
         (more > 0 ? all : "");
}

void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph) {
  const Facts facts(guards, *graph);
  if (facts.empty()) return;
  for (ir::Value& value : graph->values) {
    facts.Use(&value.dims);
    facts.Use(&value.contents);
  }
}

}  // namespace onnxport::pt2
