// The rest of Regions is in branches.cc, loops.cc and vectorize.cc.
#include "runtime/trace/regions.h"

#include <utility>

#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {

void Regions::Begin() { open_.Begin(); }

ir::ValueId Regions::BlockInput(ir::Value type, const ir::Arg& initial) {
  return open_.BlockInput(std::move(type), initial);
}

ir::ValueId Regions::Settle(ir::ValueId tensor) {
  if (!open_.IsOpen() || values_.IsFailed(tensor) || recorder_.graph().value(tensor).kind != ir::ValueKind::kTensor)
    return tensor;
  const ir::ValueId whole = functionalizer_.aliases().WholeOf(tensor);
  const auto& dims = recorder_.graph().value(whole).dims;
  // LibTorch may treat a 0-d tensor as a number, and another name of it as a tensor.
  if (whole == tensor || !open_.IsOlder(whole) || open_.IsOlder(tensor) || !dims || dims->empty()) return tensor;
  return functionalizer_.Merge(tensor, whole) ? whole : tensor;
}

Region Regions::End() { return open_.End(); }

void Regions::HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result) {
  if (!values_.IsFailed(result)) recorder_.HoldTo(op, stated, result);
}

}  // namespace onnxport::trace
