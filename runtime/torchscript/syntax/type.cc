#include "runtime/torchscript/syntax/type.h"

#include "runtime/ir/error.h"
#include "runtime/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

[[noreturn]] void Fail(const Expr& expr) {
  throw Error(ErrorKind::kBadInput, "`" + ToText(expr) + "` is no type of TorchScript");
}

// `__torch__.torch.nn.modules.linear.Linear`
std::string DottedName(const Expr& expr) {
  if (expr.kind == ExprKind::kName) return expr.text;
  if (expr.kind == ExprKind::kNone) return "NoneType";
  if (expr.kind != ExprKind::kAttribute) Fail(expr);
  return DottedName(expr.operands[0]) + "." + expr.text;
}

}  // namespace

Type ToType(const Expr& expr) {
  if (expr.kind != ExprKind::kSubscript) return {DottedName(expr), {}};
  Type type{DottedName(expr.operands[0]), {}};
  const Expr& index = expr.operands[1];
  if (index.kind == ExprKind::kTuple) {
    for (const Expr& element : index.operands) type.args.push_back(ToType(element));
  } else {
    type.args.push_back(ToType(index));
  }
  if (type.name != "Final") return type;
  if (type.args.size() != 1) Fail(expr);
  Type inner = std::move(type.args[0]);
  return inner;
}

std::string ToString(const Type& type) {
  if (type.args.empty()) return type.name == "Tuple" ? "Tuple[()]" : type.name;
  std::string text = type.name + "[";
  for (size_t i = 0; i < type.args.size(); ++i) text += (i == 0 ? "" : ", ") + ToString(type.args[i]);
  return text + "]";
}

}  // namespace onnxport::torchscript
