#include "runtime/sources/pt2/replay/tensor_calls.h"

#include <utility>
#include <variant>

namespace onnxport::pt2 {

using ir::Arg;
using Args = std::vector<Arg>;

Arg CallOne(trace::Tracer* tracer, const ir::Operator& op, Args args) {
  const Args results = tracer->Call(op, std::move(args));
  return results.size() == 1 ? results[0] : Arg();
}

Arg AsCondition(trace::Tracer* tracer, Arg arg) {
  const bool tensor = arg.value() != nullptr && tracer->TypeOf(*arg.value()).kind == ir::ValueKind::kTensor;
  return tensor ? CallOne(tracer, "aten::item", {std::move(arg)}) : arg;
}

bool IsBool(const trace::Tracer& tracer, const Arg& arg) {
  if (arg.value() == nullptr) return std::holds_alternative<bool>(arg.v);
  const ir::DType dtype = tracer.TypeOf(*arg.value()).dtype;
  return dtype == ir::DType::kBool || dtype == ir::DType::kUndefined;
}

Arg Iterations(trace::Tracer* tracer, const Args& tensors) {
  if (tensors.empty()) return {tracer->Fail("", "a loop over no tensor")};
  return CallOne(tracer, "aten::sym_size.int", {tensors[0], {int64_t{0}}});
}

Args ElementsOf(trace::Tracer* tracer, const Args& tensors, const Arg& index) {
  Args elements;
  for (const Arg& tensor : tensors) {
    elements.push_back(CallOne(tracer, "aten::select.int", {tensor, {int64_t{0}}, index}));
  }
  return elements;
}

Args RangeOf(trace::Tracer* tracer, const Args& tensors, int64_t start, int64_t end, int64_t step) {
  Args ranges;
  for (const Arg& tensor : tensors) {
    ranges.push_back(CallOne(tracer, "aten::slice.Tensor", {tensor, {int64_t{0}}, {start}, {end}, {step}}));
  }
  return ranges;
}

}  // namespace onnxport::pt2
