#include "runtime/base/option_names.h"

#include <algorithm>
#include <optional>

namespace onnxport {
namespace {

constexpr std::string_view kOpen = "<<";
constexpr std::string_view kClose = ">>";
constexpr std::string_view kIs = ": ";

struct Mark {
  std::string_view key;
  std::string_view value;
  size_t size;  // of all of it
};

bool IsKey(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

// At the beginning of the text; nothing for other text, as names from a file may have such signs.
std::optional<Mark> MarkAt(std::string_view text) {
  if (!text.starts_with(kOpen)) return std::nullopt;
  const size_t end = text.find(kClose);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(kOpen.size(), end - kOpen.size());
  const size_t is = std::min(inside.find(kIs), inside.size());
  const Mark mark{inside.substr(0, is), inside.substr(std::min(is + kIs.size(), inside.size())), end + kClose.size()};
  return IsKey(mark.key) ? std::optional(mark) : std::nullopt;
}

// Calls `plain` for the text between marks, and `mark` for each.
template <typename Plain, typename OnMark>
void Read(std::string_view text, const Plain& plain, const OnMark& on_mark) {
  while (!text.empty()) {
    const size_t open = std::min(text.find(kOpen), text.size());
    plain(text.substr(0, open));
    text.remove_prefix(open);
    if (text.empty()) return;
    if (const auto mark = MarkAt(text)) {
      on_mark(*mark);
      text.remove_prefix(mark->size);
    } else {
      plain(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
}

std::string Quoted(std::string_view value) { return value.empty() ? "" : ": \"" + std::string(value) + '"'; }

}  // namespace

std::string OptionInCpp(std::string_view key, std::string_view value) {
  return "ExportOptions::" + std::string(key) + Quoted(value);
}

std::string OptionAsKey(std::string_view key, std::string_view value) {
  return '`' + std::string(key) + '`' + Quoted(value);
}

std::string WithOptionNames(std::string_view text, OptionName name) {
  std::string shown;
  Read(
      text, [&](std::string_view plain) { shown += plain; },
      [&](const Mark& mark) { shown += name(mark.key, mark.value); });
  return shown;
}

std::vector<std::string> MarkedOptions(std::string_view text) {
  std::vector<std::string> keys;
  Read(
      text, [](std::string_view) {},
      [&](const Mark& mark) {
        if (std::ranges::find(keys, mark.key) == keys.end()) keys.emplace_back(mark.key);
      });
  return keys;
}

}  // namespace onnxport
