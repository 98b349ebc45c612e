// Serialized TorchScript as a tree: the restricted Python that `torch.jit.save` writes into `code/*.py`.
//
// LibTorch's printer wrote the source from a compiled graph. Early exits are flags, and variable names are unique
// enough. Every operator is spelled `torch.NAME(...)`, `ops.NAMESPACE.NAME(...)` or a method call on a module.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_AST_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_AST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/base/rare.h"

namespace onnxport::torchscript {

// Byte offset into the text of the source file.
using Offset = uint32_t;

enum class ExprKind : uint8_t {
  kNone,
  kBool,
  kInt,
  kFloat,  // also inf and nan as the printer writes them
  kString,
  kName,       // `x`, `CONSTANTS`, `torch`
  kAttribute,  // operands[0] . text, also for `getattr(x, "0")`
  kCall,       // operands[0] ( operands[1..], keywords ); `1.+2.j` is the call `complex(1., 2.)`
  kSubscript,  // operands[0] [ operands[1] ]; in types also a tuple of arguments
  kTuple,
  kList,
  kDict,   // operands: key, value, key, value ...
  kMinus,  // - operands[0], if that is no number: `-1` is a number
  kEllipsis,
};

struct Keyword;
struct Expr;
struct Stmt;
// The memory budget counts it: a tree may be a hundred times as large as its text.
using ExprList = std::vector<Expr, BudgetAllocator<Expr>>;
using StmtList = std::vector<Stmt, BudgetAllocator<Stmt>>;
// Only one pointer in most nodes, because a trace has ten nodes for each call.
template <typename T>
using RareNodes = RareList<T, BudgetAllocator<T>>;

// Each expression is one object, because the interpreter caches facts about it by its address. For example,
// `torch.add(x, y, alpha=2)` is a kCall with the operands [kAttribute `add` of kName `torch`, kName `x`, kName `y`] and
// the keyword alpha, a kInt.
struct Expr {
  Expr() = default;
  Expr(Expr&&) noexcept = default;
  Expr& operator=(Expr&&) noexcept = default;
  Expr(const Expr&) = delete;
  Expr& operator=(const Expr&) = delete;

  ExprKind kind = ExprKind::kNone;
  bool boolean = false;
  Offset offset = 0;
  union {
    int64_t integer = 0;  // of a kInt
    double number;        // of a kFloat
  };
  std::string text;  // of names, attributes, strings
  ExprList operands;
  RareNodes<Keyword> keywords;
};

struct Keyword {
  std::string name;
  Expr value;
};

enum class StmtKind : uint8_t {
  kAssign,      // targets = value; several targets unpack a tuple or a list
  kExpression,  // value, for its effect
  kReturn,      // value
  kIf,          // condition `value`, body, orelse
  kWhile,       // condition `value`, body
  kFor,         // targets in value, body
  kPass,
  kWith,  // value as targets (none or one), body
  kDef,   // a function without parameters, named by its one target, that sees the variables around it: `fork(name)`
};

// `assert c, m` becomes `if c: pass, else: ops.prim.RaiseException(m)`. `raise E(m)` becomes the call that the printer
// uses for it. `del x[i]` becomes the call `torch.Delete(x, i)`.
struct Stmt {
  StmtKind kind = StmtKind::kPass;
  bool unpacks = false;  // `a, = x` unpacks although it has one target
  Offset offset = 0;
  ExprList targets;  // names or attributes
  Expr value;
  RareNodes<Expr> type;  // the type in `x : Optional[Tensor] = value`, or none
  StmtList body;
  StmtList orelse;
};

struct Param {
  std::string name;
  std::optional<Expr> type;
  std::optional<Expr> default_value;
};

using ParamList = std::vector<Param, BudgetAllocator<Param>>;

struct SourceFile;

// A method or a free function; `self` is the first of `params`.
struct Function {
  std::string name;            // "forward"
  std::string qualified_name;  // "__torch__.Net.forward"
  ParamList params;
  std::optional<Expr> return_type;
  StmtList body;
  // For messages; the program that owns the functions owns the files, too.
  const SourceFile* file = nullptr;
  Offset offset = 0;
  Offset end = 0;
  bool recorded = true;  // by a trace, as far as is known
};

struct Field {
  std::string name;
  Expr type;                  // kNone for the members of an enum
  std::optional<Expr> value;  // `groups : Final[int] = 1`, enum members
};

enum class ClassKind : uint8_t { kModule, kClass, kNamedTuple, kEnum, kInterface };

// In the source:
//   class Net(Module):
//     __parameters__ = ["weight", ]
//     __buffers__ = []
//     weight : Tensor
//     fc : __torch__.torch.nn.modules.linear.Linear
//     def forward(self: __torch__.Net,
//       x: Tensor) -> Tensor:
//       fc = self.fc
//       return (fc).forward(x, )
struct Class {
  std::string qualified_name;  // "__torch__.torch.nn.modules.linear.Linear"
  ClassKind kind = ClassKind::kClass;
  std::vector<Field, BudgetAllocator<Field>> fields;  // in the order of the source
  std::vector<std::string> parameters;                // `__parameters__`
  std::vector<std::string> buffers;                   // `__buffers__`
  std::vector<Function, BudgetAllocator<Function>> methods;

  const Function* FindMethod(const std::string& name) const;  // null when absent
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_SYNTAX_AST_H_
