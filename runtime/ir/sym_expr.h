// The canonical form of a symbolic Dim: a sum of products with integer coefficients. Internal to dim*.cc.
#ifndef ONNXPORT_RUNTIME_IR_SYM_EXPR_H_
#define ONNXPORT_RUNTIME_IR_SYM_EXPR_H_

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/dim.h"

namespace onnxport::ir {

// A symbol, or a function that cannot be simplified by algebra: FloorDiv, Mod, Max, Min.
struct Atom {
  std::string name;  // of the symbol or function
  Dims args;         // empty for a symbol
  std::string text;  // canonical; atoms are sorted by it
  int depth = 0;     // of nested functions
};
using AtomPtr = std::shared_ptr<const Atom>;

struct Factor {
  AtomPtr atom;
  int power = 1;
};

struct Term {
  int64_t coefficient = 0;
  std::vector<Factor> factors;  // sorted by text, powers > 0; empty: the constant
};

class SymExpr {
 public:
  SymExpr() = default;
  SymExpr(const SymExpr&) = delete;

  // An expression beyond these limits becomes unknown. Real models stay far below, and hostile files cost little.
  static constexpr size_t kMaxTerms = 128;
  static constexpr int kMaxDegree = 64;
  static constexpr int kMaxDepth = 48;
  static constexpr size_t kMaxText = 4096;

  const std::vector<Term>& terms() const { return terms_; }  // highest degree first, never empty
  const std::string& text() const { return text_; }
  int depth() const { return depth_; }

  // Sorts, merges equal products, and drops zeros. Unknown beyond the limits above.
  static Dim Make(std::vector<Term> terms);
  static Dim OfAtom(Atom atom);
  static std::vector<Term> TermsOf(const Dim& dim);  // known dimensions only
  // Returns a / b if there is no remainder; otherwise unknown.
  static Dim ExactQuotient(const Dim& a, const Dim& b);

 private:
  friend class Dim;
  std::vector<Term> terms_;
  std::string text_;
  int depth_ = 0;
  mutable std::atomic<size_t> holders_ = 0;  // dimensions that refer to this expression
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_SYM_EXPR_H_
