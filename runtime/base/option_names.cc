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
  size_t size;  // of the whole mark
};

constexpr std::string_view kKeyLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";

// Reads the mark that the text begins with; nothing if there is none. Names from a file may contain "<<", too. The key
// is read before the search for the end, so that a text of many "<<" costs no more than its length.
std::optional<Mark> MarkAt(std::string_view text) {
  if (!text.starts_with(kOpen)) return std::nullopt;
  const std::string_view inside = text.substr(kOpen.size());
  const size_t size = std::min(inside.find_first_not_of(kKeyLetters), inside.size());
  const std::string_view rest = inside.substr(size);
  const bool has_value = rest.starts_with(kIs);
  if (size == 0 || !(has_value || rest.starts_with(kClose))) return std::nullopt;
  const size_t end = inside.find(kClose, size);
  if (end == std::string_view::npos) return std::nullopt;
  const size_t value = has_value ? size + kIs.size() : end;
  return Mark{inside.substr(0, size), inside.substr(value, end - value), kOpen.size() + end + kClose.size()};
}

// Calls `plain` for the text between marks, and `on_mark` for each mark.
template <typename Plain, typename OnMark>
void Read(std::string_view text, const Plain& plain, const OnMark& on_mark) {
  // After the last ">>" there is no mark.
  const size_t last = text.rfind(kClose);
  const size_t end = last == std::string_view::npos ? 0 : last + kClose.size();
  const std::string_view rest = text.substr(end);
  text.remove_suffix(rest.size());
  while (!text.empty()) {
    const size_t open = std::min(text.find(kOpen), text.size());
    plain(text.substr(0, open));
    text.remove_prefix(open);
    if (text.empty()) break;
    if (const auto mark = MarkAt(text)) {
      on_mark(*mark);
      text.remove_prefix(mark->size);
    } else {
      plain(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
  plain(rest);
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
