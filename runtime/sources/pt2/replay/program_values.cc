#include "runtime/sources/pt2/replay/program_values.h"

#include <fmt/format.h>

#include <utility>

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;

ir::StatedTypes ProgramValues::StatedResults(const ir::Node& call) const {
  ir::StatedTypes types;
  types.reserve(call.outputs.size());
  for (const ValueId id : call.outputs) types.push_back(id == ValueId::kNone ? nullptr : &stated(id));
  return types;
}

Arg ProgramValues::Present(const Arg& arg) {
  if (const ValueId* id = arg.value()) {
    if (Of(*id).is_none()) Set(*id, {tracer_.Poison("an argument is used before it is computed")});
    return Of(*id);
  }
  return arg.list() == nullptr ? arg : Arg{Present(*arg.list())};
}

ProgramValues::Args ProgramValues::Present(const Args& args) {
  Args present;
  present.reserve(args.size());
  for (const Arg& arg : args) present.push_back(Present(arg));
  return present;
}

void ProgramValues::Bind(const ir::Node& call, const Args& results) {
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    if (call.outputs[i] != ValueId::kNone) Bind(call, call.outputs[i], i < results.size() ? results[i] : Arg());
  }
}

void ProgramValues::Bind(const ir::Node& call, ValueId id, Arg result) {
  if (result.is_none()) {
    result = {tracer_.Poison(fmt::format("result `{}` of {} is not exported", stated(id).name, call.op))};
  } else if (result.value() != nullptr && stated(id).strides && !at_once_) {
    tracer_.StateStrides(*result.value(), *stated(id).strides);
  }
  if (observer_ && result.value() != nullptr && !tracer_.IsFailed(*result.value())) {
    observer_(call, id, tracer_.TypeOf(*result.value()));
  }
  Set(id, std::move(result));
}

void ProgramValues::HoldTo(const ir::Node& call, ValueId id, const Arg& result) {
  if (id != ValueId::kNone && result.value() != nullptr && !at_once_)
    tracer_.regions().HoldTo(call.op, stated(id), *result.value());
}

ProgramValues::Args ProgramValues::AtOnce(FunctionRef<Args()> make) {
  const bool before = std::exchange(at_once_, true);
  Args results = make();
  at_once_ = before;
  return results;
}

}  // namespace onnxport::pt2
