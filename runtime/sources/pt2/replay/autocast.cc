// Calls made while torch.autocast is on. PyTorch casts their operands, and its file shows that in what it states of the
// results only: a product of float32 matrices that is bfloat16.
#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/sources/pt2/replay/player.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::DType;

// What autocast casts between. (float64 it leaves alone.)
bool IsCast(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kBFloat16 || dtype == DType::kFloat16; }

}  // namespace

// The dtype that the operands must have for the stated results; nothing when they have it, or none would do.
std::optional<DType> Player::AutocastDType(const ir::Node& call, const Args& args) {
  tracer_.Begin();
  const Args results = Flat(tracer_.Call(call.op, args));
  std::optional<DType> dtype;
  bool one = true;
  for (size_t i = 0; i < std::min(results.size(), call.outputs.size()); ++i) {
    const ir::ValueId* made = results[i].value();
    if (made == nullptr || call.outputs[i] == ir::ValueId::kNone) continue;
    const DType stated = queue_.value(call.outputs[i]).dtype;
    if (!IsCast(stated) || (!tracer_.IsFailed(*made) && tracer_.TypeOf(*made).dtype == stated)) continue;
    one = one && dtype.value_or(stated) == stated;
    dtype = stated;
  }
  tracer_.End();  // it was only tried
  return one ? dtype : std::nullopt;
}

Arg Player::WithDType(const Arg& arg, DType dtype) {
  if (arg.list() != nullptr) {
    Args elements;
    for (const Arg& element : *arg.list()) elements.push_back(WithDType(element, dtype));
    return Arg{std::move(elements)};
  }
  const ir::ValueId* id = arg.value();
  if (id == nullptr || tracer_.IsFailed(*id)) return arg;
  const ir::Value& type = tracer_.TypeOf(*id);
  if (type.kind != ir::ValueKind::kTensor || !IsCast(type.dtype) || type.dtype == dtype) return arg;
  return CallOne("aten::to.dtype", {arg, {dtype}, {false}, {false}, {ir::None()}});
}

Player::Args Player::Autocast(const ir::Node& call, Args args) {
  const std::optional<DType> dtype = AutocastDType(call, args);
  if (dtype) std::ranges::for_each(args, [&](Arg& arg) { arg = WithDType(arg, *dtype); });
  return args;
}

}  // namespace onnxport::pt2
