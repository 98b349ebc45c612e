#include "runtime/sources/torchscript/archive/debug_info.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/foreign_file.h"
#include "runtime/ir/location.h"

namespace onnxport::torchscript {
namespace {

constexpr size_t kMaxDebugSource = size_t{4} << 20;  // bytes of one text, all pieces joined
constexpr size_t kMaxCode = 200;                     // of a line that is shown

using Items = PickledList;

const Items* ItemsOf(const PickledPtr& value) {
  if (!value) return nullptr;
  if (const auto* tuple = std::get_if<Pickled::Tuple>(&value->v)) return &tuple->items;
  if (const auto* list = std::get_if<Pickled::List>(&value->v)) return &list->items;
  return nullptr;
}

std::optional<int64_t> IntOf(const PickledPtr& value) {
  const auto* number = value ? std::get_if<int64_t>(&value->v) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

const std::string* TextOf(const PickledPtr& value) { return value ? std::get_if<std::string>(&value->v) : nullptr; }

// A text of the user's program.
struct Source {
  std::string text;
  Charge held{};  // for `text`
  LineIndex lines;
  std::string file;
  int64_t first_line = 0;
};

class DebugInfoReader {
 public:
  DebugInfoReader(const Pickled& debug, SourceFile* read) : read_(*read) {
    const auto* tuple = std::get_if<Pickled::Tuple>(&debug.v);
    if (!tuple) return;
    const std::string* format = tuple->items.empty() ? nullptr : TextOf(tuple->items[0]);
    if (format && *format == "FORMAT_WITH_STRING_TABLE" && tuple->items.size() == 3) {
      strings_ = ItemsOf(tuple->items[1]);
      if (const Items* entries = ItemsOf(tuple->items[2])) ReadEntries(*entries);
    } else {
      ReadEntries(tuple->items);
    }
    // Found by offset afterwards, and nearly always in that order as they are. Of two at one offset the first one stays
    // the first.
    if (std::ranges::is_sorted(read_.origins, {}, &SourceFile::Origin::begin)) return;
    std::ranges::stable_sort(read_.origins, {}, &SourceFile::Origin::begin);
  }

 private:
  // (offset in the serialized text, (source, begin, end), tag)
  void ReadEntries(const Items& entries) {
    for (const PickledPtr& entry : entries) {
      const Items* parts = ItemsOf(entry);
      const auto offset = parts && parts->size() >= 2 ? IntOf((*parts)[0]) : std::nullopt;
      const Items* range = offset ? ItemsOf((*parts)[1]) : nullptr;
      if (!range || range->size() < 3 || *offset < 0 || *offset > std::numeric_limits<Offset>::max()) continue;
      const auto begin = IntOf((*range)[1]);
      read_.origins.push_back(
          {static_cast<Offset>(*offset), {.at = begin ? Shared(At(SourceOf((*range)[0]), *begin)) : nullptr}});
    }
  }

  std::string Text(const PickledPtr& value) const {
    if (const std::string* text = TextOf(value)) return *text;
    const auto index = IntOf(value);
    // The newer format has texts in a table, as files and pieces of code are the same for many places.
    const bool known = index && strings_ && *index >= 0 && static_cast<size_t>(*index) < strings_->size();
    const std::string* text = known ? TextOf((*strings_)[static_cast<size_t>(*index)]) : nullptr;
    return text ? *text : "";
  }

  // (text or pieces of it, file or None, first line); one object for all entries of a function.
  const Source& SourceOf(const PickledPtr& value) {
    const auto [found, is_new] = sources_.try_emplace(value.get());
    Source& source = found->second;
    const Items* parts = ItemsOf(value);
    if (!is_new || !parts || parts->size() < 3) return source;
    if (const Items* pieces = ItemsOf((*parts)[0])) {
      for (const PickledPtr& piece : *pieces) {
        source.text += Text(piece);
        // Pieces are shared, so a short file can put together any length of them.
        if (source.text.size() > kMaxDebugSource) return source = {};
      }
    } else {
      source.text = Text((*parts)[0]);
    }
    source.held.Add(source.text.size());
    source.lines = LineIndex(source.text);
    source.file = Text((*parts)[1]);
    source.first_line = IntOf((*parts)[2]).value_or(0);
    return source;
  }

  // Mostly the same for each place of a line.
  std::shared_ptr<const ir::SourceLine> Shared(ir::SourceLine line) {
    constexpr size_t kFiles = 16;  // with a line of that number: a forged file could have any number of them
    std::vector<std::shared_ptr<const ir::SourceLine>>& known = lines_[line.line];
    for (const auto& other : known) {
      if (other->file == line.file && other->code == line.code) return other;
    }
    read_.held.Add(line.file.size() + line.code.size());
    auto made = std::make_shared<const ir::SourceLine>(std::move(line));
    if (known.size() < kFiles) known.push_back(made);
    return made;
  }

  // The innermost frame of the user in "file.py(12): forward\n..."; `innermost` where there is none.
  static ir::SourceLine UsersFrame(std::string_view stack, ir::SourceLine innermost) {
    for (size_t end = 0; !stack.empty(); stack.remove_prefix(std::min(end + 1, stack.size()))) {
      end = std::min(stack.find('\n'), stack.size());
      const std::string_view frame = stack.substr(0, end);
      const size_t close = frame.rfind("): ");
      const size_t open = close == std::string_view::npos ? close : frame.rfind('(', close);
      if (open == std::string_view::npos || IsForeignFile(frame.substr(0, open))) continue;
      ir::SourceLine location;
      location.file = std::string(frame.substr(0, open));
      if (std::from_chars(frame.data() + open + 1, frame.data() + close, location.line).ec == std::errc())
        return location;
    }
    return innermost;
  }

  static ir::SourceLine At(const Source& source, int64_t begin) {
    ir::SourceLine location;
    if (source.file.empty() || begin < 0 || static_cast<size_t>(begin) > source.text.size()) return location;
    const auto at = static_cast<size_t>(begin);
    const std::string_view text = source.text;
    const size_t index = source.lines.LineAt(at);
    int64_t line = 0;
    // The number comes from the file, and may be any.
    if (__builtin_add_overflow(source.first_line, static_cast<int64_t>(index), &line) || line < 0 ||
        line > std::numeric_limits<int>::max())
      return location;
    location.file = source.file;
    location.line = static_cast<int>(line);
    // A trace has the stack of calls in place of a text.
    if (text.starts_with(source.file + "(")) return UsersFrame(text, std::move(location));
    std::string_view code = source.lines.Line(text, index);
    while (!code.empty() && (code.front() == ' ' || code.front() == '\t')) code.remove_prefix(1);
    location.code = code.substr(0, kMaxCode);
    return location;
  }

  const Items* strings_ = nullptr;
  std::map<const Pickled*, Source> sources_;
  std::unordered_map<int, std::vector<std::shared_ptr<const ir::SourceLine>>> lines_;  // by their numbers
  SourceFile& read_;
};

}  // namespace

void ReadOrigins(const Pickled& debug, SourceFile* file) { DebugInfoReader(debug, file); }

}  // namespace onnxport::torchscript
