#include "codegen/source/diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fmt/format.h"
#include "runtime/base/nearest_name.h"

namespace onnxport::codegen {
namespace {

constexpr size_t kCaretWindow = 110;  // columns of a long line that are shown

// Where the lines of each file start, found once.
class Lines {
 public:
  std::string_view Of(const SourceFile& file, int line) {
    std::vector<size_t>& starts = starts_[&file];
    if (starts.empty()) {
      starts.push_back(0);
      for (size_t i = 0; i < file.text.size(); ++i) {
        if (file.text[i] == '\n') starts.push_back(i + 1);
      }
    }
    if (static_cast<size_t>(line) > starts.size()) return {};
    const std::string_view rest = std::string_view(file.text).substr(starts[line - 1]);
    return rest.substr(0, rest.find('\n'));
  }

 private:
  std::map<const SourceFile*, std::vector<size_t>> starts_;
};

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The source line and a caret below the column; nothing for a place without a line.
std::string CaretLines(const Place& place, Lines* lines) {
  if (place.file == nullptr || place.line <= 0) return {};
  const std::string_view line = lines->Of(*place.file, place.line);
  const size_t at = std::min<size_t>(place.column > 0 ? place.column - 1 : 0, line.size());
  // If a line is long, three quarters of the window are before the place, because the text before it usually explains
  // the mistake.
  size_t begin = at > kCaretWindow * 3 / 4 ? at - kCaretWindow * 3 / 4 : 0;
  while (begin > 0 && !StartsCharacter(line[begin])) --begin;
  size_t end = std::min(line.size(), begin + kCaretWindow);
  while (end < line.size() && !StartsCharacter(line[end])) ++end;
  std::string shown, padding;
  for (size_t i = begin; i < end; ++i) {
    const unsigned char c = line[i];
    shown += c < 0x20 || c == 0x7F ? ' ' : static_cast<char>(c);
    // One blank for each character and not for each byte: a letter with an accent has two bytes and takes one column.
    if (i < at && StartsCharacter(line[i])) padding += ' ';
  }
  const char* cut = begin > 0 ? "..." : "";
  return fmt::format(" | {}{}\n | {:{}}{}^\n", cut, shown, "", begin > 0 ? 3 : 0, padding);
}

std::string PlaceText(const Place& place) {
  if (place.file == nullptr) return "";
  if (place.line <= 0) return place.file->path + ": ";
  return fmt::format("{}:{}:{}: ", place.file->path, place.line, place.column);
}

}  // namespace

std::string LineText(const Place& place) {
  return fmt::format("{}:{}", place.file ? place.file->path : "", place.line);
}

void Diagnostics::Error(const Place& place, std::string message) {
  entries_.push_back({place, true, std::move(message)});
  ++errors_;
}

void Diagnostics::Note(const Place& place, std::string message) {
  entries_.push_back({place, false, std::move(message)});
}

std::string Diagnostics::ToText() const {
  // By the path's text: pointers would be in another order in each run. Repeats come about because an entry is checked
  // for each overload and opset, and the same mistake shows in all of them.
  auto key = [](const Entry& e) {
    const std::string_view path = e.place.file ? std::string_view(e.place.file->path) : "";
    return std::make_tuple(path, e.place.line, e.place.column, !e.is_error, std::string_view(e.message));
  };
  std::vector<const Entry*> sorted;
  for (const Entry& entry : entries_) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Entry* a, const Entry* b) { return key(*a) < key(*b); });
  sorted.erase(
      std::unique(sorted.begin(), sorted.end(), [&](const Entry* a, const Entry* b) { return key(*a) == key(*b); }),
      sorted.end());
  std::string text;
  Lines lines;
  for (const Entry* entry : sorted) {
    text += fmt::format("{}{}: {}\n{}", PlaceText(entry->place), entry->is_error ? "error" : "note", entry->message,
                        CaretLines(entry->place, &lines));
  }
  return text;
}

std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = NearestName(word, candidates);
  return nearest.empty() ? std::string() : fmt::format("; did you mean `{}`?", nearest);
}

}  // namespace onnxport::codegen
