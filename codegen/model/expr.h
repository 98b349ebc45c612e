// Expressions of the spec language, after parsing. Plain data.
#ifndef ONNXPORT_CODEGEN_MODEL_EXPR_H_
#define ONNXPORT_CODEGEN_MODEL_EXPR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

enum class ExprKind {
  kNone,    // None, `none` (an absent result)
  kBool,    // bool_value
  kInt,     // int_value
  kFloat,   // float_value (inf, nan included)
  kString,  // text
  kName,    // text: an argument, a let, a dtype word, `pi`
  kCall,    // text: function name; operands: positional; named: keywords. A capitalised name or one with a domain is an
            // ONNX operator
  kList,    // operands
  kDict,    // named: only as the value of a let, spread with `**`
  kComprehension,  // operands[0]: element, operands[1]: iterable, operands[2]?: condition; names: targets
  kStar,           // operands[0]: `*list` in arguments and lists
  kDoubleStar,     // operands[0]: `**dict`; operands[0] is a kName
  kConditional,    // operands: value, condition, otherwise
  kUnary,          // text: "-", "not"; operands[0]
  kBinary,         // text: + - * / // % ** and or == != < <= > >= in "not in"; operands[0], operands[1]
  kIndex,          // operands[0][operands[1]]
  kSlice,          // operands[0][operands[1]:operands[2]]; kNone for an open end
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  ExprKind kind = ExprKind::kNone;
  Place place;  // of the first character (of the operator, for kBinary)
  std::string text;
  bool bool_value = false;
  int64_t int_value = 0;
  double float_value = 0;
  std::vector<ExprPtr> operands;
  std::vector<std::pair<std::string, ExprPtr>> named;
  std::vector<std::string> names;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_EXPR_H_
