// PyTorch casts the operands. Its file shows that only in the types of results: a product of float32 matrices is
// bfloat16.
#include "runtime/sources/pt2/replay/autocast.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::DType;
using Args = std::vector<Arg>;

// The dtypes that autocast casts from and to. (It leaves float64 alone.)
bool IsCast(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kBFloat16 || dtype == DType::kFloat16; }

// The dtype that the operands need for the stated results; nothing if they have it, or no dtype would do.
std::optional<DType> OperandDType(trace::Tracer* tracer, const ir::Node& call, const Args& args,
                                  const ir::StatedTypes& stated) {
  tracer->regions().Begin();
  const Args results = Flat(tracer->Call(call.op, args));
  std::optional<DType> dtype;
  bool one = true;
  for (size_t i = 0; i < std::min(results.size(), stated.size()); ++i) {
    const ir::ValueId* made = results[i].value();
    if (made == nullptr || stated[i] == nullptr) continue;
    const DType wanted = stated[i]->dtype;
    if (!IsCast(wanted) || (!tracer->IsFailed(*made) && tracer->TypeOf(*made).dtype == wanted)) continue;
    one = one && dtype.value_or(wanted) == wanted;
    dtype = wanted;
  }
  tracer->regions().End();  // it was only a trial
  return one ? dtype : std::nullopt;
}

Arg WithDType(trace::Tracer* tracer, const Arg& arg, DType dtype) {
  if (arg.list() != nullptr) {
    Args elements;
    for (const Arg& element : *arg.list()) elements.push_back(WithDType(tracer, element, dtype));
    return Arg{std::move(elements)};
  }
  const ir::ValueId* id = arg.value();
  if (id == nullptr || tracer->IsFailed(*id)) return arg;
  const ir::Value& type = tracer->TypeOf(*id);
  if (type.kind != ir::ValueKind::kTensor || !IsCast(type.dtype) || type.dtype == dtype) return arg;
  return CallOne(tracer, "aten::to.dtype", {arg, {dtype}, {false}, {false}, {ir::None()}});
}

}  // namespace

Args Autocast(trace::Tracer* tracer, const ir::Node& call, Args args, const ir::StatedTypes& stated) {
  const std::optional<DType> dtype = OperandDType(tracer, call, args, stated);
  if (dtype) std::ranges::for_each(args, [&](Arg& arg) { arg = WithDType(tracer, arg, *dtype); });
  return args;
}

}  // namespace onnxport::pt2
