#include "runtime/lowering/call.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/aten/schema_questions.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/host/host_ops.h"

namespace onnxport::lowering {
namespace {

Vals Dispatch(Emitter* emitter, const ir::Operator& op, Vals args) {
  Context context(emitter, std::move(args));
  if (const auto instruction = ir::InstructionOf(op)) return {Execute(context, *instruction)};
  const DispatchRow* row = FindRow(op, emitter->opset());
  if (row == nullptr || row->refusal || !ClaimedTwice(op).empty()) throw Refusal(*WhyNever(op, emitter->opset()));
  return row->function(context);
}

}  // namespace

std::optional<Reason> WhyNever(const ir::Operator& op, int opset) {
  if (ir::InstructionOf(op)) return std::nullopt;
  if (const std::string places = ClaimedTwice(op); !places.empty()) {
    return fmt::format("two sets of operators say how to export it, at {}; make one of both", places);
  }
  if (const DispatchRow* row = FindRow(op, opset))
    return row->refusal ? std::optional(Reason(Code::kRefusedBySpec, row->refusal)) : std::nullopt;
  const auto rows = RowsOf(op);
  if (rows.empty()) return Reason(Code::kUnsupportedOperator, "no spec says how to export it");
  std::string ranges;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].refusal) continue;
    const int first = rows[i].since;
    while (i + 1 < rows.size() && !rows[i + 1].refusal && rows[i + 1].since == rows[i].until + 1) ++i;
    if (!ranges.empty()) ranges += ", ";
    ranges += first == rows[i].until ? fmt::format("{}", first) : fmt::format("{} to {}", first, rows[i].until);
  }
  if (ranges.empty()) return Reason(Code::kRefusedBySpec, rows[0].refusal);
  return Reason(Code::kNotAtThisOpset, fmt::format("opset {} cannot express it; the spec covers {}", opset, ranges));
}

Vals LowerCall(Emitter* emitter, const ir::Operator& op, Vals args) {
  const size_t depth = emitter->blocks().depth();
  try {
    return Dispatch(emitter, op, std::move(args));
  } catch (const Refusal&) {
    emitter->blocks().CloseTo(depth);
    throw;
  }
}

}  // namespace onnxport::lowering
