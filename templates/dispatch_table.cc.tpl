// Generated from spec/. Do not edit: change a spec and build again.
#include <algorithm>
#include <iterator>

#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"

namespace onnxport {

namespace generated {

using lowering::Context;
using lowering::Vals;

{{declarations}}

}  // namespace generated

namespace lowering {
namespace {

constexpr DispatchRow kRows[] = {
    {{rows}}
};

constexpr bool OutOfOrder(const DispatchRow& a, const DispatchRow& b) {
  return a.name > b.name || (a.name == b.name && a.until >= b.since);
}
static_assert(std::ranges::adjacent_find(kRows, OutOfOrder) == std::end(kRows));

}  // namespace

std::span<const DispatchRow> DispatchTable() { return kRows; }

OpsetRange SupportedOpsets() { return {.first = {{first}}, .last = {{last}}}; }

}  // namespace lowering
}  // namespace onnxport
