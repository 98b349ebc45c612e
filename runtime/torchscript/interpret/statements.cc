// Statements other than control flow.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/nesting.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {

Interpreter::Flow Interpreter::ExecuteAll(std::span<const Stmt> body) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Flow flow = Execute(body[i], body.subspan(i + 1));
    if (flow == Flow::kReturn) return flow;
    if (flow == Flow::kRestDone) break;
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::Execute(const Stmt& stmt, std::span<const Stmt> rest) {
  const Nesting nesting(&nesting_);
  CountStep();
  switch (stmt.kind) {
    case StmtKind::kAssign:
      Assign(stmt);
      return Flow::kNext;
    case StmtKind::kExpression:
      Evaluate(stmt.value);
      return Flow::kNext;
    case StmtKind::kReturn:
      if (blocks_ > activation_->blocks)
        BadCode(stmt.value, "`return` inside a branch that a run decides; the compiler writes none");
      activation_->result = Evaluate(stmt.value);
      return Flow::kReturn;
    case StmtKind::kIf:
      return ExecuteIf(stmt, rest);
    case StmtKind::kWhile:
      return ExecuteWhile(stmt);
    case StmtKind::kFor:
      return ExecuteFor(stmt);
    case StmtKind::kWith:
      return ExecuteWith(stmt);
    case StmtKind::kDef:
      Define(stmt);
      return Flow::kNext;
    case StmtKind::kPass:
      return Flow::kNext;
  }
  return Flow::kNext;
}

void Interpreter::Assign(const Stmt& stmt) {
  Value value = Evaluate(stmt.value);
  if (stmt.type.kind != ExprKind::kNone) value = Annotate(TypeFrom(stmt.type), std::move(value), stmt.value);
  if (stmt.targets.size() == 1 && !stmt.unpacks) return AssignTo(stmt.targets[0], std::move(value));
  Unpack(stmt, value);
}

void Interpreter::AssignTo(const Expr& target, Value value) {
  if (target.kind == ExprKind::kName) return activation_->frame.Set(target.text, std::move(value));
  if (target.kind != ExprKind::kAttribute) BadCode(target, "only variables and attributes are assigned to");
  const Value object = Evaluate(target.operands[0]);
  const auto* cell = object.As<CellPtr>();
  if (!cell || (*cell)->kind != Cell::Kind::kObject)
    BadCode(target, fmt::format("{} has no attribute `{}` to set", KindOf(object), target.text));
  heap_.Edit(*cell).attributes[target.text] = Doubted(std::move(value));
}

// Unpacked into as many as an ONNX sequence may or may not have.
Value Interpreter::UnknownLength(const Stmt& stmt) {
  LocateAt(stmt.offset);
  return Failed("", fmt::format("a list whose length a run decides is unpacked into {}, which is wrong for any other "
                                "length; a trace does that to a loop over a tensor: script the loop, or give sizes "
                                "instead of names",
                                stmt.targets.size()));
}

void Interpreter::Unpack(const Stmt& stmt, const Value& value) {
  const size_t count = stmt.targets.size();
  if (const auto* missing = value.As<Missing>()) {
    for (const Expr& target : stmt.targets) AssignTo(target, {*missing});
    return;
  }
  ValueList items;
  const auto* cell = value.As<CellPtr>();
  if (cell) NoteScan(value, 0);
  if (const auto* tuple = value.As<TuplePtr>()) {
    items = (*tuple)->items;
  } else if (cell && (*cell)->kind == Cell::Kind::kList && (*cell)->is_dynamic()) {
    const auto chunked = chunks_.find((*cell)->sequence);
    if (chunked != chunks_.end() && chunked->second == static_cast<int64_t>(count)) {
      for (size_t i = 0; i < count; ++i)
        items.push_back(CallOperator("aten::__getitem__", {{value, {static_cast<int64_t>(i)}}, {}}, stmt.value));
    } else {
      items.assign(count, UnknownLength(stmt));
    }
  } else if (cell && (*cell)->kind == Cell::Kind::kList) {
    items = (*cell)->items;
  } else {
    BadCode(stmt.value, fmt::format("{} cannot be unpacked", KindOf(value)));
  }
  if (items.size() != count)
    throw Refusal::Raised(fmt::format("{}: {} values are unpacked into {}", Place(stmt.offset), items.size(), count));
  for (size_t i = 0; i < count; ++i) AssignTo(stmt.targets[i], std::move(items[i]));
}

// Grad mode and profiler records change no result.
Interpreter::Flow Interpreter::ExecuteWith(const Stmt& stmt) {
  const Value context = Evaluate(stmt.value);
  const auto* cell = context.As<CellPtr>();
  const Class* type = cell && (*cell)->kind == Cell::Kind::kObject ? (*cell)->type : nullptr;
  const Function* enter = type ? type->FindMethod("__enter__") : nullptr;
  const Function* exit = type ? type->FindMethod("__exit__") : nullptr;
  if (!enter || !exit) BadCode(stmt.value, fmt::format("{} is no context manager", KindOf(context)));
  if (type->qualified_name.starts_with("__torch__.torch.autograd.")) {
    if (type->qualified_name.starts_with("__torch__.torch.autograd.profiler."))
      Remark(stmt.offset, "a profiler's record_function is not part of the ONNX model");
    if (!stmt.targets.empty()) AssignTo(stmt.targets[0], context);
    return ExecuteAll(stmt.body);
  }
  Value entered = CallMethod(*cell, *enter, {});
  if (!stmt.targets.empty()) AssignTo(stmt.targets[0], std::move(entered));
  const Flow flow = ExecuteAll(stmt.body);
  CallMethod(*cell, *exit, {{{None{}}, {None{}}, {None{}}}, {}});
  return flow;
}

// The body runs when `fork` calls it, at once; it sees the variables as they are now.
void Interpreter::Define(const Stmt& stmt) {
  activation_->frame.Set(stmt.targets.at(0).text,
                         {FunctionValue{nullptr, &stmt, MakeOwned<const ValueMap>(activation_->frame.Snapshot())}});
}

}  // namespace onnxport::torchscript
