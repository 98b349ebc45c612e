#include "runtime/torchscript/archive/debug_info.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace onnxport::torchscript {
namespace {

constexpr size_t kMaxSource = size_t{4} << 20;  // bytes of one text, all pieces joined
constexpr size_t kMaxCode = 200;                // of a line that is shown

using Items = std::vector<PickledPtr>;

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
  std::string file;
  int64_t first_line = 0;
};

class Reader {
 public:
  explicit Reader(const Pickled& debug) {
    const auto* tuple = std::get_if<Pickled::Tuple>(&debug.v);
    if (!tuple) return;
    const std::string* format = tuple->items.empty() ? nullptr : TextOf(tuple->items[0]);
    if (format && *format == "FORMAT_WITH_STRING_TABLE" && tuple->items.size() == 3) {
      strings_ = ItemsOf(tuple->items[1]);
      if (const Items* entries = ItemsOf(tuple->items[2])) ReadEntries(*entries);
    } else {
      ReadEntries(tuple->items);
    }
    std::ranges::stable_sort(origins_, {}, &SourceFile::Origin::begin);
  }

  std::vector<SourceFile::Origin> Take() { return std::move(origins_); }

 private:
  // (offset in the serialized text, (source, begin, end), tag)
  void ReadEntries(const Items& entries) {
    for (const PickledPtr& entry : entries) {
      const Items* parts = ItemsOf(entry);
      const auto offset = parts && parts->size() >= 2 ? IntOf((*parts)[0]) : std::nullopt;
      const Items* range = offset ? ItemsOf((*parts)[1]) : nullptr;
      if (!range || range->size() < 3 || *offset < 0 || *offset > std::numeric_limits<Offset>::max()) continue;
      const auto begin = IntOf((*range)[1]);
      origins_.push_back({static_cast<Offset>(*offset), begin ? At(SourceOf((*range)[0]), *begin) : ir::Location{}});
    }
  }

  std::string Text(const PickledPtr& value) const {
    if (const std::string* text = TextOf(value)) return *text;
    const auto index = IntOf(value);
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
        if (source.text.size() > kMaxSource) return source = {};
      }
    } else {
      source.text = Text((*parts)[0]);
    }
    source.file = Text((*parts)[1]);
    source.first_line = IntOf((*parts)[2]).value_or(0);
    return source;
  }

  static ir::Location At(const Source& source, int64_t begin) {
    ir::Location location;
    if (source.file.empty() || begin < 0 || static_cast<size_t>(begin) > source.text.size()) return location;
    const auto at = static_cast<size_t>(begin);
    const std::string_view text = source.text;
    const int64_t line = source.first_line + std::ranges::count(text.substr(0, at), '\n');
    if (line < 0 || line > std::numeric_limits<int>::max()) return location;
    location.file = source.file;
    location.line = static_cast<int>(line);
    // A trace has the stack of calls in place of a text.
    if (text.starts_with(source.file + "(")) return location;
    const size_t last_end = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const size_t first = last_end == std::string_view::npos ? 0 : last_end + 1;
    std::string_view code = text.substr(first, std::min(text.find('\n', at), text.size()) - first);
    while (!code.empty() && (code.front() == ' ' || code.front() == '\t')) code.remove_prefix(1);
    location.code = code.substr(0, kMaxCode);
    return location;
  }

  const Items* strings_ = nullptr;
  std::map<const Pickled*, Source> sources_;
  std::vector<SourceFile::Origin> origins_;
};

}  // namespace

std::vector<SourceFile::Origin> ReadOrigins(const Pickled& debug) { return Reader(debug).Take(); }

}  // namespace onnxport::torchscript
