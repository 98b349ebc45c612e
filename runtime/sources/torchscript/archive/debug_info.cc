#include "runtime/sources/torchscript/archive/debug_info.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/foreign_file.h"
#include "runtime/base/memory_budget.h"
#include "runtime/ir/location.h"
#include "runtime/sources/torchscript/archive/line_index.h"
#include "runtime/sources/torchscript/archive/plain_pickle.h"

namespace onnxport::torchscript {
namespace {

constexpr size_t kMaxDebugSource = size_t{4} << 20;  // bytes of one text, all pieces joined
constexpr size_t kMaxCode = 200;                     // of a line that is shown

using Line = std::shared_ptr<const ir::SourceLine>;

// A text of the user's program, or in a trace the stack of calls.
struct SourceText {
  std::string text;
  Charge held{};    // for `text`
  LineIndex lines;  // empty: the text is too long
  bool is_stack = false;
  std::optional<Line> users_frame;  // of a stack, filled on first use; null: no frame of the user
};

// Most entries of a trace repeat the same calls, so the result for each text is stored.
class DebugInfoReader {
 public:
  DebugInfoReader(const PlainPickle& debug, SourceFile* read) : debug_(debug), read_(*read) {
    const Items all = debug.ItemsOf(debug.root());
    if (all.size() == 3 && debug.TextOf(all[0]) == "FORMAT_WITH_STRING_TABLE") {
      strings_ = debug.ItemsOf(all[1]);
      ReadEntries(debug.ItemsOf(all[2]));
    } else {
      ReadEntries(all);
    }
    // They are found by offset afterwards, and are nearly always in that order. The first one at an offset stays the
    // first.
    if (std::ranges::is_sorted(read_.origins, {}, &SourceFile::Origin::begin)) return;
    std::ranges::stable_sort(read_.origins, {}, &SourceFile::Origin::begin);
  }

 private:
  using Items = std::span<const PlainValue>;

  // (offset in the serialized text, (source, begin, end), tag)
  void ReadEntries(Items entries) {
    for (const PlainValue& entry : entries) {
      const Items parts = debug_.ItemsOf(entry);
      const auto offset = parts.size() >= 2 ? debug_.IntOf(parts[0]) : std::nullopt;
      const Items range = offset ? debug_.ItemsOf(parts[1]) : Items();
      if (range.size() < 3 || *offset < 0 || *offset > std::numeric_limits<Offset>::max()) continue;
      const auto begin = debug_.IntOf(range[1]);
      const Items source = debug_.ItemsOf(range[0]);
      read_.origins.push_back(
          {static_cast<Offset>(*offset), MakerOf(source), begin ? LineOf(source, *begin) : nullptr});
    }
  }

  std::string_view TextOf(PlainValue value) const {
    if (const auto text = debug_.TextOf(value)) return *text;
    const auto index = debug_.IntOf(value);
    // In the newer format, texts are in a table, because many places share files and pieces of code.
    const bool known = index && *index >= 0 && static_cast<size_t>(*index) < strings_.size();
    return known ? debug_.TextOf(strings_[static_cast<size_t>(*index)]).value_or("") : "";
  }

  // `value` is one text, or a list of its pieces.
  SourceText& WholeOf(const PlainValue& value) {
    if (value.kind != PlainValue::Kind::kSequence) return Joined({&value, 1});
    SourceText*& known = lists_[value.payload];
    if (known == nullptr) known = &Joined(debug_.ItemsOf(value));
    return *known;
  }

  // Lists of the same pieces are one text.
  SourceText& Joined(Items pieces) {
    const std::string_view key(reinterpret_cast<const char*>(pieces.data()), pieces.size_bytes());
    const auto [found, is_new] = texts_.try_emplace(key);
    if (is_new) Join(pieces, &found->second);
    return found->second;
  }

  void Join(Items pieces, SourceText* whole) const {
    for (const PlainValue& piece : pieces) {
      whole->text += TextOf(piece);
      // Pieces are shared, so a short file could assemble a text of any length.
      if (whole->text.size() > kMaxDebugSource) return;
    }
    whole->held.Add(whole->text.size());
    whole->lines = LineIndex(whole->text);
    whole->is_stack = FrameOf(std::string_view(whole->text).substr(0, whole->text.find('\n'))).has_value();
  }

