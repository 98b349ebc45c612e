#include "runtime/trace/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/join.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;
using ir::ValueKind;

bool State::CheckArgs(const ir::Operator& op, const std::vector<Arg>& args) {
  bool failed = false;
  for (const Arg& arg : args) {
    if (arg.list() != nullptr) failed = CheckArgs(op, *arg.list()) || failed;
    if (arg.value() == nullptr) continue;
    if (const auto found = poison.find(*arg.value()); found != poison.end()) findings.Report(op, found->second);
    failed = failed || IsFailed(*arg.value());
  }
  return failed;
}

// A weight may have other names, and changes in a branch or loop are not visible outside.
bool State::CheckReshape(const ir::Operator& op, const std::vector<Arg>& args) {
  const ValueId* object = args.empty() ? nullptr : args[0].value();
  const ir::AtenSchema* schema = object == nullptr ? nullptr : ir::FindAtenSchema(op);
  if (schema == nullptr || !functionalize::ReshapesInPlace(*schema)) return true;
  const bool older = regions.IsOlder(*object);
  if (!older && !weight_ids.contains(*object)) return true;
  findings.Report(op, fmt::format("changes the shape of {} in place; assign the result of the form without `_` instead",
                                  older ? "a tensor from outside an `if` or loop" : "a weight"));
  return false;
}

// Returns true if the value can be used.
bool State::ReadArg(Arg* arg, const std::string& reader) {
  if (CheckArgs("", {*arg})) return false;
  regions.NoteReads(*arg);
  const size_t reports = findings.reports();
  functionalizer.Read(arg, reader);
  return findings.reports() == reports && !recorder.AnyFailed({*arg});
}

std::optional<std::string> State::WhyUnrolled(const ir::Operator& op, const std::vector<Arg>& args) {
  if (!unrolled.Watches() || args.empty() || !args[0].value()) return std::nullopt;
  const ir::Value& self = TypeOfValue(*args[0].value());
  if (!self.dims) return std::nullopt;
  const auto number_of = [this](const Arg& arg) {
    if (const auto* number = std::get_if<int64_t>(&arg.v)) return ir::Dim(*number);
    const ir::Value* type = arg.value() == nullptr ? nullptr : &TypeOfValue(*arg.value());
    const bool known =
        type != nullptr && type->kind == ValueKind::kInt && type->contents && type->contents->size() == 1;
    return known ? type->contents->front() : ir::Dim();
  };
  return unrolled.Why(op, args, *self.dims, number_of);
}

std::optional<size_t> State::EmptySide(ValueId condition) const {
  const auto found = empty_sides.find(condition);
  return found == empty_sides.end() ? std::nullopt : std::optional(found->second);
}

bool State::IsFailed(ValueId id) {
  if (recorder.IsFailed(id)) return true;
  if (!ir::HoldsTensors(source.value(id).kind)) return false;
  const auto value = aliases.Peek(id);
  return recorder.IsFailed(value ? *value : aliases.ValueOfBase(aliases.BaseOf(id)));
}

const ir::Value& State::TypeOfValue(ValueId id) {
  const ir::Value& type = source.value(aliases.NameOf(id));
  if (type.kind != ValueKind::kTensor || recorder.IsFailed(id)) return type;
  const auto value = aliases.Peek(id);
  if (value && !recorder.IsFailed(*value)) return source.value(*value);
  if (!type.contents) return type;
  ir::Value& stale = stale_types[id];
  stale = type;
  stale.contents.reset();
  return stale;
}

std::optional<ir::Value> State::TypeOf(const Arg& arg) {
  if (arg.value() != nullptr) return TypeOfValue(*arg.value());
  return ir::TypeOfNumber(arg);
}

}  // namespace onnxport::trace
