// Puts a text with brackets and operators on lines of limited width.
#ifndef ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_
#define ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_

#include <span>
#include <string>
#include <vector>

namespace onnxport::codegen {

inline constexpr int kMaxColumns = 100;

// Where a line may end, from the places that are best to those that are worst.
enum class Break { kNone, kComma, kElse, kIf, kOr, kAnd, kCompare, kSum, kProduct };

// A word, or a bracket with what stands in it: `Concat(`, the arguments, `)`.
struct Piece {
  std::string text;    // of a bracket: up to where it opens
  bool space = false;  // before it, when it does not begin a line
  Break after = Break::kNone;
  std::vector<Piece> inner;
  std::string close;  // empty: a word
};
using Pieces = std::vector<Piece>;

// On one line.
std::string Flat(std::span<const Piece> pieces);

// On as many lines as needed; the first begins at `column`, the others are indented to `indent` or deeper. `tail`:
// columns to keep free at the end. Lines are longer than kMaxColumns only where nothing can be broken.
std::string Layout(std::span<const Piece> pieces, int column, int indent, int tail);

// The longest line, the first beginning at `column`.
int WidestLine(const std::string& text, int column);

// Words that may be broken at any space.
Pieces SentencePieces(const std::string& text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_LAYOUT_H_
