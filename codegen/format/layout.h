// Breaks a text with brackets and operators into lines of limited width.
#ifndef ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_
#define ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_

#include <span>
#include <string>
#include <vector>

namespace onnxport::codegen {

inline constexpr int kMaxColumns = 100;

// Places where a line may end, best first.
enum class Break { kNone, kComma, kElse, kIf, kOr, kAnd, kCompare, kSum, kProduct };

// A word, or a bracket with its contents: `Concat(`, the arguments, `)`.
struct Piece {
  std::string text;    // of a bracket: the text up to and with the opening bracket
  bool space = false;  // a space before it, unless it begins a line
  Break after = Break::kNone;
  std::vector<Piece> inner;
  std::string close;  // empty: a word
};
using Pieces = std::vector<Piece>;

// Joins the pieces to one line.
std::string Flat(std::span<const Piece> pieces);

// Lays the pieces out on as many lines as needed. The first begins at `column`, the others are indented to `indent` or
// deeper. `tail` columns stay free at the end. A line is longer than kMaxColumns only if nothing in it can be broken.
std::string Layout(std::span<const Piece> pieces, int column, int indent, int tail);

// The width of the longest line; the first line begins at `column`.
int WidestLine(const std::string& text, int column);

// Splits a sentence into words, with a possible break at each space.
Pieces SentencePieces(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_
