// Executes statements other than branches and loops. A side of a branch decided at run time may go on to the end of its
// block (kRestDone). Then the later statements were executed in both sides, and are not executed again.
#include "runtime/sources/torchscript/interpret/statements.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "runtime/sources/torchscript/interpret/builtins/wrapped_numbers.h"
#include "runtime/sources/torchscript/interpret/holders.h"
#include "runtime/sources/torchscript/interpret/nesting.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {

Flow Statements::ExecuteAll(std::span<const Stmt> body) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Flow flow = Execute(body[i], body.subspan(i + 1));
    if (flow == Flow::kReturn) return flow;
    if (flow == Flow::kRestDone) break;
  }
  return Flow::kNext;
}

Flow Statements::Execute(const Stmt& stmt, std::span<const Stmt> rest) {
  const Nesting nesting = run_.Nest();
  run_.CountStep();
  switch (stmt.kind) {
    case StmtKind::kAssign:
      Assign(stmt);
      return Flow::kNext;
    case StmtKind::kExpression:
      evaluator_.Evaluate(stmt.value);
      return Flow::kNext;
    case StmtKind::kReturn:
      return Return(stmt);
    case StmtKind::kIf:
      return branches_.Execute(stmt, rest);
    case StmtKind::kWhile:
      return loops_.ExecuteWhile(stmt);
    case StmtKind::kFor:
      return loops_.ExecuteFor(stmt);
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

Flow Statements::Return(const Stmt& stmt) {
  // LibTorch moves returns out of branches. Here only one of the two sides would return.
  if (run_.blocks() > run_.calls().top().blocks)
    BadCode(stmt.value, "`return` inside a branch decided at run time; the compiler writes none", run_);
  run_.EditCalls().EditTop().result = evaluator_.Evaluate(stmt.value);
  return Flow::kReturn;
}

void Statements::Assign(const Stmt& stmt) {
  Value value = evaluator_.Evaluate(stmt.value);
  if (!stmt.type.empty()) value = annotations_.Annotate(stmt.type[0], std::move(value), stmt.value);
  if (stmt.targets.size() == 1 && !stmt.unpacks) return AssignTo(stmt.targets[0], std::move(value));
  Unpack(stmt, value);
}

void Statements::AssignTo(const Expr& target, Value value) {
  if (target.kind == ExprKind::kName) return run_.EditFrame().Set(target.text, std::move(value));
  if (target.kind != ExprKind::kAttribute) BadCode(target, "only variables and attributes are assigned to", run_);
  const Value object = evaluator_.Evaluate(target.operands[0]);
  const auto* cell = object.As<CellPtr>();
  if (!cell || (*cell)->kind != Cell::Kind::kObject)
    BadCode(target, fmt::format("{} has no attribute `{}` to set", KindOf(object), target.text), run_);
  if (!CheckTies(**cell, target.offset, &run_)) return;
  run_.EditHeap().Edit(*cell).attributes[target.text] = Doubted(std::move(value));
}

void Statements::Unpack(const Stmt& stmt, const Value& value) {
  if (const auto* missing = value.As<Missing>()) {
    // The failed computation was reported. Code that uses a target fails silently, and the walk continues.
    for (const Expr& target : stmt.targets) AssignTo(target, {*missing});
    return;
  }
  ValueList items = ItemsOf(stmt, value);
  const size_t count = stmt.targets.size();
  if (items.size() != count) {
    throw Refusal::Raised(
        fmt::format("{}: {} values are unpacked into {}", run_.calls().Place(stmt.offset), items.size(), count));
  }
  for (size_t i = 0; i < count; ++i) AssignTo(stmt.targets[i], std::move(items[i]));
}

ValueList Statements::ItemsOf(const Stmt& stmt, const Value& value) {
  if (const auto* tuple = value.As<TuplePtr>()) return (*tuple)->items;
  const CellPtr* list = AsList(value);
  if (!list) BadCode(stmt.value, fmt::format("{} cannot be unpacked", KindOf(value)), run_);
  scans_.NoteRead(value);
  return (*list)->is_dynamic() ? ItemsOfDynamic(stmt, value) : (*list)->items;
}

// As many as there are targets, because the length of a sequence is unknown. torch.chunk gives the requested number.
ValueList Statements::ItemsOfDynamic(const Stmt& stmt, const Value& list) {
  const auto count = static_cast<int64_t>(stmt.targets.size());
  if (auto chunks = operators_.Chunks(**list.As<CellPtr>(), count, stmt.value)) return *std::move(chunks);
  LocateAt(stmt.offset, &run_);
  const std::string why = fmt::format(
      "a list whose length is decided at run time is unpacked into {}, which is wrong for any other length; a trace "
      "does that to a loop over a tensor: script the loop, or give sizes instead of names. In a script, read the "
      "elements by their places (`a = xs[0]`)",
      count);
  return ValueList(stmt.targets.size(), Failed(why, &run_));
}

// Grad mode and profiler records do not change a result.
Flow Statements::ExecuteWith(const Stmt& stmt) {
  const Value context = evaluator_.Evaluate(stmt.value);
  const auto* cell = context.As<CellPtr>();
  const Class* type = cell && (*cell)->kind == Cell::Kind::kObject ? (*cell)->type : nullptr;
  const Function* enter = type ? type->FindMethod("__enter__") : nullptr;
  const Function* exit = type ? type->FindMethod("__exit__") : nullptr;
  if (!enter || !exit) BadCode(stmt.value, fmt::format("{} is no context manager", KindOf(context)), run_);
  if (type->qualified_name.starts_with("__torch__.torch.autograd.")) {
    if (type->qualified_name.starts_with("__torch__.torch.autograd.profiler."))
      Remark(stmt.offset, "a profiler's record_function is not part of the ONNX model", &run_);
    if (!stmt.targets.empty()) AssignTo(stmt.targets[0], context);
    return ExecuteAll(stmt.body);
  }
  Value entered = caller_.CallMethod(*cell, *enter, {});
  if (!stmt.targets.empty()) AssignTo(stmt.targets[0], std::move(entered));
  const Flow flow = ExecuteAll(stmt.body);
  caller_.CallMethod(*cell, *exit, {{{None{}}, {None{}}, {None{}}}, {}});
  return flow;
}

// `fork` calls the body at once, so it sees the variables as they are now.
void Statements::Define(const Stmt& stmt) {
  run_.EditFrame().Set(stmt.targets.at(0).text,
                       {FunctionValue{nullptr, &stmt, MakeOwned<const ValueMap>(run_.frame().Snapshot())}});
}

}  // namespace onnxport::torchscript
