#include "runtime/pt2/guards.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace onnxport::pt2 {
namespace {

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

// "(L['x'].size()[1] / 2) == 1000.0" as "(x.size()[1] / 2) == 1000.0". Empty for what every free size fulfills.
std::string PlainGuard(const std::string& guard) {
  for (const std::string_view usual : {" >= 0", " >= 1", " >= 2", " > 0", " > 1", " != 0", " != 1"}) {
    const bool bound = guard.ends_with(usual) && guard.find_first_of("*/%+(", guard.find(".size()") + 7) == guard.npos;
    if (bound && guard.starts_with("L[")) return {};
  }
  // Sizes that are equal have one symbol.
  if (const size_t equal = guard.find(" == "); equal != guard.npos) {
    const std::string right = guard.substr(equal + 4);
    if (guard.find(' ') == equal && right.starts_with("L[") && right.find(' ') == right.npos) return {};
  }
  return Reworded(guard, [](const Access& access, std::string_view*) { return std::optional(access.input); })
      .value_or(guard);
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
    return "(" + (*dims)[axis].ToString() + ")";
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

}  // namespace

std::string GuardRemark(const std::vector<std::string>& guards) {
  constexpr size_t kMost = 8;
  std::string text;
  size_t count = 0;
  for (const std::string& guard : guards) {
    const std::string condition = PlainGuard(guard);
    if (condition.empty()) continue;
    if (count++ < kMost) text += (text.empty() ? "`" : ", `") + condition + "`";
  }
  if (count == 0) return {};
  if (count > kMost) text += " and " + std::to_string(count - kMost) + " more";
  return "the file was exported for sizes with " + text + "; for others the model may be wrong";
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
