#include <string>
#include <vector>

#include "runtime/sources/torchscript/syntax/literals.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

std::string Join(const ExprList& elements, size_t begin) {
  std::string text;
  for (size_t i = begin; i < elements.size(); ++i) text += (i == begin ? "" : ", ") + ToText(elements[i]);
  return text;
}

// `List[int]`, `Dict[str, int]`, `Tuple[()]`
std::string IndexText(const Expr& index) {
  const bool is_row = index.kind == ExprKind::kTuple && index.operands.size() > 1;
  return is_row ? Join(index.operands, 0) : ToText(index);
}

std::string CallText(const Expr& call) {
  std::string text = ToText(call.operands[0]) + "(" + Join(call.operands, 1);
  for (size_t i = 0; i < call.keywords.size(); ++i) {
    const auto& [name, value] = call.keywords[i];
    text += (i == 0 && call.operands.size() == 1 ? "" : ", ") + name + "=" + ToText(value);
  }
  return text + ")";
}

std::string DictText(const Expr& dict) {
  std::string text = "{";
  for (size_t i = 0; i + 1 < dict.operands.size(); i += 2) {
    text += (i == 0 ? "" : ", ") + ToText(dict.operands[i]) + ": " + ToText(dict.operands[i + 1]);
  }
  return text + "}";
}

// `1.real` would be the number `1.` followed by a letter, which the lexer refuses.
std::string AttributeText(const Expr& attribute) {
  const std::string object = ToText(attribute.operands[0]);
  if (!IsIdentifier(attribute.text)) return "getattr(" + object + ", " + Quote(attribute.text) + ")";
  const ExprKind kind = attribute.operands[0].kind;
  const bool is_number = kind == ExprKind::kInt || kind == ExprKind::kFloat || kind == ExprKind::kMinus;
  return (is_number ? "(" + object + ")" : object) + "." + attribute.text;
}

std::string Targets(const Stmt& stmt) {
  std::string text = Join(stmt.targets, 0);
  return stmt.unpacks && stmt.targets.size() == 1 ? text + "," : text;
}

std::string BlockText(const StmtList& body, int indent);

std::string StatementText(const Stmt& stmt, int indent) {
  const std::string type = stmt.type.empty() ? "" : " : " + ToText(stmt.type[0]);
  switch (stmt.kind) {
    case StmtKind::kAssign:
      return Targets(stmt) + type + " = " + ToText(stmt.value) + "\n";
    case StmtKind::kExpression:
      return ToText(stmt.value) + "\n";
    case StmtKind::kReturn:
      return "return " + ToText(stmt.value) + "\n";
    case StmtKind::kPass:
      return "pass\n";
    case StmtKind::kIf: {
      std::string text = "if " + ToText(stmt.value) + ":\n" + BlockText(stmt.body, indent + 2);
      // An `elif` is printed as an if within else, as it was parsed.
      if (stmt.orelse.empty()) return text;
      return text + std::string(indent, ' ') + "else:\n" + BlockText(stmt.orelse, indent + 2);
    }
    case StmtKind::kWhile:
      return "while " + ToText(stmt.value) + ":\n" + BlockText(stmt.body, indent + 2);
    case StmtKind::kFor:
      return "for " + Targets(stmt) + " in " + ToText(stmt.value) + ":\n" + BlockText(stmt.body, indent + 2);
    case StmtKind::kWith:
      return "with " + ToText(stmt.value) + (stmt.targets.empty() ? "" : " as " + Targets(stmt)) + ":\n" +
             BlockText(stmt.body, indent + 2);
    case StmtKind::kDef:
      return "def " + Targets(stmt) + "():\n" + BlockText(stmt.body, indent + 2);
  }
  return "";
}

std::string BlockText(const StmtList& body, int indent) {
  std::string text;
  for (const Stmt& stmt : body) text += std::string(indent, ' ') + StatementText(stmt, indent);
  return text;
}

}  // namespace

std::string ToText(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNone:
      return "None";
    case ExprKind::kBool:
      return expr.boolean ? "True" : "False";
    case ExprKind::kInt:
      return std::to_string(expr.integer);
    case ExprKind::kFloat:
      return FloatText(expr.number);
    case ExprKind::kString:
      return Quote(expr.text);
    case ExprKind::kName:
      return expr.text;
    case ExprKind::kAttribute:
      return AttributeText(expr);
    case ExprKind::kCall:
      return CallText(expr);
    case ExprKind::kSubscript:
      return ToText(expr.operands[0]) + "[" + IndexText(expr.operands[1]) + "]";
    case ExprKind::kTuple:
      return "(" + Join(expr.operands, 0) + (expr.operands.size() == 1 ? ",)" : ")");
    case ExprKind::kList:
      return "[" + Join(expr.operands, 0) + "]";
    case ExprKind::kDict:
      return DictText(expr);
    case ExprKind::kMinus:
      // With brackets, because otherwise `-1` for the expression -(1) would be read as a number.
      return "-(" + ToText(expr.operands[0]) + ")";
    case ExprKind::kEllipsis:
      return "...";
  }
  return "";
}

std::string ToText(const Function& function, int indent) {
  std::string text = std::string(indent, ' ') + "def " + function.name + "(";
  for (size_t i = 0; i < function.params.size(); ++i) {
    const Param& param = function.params[i];
    text += (i == 0 ? "" : ", ") + param.name;
    if (param.type) text += ": " + ToText(*param.type);
    if (param.default_value) text += "=" + ToText(*param.default_value);
  }
  text += ')';
  if (function.return_type) text += " -> " + ToText(*function.return_type);
  return text + ":\n" + BlockText(function.body, indent + 2);
}

}  // namespace onnxport::torchscript
