// A dimension: a number, an expression over named symbols, or unknown.
#ifndef ONNXPORT_RUNTIME_IR_DIM_H_
#define ONNXPORT_RUNTIME_IR_DIM_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport::ir {

class SymExpr;  // canonical form, immutable: dim.cc

// Inclusive bounds of a symbol; a missing bound is open.
struct Range {
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};
using Ranges = std::map<std::string, Range>;

// A value type. Expressions are kept canonical (sums of products, sorted), so `==` finds that `s0 + s0` equals `2*s0`.
// An unknown dimension equals nothing, not even itself. Copies share their expression, also between threads.
class Dim {
 public:
  Dim() = default;  // unknown
  Dim(int64_t number) : number_(number), expr_(&kIsNumber) {}
  Dim(const Dim& other) : number_(other.number_), expr_(other.expr_) {
    if (is_symbolic()) Hold();
  }
  Dim(Dim&& other) noexcept : number_(other.number_), expr_(std::exchange(other.expr_, nullptr)) {}
  Dim& operator=(Dim other) noexcept {
    std::swap(number_, other.number_);
    std::swap(expr_, other.expr_);
    return *this;
  }
  ~Dim() {
    if (is_symbolic()) Release();
  }
  static Dim Symbol(std::string_view name);
  // Reads sympy's text as torch.export writes it.
  //   `s0`, `2*s0 + 1`, `Max(1, s0)`, `FloorDiv(s0, 2)`, `Mod(s0, 3)`, `(s0//2)`, `Min`, `CeilToInt`, `TruncToInt`,
  //   `PythonMod`, `CleanDiv`, `s0**2` ...
  // Returns nothing, with the reason in *error, for text that it does not know.
  static std::optional<Dim> Parse(std::string_view text, std::string* error);

  bool is_number() const { return expr_ == &kIsNumber; }
  bool is_symbolic() const { return expr_ != nullptr && expr_ != &kIsNumber; }
  bool is_unknown() const { return expr_ == nullptr; }
  int64_t number() const { return number_; }  // is_number() only
  // The name of a single symbol; nothing for another dimension.
  std::optional<std::string> symbol() const;
  std::vector<std::string> symbols() const;  // sorted, unique

  std::string ToString() const;  // "4", "2*s0 + 1", "?"
  // Replaces symbols, and quotients by their text. The result is canonical again.
  Dim Substitute(const std::map<std::string, Dim>& values) const;
  // Bounds that follow from the ranges of the symbols. They may be wider than necessary.
  Range Bounds(const Ranges& ranges) const;

  friend bool operator==(const Dim& a, const Dim& b);
  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  static Dim FloorDiv(const Dim& a, const Dim& b);  // Python's //; unknown for a zero divisor
  static Dim Mod(const Dim& a, const Dim& b);       // Python's %
  static Dim Max(const Dim& a, const Dim& b);
  static Dim Min(const Dim& a, const Dim& b);

 private:
  void Hold() const;
  void Release() const;

  // A graph has more dimensions than anything else, so each takes only two words. An expression counts its holders. The
  // pointer also marks numbers and the unknown.
  static const SymExpr kIsNumber;
  int64_t number_ = 0;
  const SymExpr* expr_ = nullptr;  // null: unknown; kIsNumber: the value is `number_`
  friend class SymExpr;
};
static_assert(sizeof(Dim) == 16);

using Dims = std::vector<Dim>;

// Returns true if each is a number or an expression.
bool AllKnown(const Dims& dims);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_DIM_H_
