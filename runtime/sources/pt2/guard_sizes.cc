#include "runtime/sources/pt2/guard_sizes.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace onnxport::pt2 {
namespace {

// A tensor in a guard: `L['x']`, or in a container `L['past'][0]['key']`.
struct Access {
  std::string input;    // "past.0.key", as inputs are named
  std::string counted;  // "past_0.key": one of `*past`
  std::string keyword;  // "0.key": one of `**past`
};

// Reads an Access at the begin of `text` and removes it. Returns nothing, and removes nothing, if there is none.
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
    if (!first && !access.keyword.empty()) access.keyword += '.';
    if (!first) access.keyword += key;
    if (!first) access.input += '.', access.counted += counts ? '_' : '.';
    access.input += key;
    access.counted += key;
    rest.remove_prefix(end + 1);
  }
  *text = rest;
  return access;
}

// Replaces each access and its size in the text with `word`'s result. Returns nothing if `word` does so once. `word`
// gets the access and the text after it, and removes the part that it has read, such as `.size()[1]`.
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

const ir::Value* FindInput(const Access& access, const GuardInputs& inputs) {
  for (const std::string& name : {access.input, access.counted}) {
    if (const auto found = inputs.find(name); found != inputs.end()) return found->second;
  }
  // Inputs of `**kwargs` have the names that the caller gave. An argument that has inputs of its name is no such dict.
  const std::string argument = access.input.substr(0, access.input.find('.'));
  const auto is_its_own = [&](const auto& input) { return input.first.starts_with(argument); };
  if (std::ranges::any_of(inputs, is_its_own)) return nullptr;
  const auto found = inputs.find(access.keyword);
  return found == inputs.end() ? nullptr : found->second;
}

}  // namespace

GuardInputs InputsOf(const ir::Graph& graph) {
  GuardInputs inputs;
  for (const ir::Port& input : graph.inputs) {
    if (const ir::ValueId* id = input.value.value()) inputs.emplace(input.name, &graph.value(*id));
  }
  return inputs;
}

std::optional<std::string> InSymbols(std::string_view text, const GuardInputs& inputs) {
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

}  // namespace onnxport::pt2
