#include "runtime/inputs/element_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace onnxport::inputs {
namespace {

constexpr int kMaxDepth = 16;  // of containers in containers

// Returns the rest of a name below another: "left.0" for "d.left.0" below "d".
std::optional<std::string_view> Below(std::string_view name, std::string_view whole) {
  if (!whole.starts_with(name) || !whole.substr(name.size()).starts_with('.')) return std::nullopt;
  return whole.substr(name.size() + 1);
}

bool IsPlace(std::string_view text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Returns the form of the element; nothing if the form has no element with this name.
std::optional<Form> ElementOf(const Form& form, std::string_view element) {
  if (form.kind == Form::Kind::kDict || (form.kind == Form::Kind::kList && IsPlace(element))) return form.element(0);
  const auto found = std::ranges::find(form.fields, element);
  if (found == form.fields.end()) return std::nullopt;
  return form.element(static_cast<size_t>(found - form.fields.begin()));
}

// Returns true if a value of this form has the element `rest` below it. `rest` is "0.mask", for example; the empty text
// is the value itself. A dict has every element.
bool Has(Form form, std::string_view rest) {
  for (int depth = 0; depth < kMaxDepth && !rest.empty(); ++depth) {
    if (form.kind == Form::Kind::kDict) return true;
    const std::string_view first = rest.substr(0, rest.find('.'));
    auto element = ElementOf(form, first);
    if (!element) return false;
    form = *std::move(element);
    rest.remove_prefix(std::min(first.size() + 1, rest.size()));
  }
  return rest.empty();
}

// Returns the key at the start of `rest`: "left" for "left.0".
std::string_view KeyOf(const Form& element, std::string_view rest, const std::vector<std::string>& keys) {
  std::string_view best;
  for (const std::string& key : keys) {
    const auto below = rest == key ? std::optional<std::string_view>("") : Below(key, rest);
    if (below && key.size() > best.size() && Has(element, *below)) best = rest.substr(0, key.size());
  }
  if (!best.empty()) return best;
  for (size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.', dot + 1)) {
    const std::string_view below = rest.substr(dot + 1);
    if (!below.empty() && Has(element, below)) return rest.substr(0, dot);
  }
  return rest;
}

}  // namespace

bool HasElements(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& whole) { return Below(name, whole).has_value(); });
}

std::vector<std::string> ElementsUnder(std::string_view name, const Form& form, const std::vector<std::string>& names,
                                       const std::vector<std::string>& keys) {
  std::vector<std::string> elements;
  for (const std::string& whole : names) {
    const auto rest = Below(name, whole);
    if (!rest) continue;
    const bool is_dict = form.kind == Form::Kind::kDict;
    const std::string_view element = is_dict ? KeyOf(form.element(0), *rest, keys) : rest->substr(0, rest->find('.'));
    if (!ElementOf(form, element) || std::ranges::find(elements, element) != elements.end()) continue;
    elements.emplace_back(element);
  }
  return elements;
}

std::optional<int64_t> IntKey(std::string_view element) {
  int64_t key = 0;
  const auto [end, code] = std::from_chars(element.data(), element.data() + element.size(), key);
  return code == std::errc() && std::to_string(key) == element ? std::optional(key) : std::nullopt;
}

}  // namespace onnxport::inputs
