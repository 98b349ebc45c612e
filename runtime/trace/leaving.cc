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

Leaver Leaving::Leave(const Arg& arg) {
  Leaver leaver;
  leaver.arg = arg;
  const ValueId* id = arg.value();
  if (id == nullptr) {
    leaver.type = ir::TypeOfNumber(arg);
    return leaver;
  }
  leaver.poison = values_.WhyPoison(*id);
  leaver.failed = values_.IsFailed(*id);
  if (leaver.failed) return leaver;
  if (ir::HoldsTensors(recorder_.graph().value(*id).kind)) {
    leaver.bases = aliases_.BasesAround(*id);
    leaver.row_major = layouts_.IsRowMajor(aliases_.NameOf(*id));
    leaver.overlaps = functionalizer_.MayOverlap(*id);
  }
  leaver.failed = !reader_.Read(&leaver.arg, "the end of a branch or loop");
  if (!leaver.failed) leaver.type = recorder_.graph().value(*leaver.arg.value());
  return leaver;
}

Leaver Leaving::LeaveBase(ValueId base) {
  const ValueId value = aliases_.ValueOfBase(base);
  Leaver leaver;
  leaver.arg = {value};
  leaver.type = recorder_.graph().value(value);
  leaver.failed = recorder_.IsFailed(value);
  return leaver;
}

void Leaving::FindIdentities(const Arg& arg, Leaver* leaver) {
  const bool shares =
      arg.value() != nullptr && !leaver->failed && ir::HoldsTensors(recorder_.graph().value(*arg.value()).kind);
  leaver->identities.emplace();
  if (!shares || leaver->bases.empty()) return;
  leaver->identities = aliases_.Identities(*arg.value(), [&](ValueId id) { return open_.IsFromOutside(id); });
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
