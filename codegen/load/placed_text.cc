#include "codegen/load/placed_text.h"

#include <algorithm>
#include <utility>

namespace onnxport::codegen {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\n'; }

// Bytes of the UTF-8 character that starts with `lead`.
size_t Utf8Length(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

// Walks over the source of a scalar beside its decoded text.
struct Cursor {
  std::string_view source;
  size_t offset;
  int line, column;

  bool done() const { return offset >= source.size(); }
  char current() const { return done() ? '\0' : source[offset]; }
  char next() const { return offset + 1 < source.size() ? source[offset + 1] : '\0'; }
  void Advance(size_t count = 1) {
    for (; count > 0 && !done(); --count, ++offset) {
      if (source[offset] == '\n') {
        ++line;
        column = 1;
      } else {
        ++column;
      }
    }
  }
  void SkipSpace() {
    while (!done() && IsSpace(source[offset])) Advance();
  }
  // `\` and a line end in a double-quoted text stand for nothing.
  void SkipJoinedLines() {
    while (current() == '\\' && next() == '\n') {
      Advance();
      SkipSpace();
    }
  }
};

size_t EscapeLength(char kind) { return kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2; }

}  // namespace

PlacedText::PlacedText(std::string text, const Place& start) : text_(std::move(text)), file_(start.file) {
  for (size_t i = 0; i <= text_.size(); ++i) points_.push_back({start.line, start.column + static_cast<int>(i)});
}

// YAML folds line ends and indentation into spaces, doubles quotes and has escapes; everything else stands in the
// source as it is. So the decoded text and the source are walked together, white space being matched loosely.
PlacedText::PlacedText(std::string text, size_t offset, const Place& start)
    : text_(std::move(text)), file_(start.file) {
  Cursor at{file_->text, offset, start.line, start.column};
  const char style = at.current();
  const bool is_double = style == '"';
  const bool is_single = style == '\'';
  if (is_double || is_single) at.Advance();
  if (style == '|' || style == '>') {  // the header line
    while (!at.done() && at.current() != '\n') at.Advance();
  }
  points_.reserve(text_.size() + 1);
  for (size_t i = 0; i < text_.size();) {
    if (is_double) at.SkipJoinedLines();
    const bool escape = is_double && at.current() == '\\';
    if (!escape && !IsSpace(text_[i])) at.SkipSpace();
    if (is_double) at.SkipJoinedLines();
    const Point point{at.line, at.column};
    size_t decoded = 1;
    if (is_double && at.current() == '\\') {
      decoded = std::min(Utf8Length(text_[i]), text_.size() - i);
      // One escape may stand for a character of several bytes (\u00e9): all of them have the place of the escape.
      at.Advance(EscapeLength(at.next()));
    } else if (is_single && at.current() == '\'') {
      at.Advance(2);
    } else if (!IsSpace(text_[i]) || IsSpace(at.current())) {
      at.Advance();
    }
    // (The last branch above: a line end with ten blanks of indentation is one space of the text. The first of them is
    // stepped over there, the others by SkipSpace when the next word comes.)
    points_.insert(points_.end(), decoded, point);
    i += decoded;
  }
  points_.push_back({at.line, at.column});
  at.SkipSpace();
  if (is_double) at.SkipJoinedLines();
  // yaml-cpp takes the end of the file for a missing quote; here the character must be there.
  closed_ = !(is_double || is_single) || at.current() == style;
}

Place PlacedText::At(size_t position) const {
  if (points_.empty()) return {};
  const Point& point = points_[std::min(position, points_.size() - 1)];
  return {file_, point.line, point.column};
}

PlacedText PlacedText::Part(size_t begin, size_t end) const {
  PlacedText part;
  part.file_ = file_;
  part.text_ = text_.substr(begin, end - begin);
  part.points_.assign(points_.begin() + begin, points_.begin() + end + 1);
  return part;
}

PlacedText PlacedText::Trimmed() const {
  size_t begin = 0, end = text_.size();
  while (begin < end && IsSpace(text_[begin])) ++begin;
  while (end > begin && IsSpace(text_[end - 1])) --end;
  return Part(begin, end);
}

std::vector<PlacedText> Split(const PlacedText& text, char separator) {
  std::vector<PlacedText> parts;
  for (size_t begin = 0;;) {
    const size_t end = std::min(text.text().find(separator, begin), text.text().size());
    parts.push_back(text.Part(begin, end).Trimmed());
    if (end == text.text().size()) return parts;
    begin = end + 1;
  }
}

}  // namespace onnxport::codegen
