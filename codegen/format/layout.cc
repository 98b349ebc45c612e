#include "codegen/format/layout.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace onnxport::codegen {
namespace {

constexpr int kDeepestAlignment = 60;  // brackets that open further right hang

int Width(std::span<const Piece> pieces) { return static_cast<int>(Flat(pieces).size()); }

// The best place to break is the one that holds least together: at commas before `or`, at `or` before `+`.
Break WeakestBreak(std::span<const Piece> pieces) {
  Break weakest = Break::kNone;
  for (size_t i = 0; i + 1 < pieces.size(); ++i)
    if (pieces[i].after != Break::kNone && (weakest == Break::kNone || pieces[i].after < weakest))
      weakest = pieces[i].after;
  return weakest;
}

// Greedy, level by level: what fits stays on a line; else it is cut at its weakest breaks, and each part is put in the
// same way. Brackets are tried twice, so the cost grows with two to the depth of brackets that do not fit on a line;
// these are few.
class LayoutWriter {
 public:
  explicit LayoutWriter(int column) : column_(column), widest_(column) {}

  const std::string& text() const { return text_; }

  void Put(std::span<const Piece> pieces, int indent, int tail) {
    const Break weakest = WeakestBreak(pieces);
    if (column_ + Width(pieces) + tail <= kMaxColumns)
      Append(Flat(pieces));
    else if (weakest == Break::kNone)
      PutUnbroken(pieces, indent, tail);
    else
      PutSegments(pieces, weakest, indent, tail);
  }

 private:
  void Append(const std::string& text) {
    text_ += text;
    column_ += static_cast<int>(text.size());
    widest_ = std::max(widest_, column_);
  }
  void NewLine(int indent) {
    text_ += "\n" + std::string(indent, ' ');
    column_ = indent;
  }

  void PutSegments(std::span<const Piece> pieces, Break at, int indent, int tail) {
    for (size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
      while (end + 1 < pieces.size() && pieces[end].after != at) ++end;
      ++end;
      const auto segment = pieces.subspan(begin, end - begin);
      const int segment_tail = end == pieces.size() ? tail : 0;
      if (begin > 0) {
        const int space = segment[0].space ? 1 : 0;
        const bool fits = column_ + space + Width(segment) + segment_tail <= kMaxColumns;
        // `else` always begins a line of its own when the whole does not fit: arms should be seen.
        if (fits && at != Break::kElse)
          Append(std::string(space, ' '));
        else
          NewLine(indent);
      }
      Put(segment, begin == 0 && at != Break::kComma ? indent : indent + 2, segment_tail);
    }
  }

  void PutUnbroken(std::span<const Piece> pieces, int indent, int tail) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0 && pieces[i].space) Append(" ");
      PutPiece(pieces[i], indent, i + 1 == pieces.size() ? tail : 1);
    }
  }

  void PutPiece(const Piece& piece, int indent, int tail) {
    Append(piece.text);
    if (piece.close.empty()) return;
    const int close = static_cast<int>(piece.close.size());
    // First aligned behind the bracket; if that gets too wide, hanging four columns deeper than the line, and the
    // narrower of the two is taken.
    LayoutWriter aligned(column_);
    aligned.Put(piece.inner, column_, tail + close);
    if (column_ > kDeepestAlignment || aligned.widest_ > kMaxColumns) {
      LayoutWriter hanging(column_);
      hanging.NewLine(indent + 4);
      hanging.Put(piece.inner, indent + 4, tail + close);
      if (hanging.widest_ < aligned.widest_ || column_ > kDeepestAlignment) aligned = std::move(hanging);
    }
    text_ += aligned.text_;
    column_ = aligned.column_;
    widest_ = std::max(widest_, aligned.widest_);
    Append(piece.close);
  }

  std::string text_;
  int column_;
  int widest_;
};

}  // namespace

std::string Flat(std::span<const Piece> pieces) {
  std::string text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0 && pieces[i].space) text += ' ';
    text += pieces[i].text + Flat(pieces[i].inner) + pieces[i].close;
  }
  return text;
}

std::string Layout(std::span<const Piece> pieces, int column, int indent, int tail) {
  LayoutWriter writer(column);
  writer.Put(pieces, indent, tail);
  return writer.text();
}

int WidestLine(const std::string& text, int column) {
  int widest = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    widest = std::max(widest, column);
  }
  return widest;
}

Pieces SentencePieces(const std::string& text) {
  Pieces pieces;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    pieces.push_back({.text = word, .space = true, .after = Break::kComma, .inner = {}, .close = {}});
  return pieces;
}

}  // namespace onnxport::codegen
