#include "runtime/trace/values.h"

#include "runtime/ir/join.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

const ir::Value& Values::TypeOfValue(ValueId id) {
  const ir::Value& type = source().value(aliases_.NameOf(id));
  if (type.kind != ir::ValueKind::kTensor || recorder_.IsFailed(id)) return type;
  const auto value = aliases_.Peek(id);
  if (value && !recorder_.IsFailed(*value)) return source().value(*value);
  if (!type.contents) return type;
  ir::Value& stale = stale_types_[id];
  stale = type;
  stale.contents.reset();
  return stale;
}

std::optional<ir::Value> Values::TypeOf(const Arg& arg) {
  if (arg.value() != nullptr) return TypeOfValue(*arg.value());
  return ir::TypeOfNumber(arg);
}

bool Values::IsFailed(ValueId id) {
  if (recorder_.IsFailed(id)) return true;
  if (!ir::HoldsTensors(source().value(id).kind)) return false;
  const auto value = aliases_.Peek(id);
  return recorder_.IsFailed(value ? *value : aliases_.ValueOfBase(aliases_.BaseOf(id)));
}

bool Values::CheckArgs(const ir::Operator& op, const std::vector<Arg>& args) {
  bool failed = false;
  for (const Arg& arg : args) {
    if (arg.list() != nullptr) failed = CheckArgs(op, *arg.list()) || failed;
    if (arg.value() == nullptr) continue;
    if (const auto found = poison_.find(*arg.value()); found != poison_.end())
      recorder_.findings().Report(op, found->second);
    failed = failed || IsFailed(*arg.value());
  }
  return failed;
}

ValueId Values::Poison(const Reason& reason) {
  const ValueId id = recorder_.AddFailed();
  poison_.insert_or_assign(id, reason);
  return id;
}

std::optional<Reason> Values::WhyPoison(ValueId id) const {
  const auto found = poison_.find(id);
  return found == poison_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> Values::EmptySideOf(ValueId condition) const {
  const auto found = empty_sides_.find(condition);
  return found == empty_sides_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace onnxport::trace
