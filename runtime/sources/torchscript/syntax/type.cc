#include "runtime/sources/torchscript/syntax/type.h"

#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/sources/torchscript/syntax/dotted_name.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

[[noreturn]] void Fail(const Expr& expr) {
  throw Error(onnxport::Code::kBadScript, "`" + ToText(expr) + "` is no type of TorchScript");
}

// `int`, `__torch__.torch.nn.modules.linear.Linear`
std::string TypeName(const Expr& expr) {
  if (expr.kind == ExprKind::kNone) return "NoneType";
  std::string name = DottedName(expr);
  if (name.empty()) Fail(expr);
  return name;
}

// `Tuple[()]`, the type of an empty tuple, has an index without elements, so it has no arguments.
Type NameAndArguments(const Expr& expr) {
  if (expr.kind != ExprKind::kSubscript) return {TypeName(expr), {}};
  Type type{TypeName(expr.operands[0]), {}};
  const Expr& index = expr.operands[1];
  if (index.kind != ExprKind::kTuple) return {type.name, {ToType(index)}};
  for (const Expr& element : index.operands) type.args.push_back(ToType(element));
  return type;
}

// The number of arguments of the generic types; the others have none. Readers of types rely on it.
bool HasItsArguments(const Type& type) {
  // A file may contain `Optional[()]` or `Dict[str]`, and a read of `args[1]` would be out of bounds.
  static constexpr std::pair<std::string_view, size_t> kArities[] = {
      {"Await", 1}, {"Dict", 2}, {"Final", 1}, {"Future", 1}, {"List", 1}, {"Optional", 1}, {"RRef", 1}};
  for (const auto& [name, count] : kArities) {
    if (type.name == name) return type.args.size() == count;
  }
  return type.args.empty() || type.Is("Tuple") || type.Is("Union");
}

}  // namespace

Type ToType(const Expr& expr) {
  Type type = NameAndArguments(expr);
  if (!HasItsArguments(type)) Fail(expr);
  if (!type.Is("Final")) return type;
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
