// Expressions of the spec language, after parsing. Plain data.
#ifndef ONNXPORT_CODEGEN_MODEL_EXPR_H_
#define ONNXPORT_CODEGEN_MODEL_EXPR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/operators.h"
#include "codegen/source/diagnostics.h"
#include "runtime/ir/dtype.h"
#include "runtime/lowering/dsl/builtin_table.h"

namespace onnxport::codegen {

using lowering::Builtin;

enum class ExprKind {
  kNone,           // None
  kBool,           // bool_value
  kInt,            // int_value
  kFloat,          // float_value (inf, nan, pi included)
  kString,         // text
  kDType,          // dtype
  kOpset,          // the target's opset
  kName,           // text: an argument, a let, a parameter
  kNode,           // text: an ONNX operator, "Relu" or "com.microsoft.Gelu"; operands: positional; named: keywords
  kBuiltin,        // builtin: a function of the language; operands
  kCall,           // text: a definition; operands
  kList,           // operands
  kDict,           // named: only as the value of a let, spread with `**`
  kComprehension,  // operands[0]: element, operands[1]: iterable, operands[2]?: condition; names: targets
  kStar,           // operands[0]: `*list` in arguments and lists
  kDoubleStar,     // operands[0]: `**dict`; operands[0] is a kName
  kConditional,    // operands: value, condition, otherwise
  kUnary,          // op; operands[0]
  kArithmetic,     // op; operands[0], operands[1], as for the next two
  kComparison,
  kLogic,
  kIndex,  // operands[0][operands[1]]
  kSlice,  // operands[0][operands[1]:operands[2]]; kNone for an open end
  kField,  // operands[0].text: a result of a definition by its name; the loader makes a kIndex of it (load/results.h)
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// Only the fields that the kind names above are set; the others have their defaults. Expressions are shared between an
// entry and its copies for each opset, so nobody changes one: see rewrite.h.
struct Expr {
  ExprKind kind = ExprKind::kNone;
  Place place;       // of the first character (of the operator, when it has two operands)
  std::string text;  // of a number, dtype or opset that a word gives: the word, which may be an argument's name
  bool bool_value = false;
  int64_t int_value = 0;
  double float_value = 0;
  ir::DType dtype = ir::DType::kUndefined;
  Builtin builtin = Builtin::kAbs;
  Operator op = Operator::kNegate;
  std::vector<ExprPtr> operands;
  std::vector<std::pair<std::string, ExprPtr>> named;
  std::vector<std::string> names;

  bool Is(Operator of) const {
    return (kind == ExprKind::kUnary || kind == ExprKind::kArithmetic || kind == ExprKind::kComparison ||
            kind == ExprKind::kLogic) &&
           op == of;
  }
  bool Is(Builtin of) const { return kind == ExprKind::kBuiltin && builtin == of; }
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_EXPR_H_
