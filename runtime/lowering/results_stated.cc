// The types that the file states for results.
#include <fmt/format.h>

#include <string>

#include "runtime/lowering/build/args.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/results.h"
#include "runtime/lowering/stated_dims.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;

// Any of the three may be wrong. For some losses whose input and target differ in dtype, torch.export states another
// dtype than its program returns (findings/pytorch_export_states_a_dtype_that_does_not_come.sh).
void Results::Contradict(const std::string& how) const {
  state_.contradicted = true;
  throw Refusal(
      Code::kContradictsFile,
      how +
          "; the file is damaged, torch.export states it wrongly (so of losses whose input and target differ in "
          "dtype: cast one of them), or this is our mistake: please report it then");
}

void Results::Contradiction(const ir::Value& made, const ir::Value& stated, std::string_view what) const {
  const DispatchRow* row = FindRow(op_, emitter_.opset());
  Contradict(fmt::format("{} gives {}, the source says {}: {}", row ? row->spec : "the host evaluator", TypeText(made),
                         TypeText(stated), what));
}

void Results::HoldTo(const ir::Value& stated, ValueId made) {
  const ir::Value& value = emitter_.value(made);
  if (stated.dtype != DType::kUndefined && stated.dtype != value.dtype) {
    Contradiction(value, stated, "the dtypes differ");
  }
  CheckDims(value, stated);
  emitter_.Refine(made, stated);
}

// Returns true if the symbol may also be another number. For one known only at run time (u0), a file may know more than
// its range.
bool Results::IsFree(const ir::Dim& dim, int64_t number) const {
  const auto symbol = dim.symbol();
  if (!symbol || IsUnbacked(*symbol)) return false;
  const auto range = emitter_.graph().ranges.find(*symbol);
  if (range == emitter_.graph().ranges.end()) return false;
  return range->second.min != number || range->second.max != number;
}

void Results::CheckDims(const ir::Value& made, const ir::Value& stated) const {
  if (!made.dims || !stated.dims) return;
  if (made.dims->size() != stated.dims->size()) Contradiction(made, stated, "the ranks differ");
  for (size_t i = 0; i < made.dims->size(); ++i) {
    const ir::Dim& is = (*made.dims)[i];
    const ir::Dim& should = (*stated.dims)[i];
    if ((is.is_symbolic() || should.is_number()) && NeverEqual(is, should, emitter_)) {
      Contradiction(made, stated, fmt::format("dimension {} differs", i));
    }
    if (should.is_number() && IsFree(is, should.number())) {
      Contradiction(made, stated, fmt::format("dimension {} is free", i));
    }
    if (!is.is_number() || should.is_unknown()) continue;
    if (should.is_symbolic() && !AgreesWith(should, is.number(), emitter_.graph().ranges)) {
      throw Refusal(Code::kAxisIsFixed,
                    fmt::format("dimension {} of the result is `{}`, which must stay free, but would be fixed at {}", i,
                                should.ToString(), is.number()));
    }
  }
}

// A stated size must equal the computed one, if both are known.
void Results::CheckSize(const ir::Value& stated, const ir::Dim& made) const {
  const auto& contents = stated.contents;
  if (!contents || contents->size() != 1) return;
  if (NeverEqual(made, contents->front(), emitter_)) {
    Contradict(fmt::format("{} is {}, the source says {}", op_, made.ToString(), contents->front().ToString()));
  }
}

}  // namespace onnxport::lowering
