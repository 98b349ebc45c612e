#include "runtime/sources/torchscript/interpret/annotations.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "runtime/sources/torchscript/interpret/values/instance.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

Value Annotations::Annotate(const Expr& type_name, Value value, const Expr& at) {
  const Type& type = evaluator_.TypeFrom(type_name);
  if (value.As<Tensor>() && (type.Is("int") || type.Is("float") || type.Is("bool") || type.Is("number"))) {
    // The code says `x : int = y` for a tensor, and LibTorch converts it implicitly. As a call, the tracer sees it,
    // too.
    const char* op = type.Is("int")     ? "aten::Int"
                     : type.Is("float") ? "aten::Float"
                     : type.Is("bool")  ? "aten::Bool"
                                        : "aten::ScalarImplicit";
    return operators_.Call(op, {{std::move(value)}, {}}, at);
  }
  // Only `annotate(List[int], [])` says which elements the list will have.
  if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->kind == Cell::Kind::kList &&
                                              (*cell)->element.name.empty() && type.Is("List") && !type.args.empty())
    run_.EditHeap().Edit(*cell).element = type.args[0];
  return value;
}

Value Annotations::IsInstance(const Expr& call) {
  const Value value = evaluator_.Evaluate(call.operands[1]);
  if (!IsUsable(value, "the argument of isinstance", &run_)) return Reported("");
  const Expr& types = call.operands[2];
  const bool several = types.kind == ExprKind::kTuple || types.kind == ExprKind::kList;
  std::string open;  // types that the value may have
  for (const Expr& name : several ? std::span<const Expr>(types.operands) : std::span(&types, 1)) {
    const Type type = evaluator_.TypeFrom(name);
    const auto named = run_.program().classes.find(type.name);
    const bool is_interface = named != run_.program().classes.end() && named->second.kind == ClassKind::kInterface;
    const std::optional<bool> is = is_interface ? std::nullopt : IsInstanceOf(value, type, run_.tracer());
    // One type that fits is enough, even if others are unknown.
    if (is == true) return {true};
    if (!is) open += (open.empty() ? "" : ", ") + ToString(type);
  }
  if (open.empty()) return {false};
  return {Missing{.reason = fmt::format("whether {} is an instance of {} is not known at export",
                                        KindName(value, run_.tracer()), open)}};
}

}  // namespace onnxport::torchscript