  // `source`: (text or pieces of it, file or None, first line).
  SourceFile::Maker MakerOf(Items source) {
    if (source.empty()) return SourceFile::Maker::kUnknown;
    const SourceText& whole = WholeOf(source[0]);
    if (whole.text.empty() || whole.lines.empty()) return SourceFile::Maker::kUnknown;
    return whole.is_stack ? SourceFile::Maker::kTrace : SourceFile::Maker::kCompiler;
  }

  // Null if the source has no file, or not that place.
  Line LineOf(Items source, int64_t begin) {
    if (source.size() < 3) return nullptr;
    const std::string_view file = TextOf(source[1]);
    SourceText& whole = WholeOf(source[0]);
    const std::string_view text = whole.text;
    if (file.empty() || whole.lines.empty() || begin < 0 || static_cast<size_t>(begin) > text.size()) return nullptr;
    const size_t index = whole.lines.LineAt(static_cast<size_t>(begin));
    int64_t line = 0;
    // The number is from the file and may be anything.
    if (__builtin_add_overflow(debug_.IntOf(source[2]).value_or(0), static_cast<int64_t>(index), &line) || line < 0 ||
        line > std::numeric_limits<int>::max())
      return nullptr;
    // A trace has the stack of calls instead of a text.
    if (whole.is_stack) {
      if (!whole.users_frame) whole.users_frame = UsersFrame(text);
      return *whole.users_frame ? *whole.users_frame : Shared(file, static_cast<int>(line), "");
    }
    std::string_view code = whole.lines.Line(text, index);
    code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
    return Shared(file, static_cast<int>(line), code.substr(0, kMaxCode));
  }

  // The innermost frame of the user in "file.py(12): forward\n..."; null if there is none.
  Line UsersFrame(std::string_view stack) {
    for (size_t end = 0; !stack.empty(); stack.remove_prefix(std::min(end + 1, stack.size()))) {
      end = std::min(stack.find('\n'), stack.size());
      const auto frame = FrameOf(stack.substr(0, end));
      if (frame && !IsForeignFile(frame->file)) return Shared(frame->file, frame->line, "");
    }
    return nullptr;
  }

  struct Frame {
    std::string_view file;
    int line = 0;
  };
  // "file.py(12): forward"
  static std::optional<Frame> FrameOf(std::string_view text) {
    const size_t close = text.rfind("): ");
    const size_t open = close == std::string_view::npos ? close : text.rfind('(', close);
    if (open == std::string_view::npos) return std::nullopt;
    Frame frame{.file = text.substr(0, open)};
    const char* const end = text.data() + close;
    const auto [stop, error] = std::from_chars(text.data() + open + 1, end, frame.line);
    return error == std::errc() && stop == end ? std::optional(frame) : std::nullopt;
  }

  // Mostly the same for each place of a line.
  Line Shared(std::string_view file, int line, std::string_view code) {
    constexpr size_t kFiles = 16;  // lines with that number; a forged file could have any number of them
    std::vector<Line>& known = lines_[line];
    for (const Line& other : known) {
      if (other->file == file && other->code == code) return other;
    }
    read_.held.Add(file.size() + code.size());
    Line made = ir::MakeLine(std::string(file), line, std::string(code));
    if (known.size() < kFiles) known.push_back(made);
    return made;
  }

  const PlainPickle& debug_;
  Items strings_;
  std::unordered_map<std::string_view, SourceText> texts_;  // by the bytes of their pieces
  std::unordered_map<int64_t, SourceText*> lists_;          // the same, by the number of the list
  std::unordered_map<int, std::vector<Line>> lines_;        // by their numbers
  SourceFile& read_;
};

}  // namespace

void ReadOrigins(std::string_view pickle, const std::string& what, SourceFile* file) {
  DebugInfoReader(PlainPickle(pickle, what), file);
}

}  // namespace onnxport::torchscript
