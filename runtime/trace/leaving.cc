#include "runtime/trace/leaving.h"

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "runtime/ir/join.h"
#include "runtime/ir/location.h"

namespace onnxport::trace {

using ir::Arg;
using ir::ValueId;

Leaver Leave(State* state, const Arg& arg) {
  Leaver leaver;
  leaver.arg = arg;
  const ValueId* id = arg.value();
  if (id == nullptr) {
    leaver.type = ir::TypeOfNumber(arg);
    return leaver;
  }
  const auto poison = state->poison.find(*id);
  if (poison != state->poison.end()) leaver.poison = poison->second;
  leaver.failed = state->IsFailed(*id);
  if (leaver.failed) return leaver;
  if (ir::HoldsTensors(state->source.value(*id).kind)) {
    leaver.bases = state->aliases.BasesAround(*id);
    leaver.row_major = state->layouts.IsRowMajor(state->aliases.NameOf(*id));
  }
  leaver.failed = !state->ReadArg(&leaver.arg, "the end of a branch or loop");
  if (!leaver.failed) leaver.type = state->source.value(*leaver.arg.value());
  return leaver;
}

Leaver LeaveBase(State* state, ValueId base) {
  const ValueId value = state->aliases.ValueOfBase(base);
  Leaver leaver;
  leaver.arg = {value};
  leaver.type = state->source.value(value);
  leaver.failed = state->recorder.IsFailed(value);
  return leaver;
}

void FindIdentities(State* state, const Arg& arg, Leaver* leaver) {
  const bool shares =
      arg.value() != nullptr && !leaver->failed && ir::HoldsTensors(state->source.value(*arg.value()).kind);
  leaver->identities.emplace();
  if (!shares || leaver->bases.empty()) return;
  leaver->identities =
      state->aliases.Identities(*arg.value(), [&](ValueId id) { return state->regions.IsFromOutside(id); });
}

bool SameConstant(const Arg& a, const Arg& b) {
  if (a.v.index() != b.v.index()) return false;
  return std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, double>) {
          return std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(std::get<T>(b.v));
        } else if constexpr (std::is_same_v<T, ValueId> || std::is_same_v<T, ir::ArgList> ||
                             std::is_same_v<T, std::shared_ptr<const ir::TensorData>>) {
          return false;
        } else {
          return value == std::get<T>(b.v);
        }
      },
      a.v);
}

void Linker::Link(ValueId result, const std::vector<ValueId>& bases) {
  for (const ValueId base : bases) {
    if (static_cast<size_t>(base) < mark_) {
      aliases_.AddMaybe(result, base);
      continue;
    }
    const auto [found, is_new] = first_.try_emplace(base, result);
    if (!is_new && found->second != result) aliases_.AddMaybe(result, found->second);
  }
}

std::string Here(const record::Places& places, const char* what) {
  return what + ir::InParentheses(places.At(places.current()));
}

}  // namespace onnxport::trace
