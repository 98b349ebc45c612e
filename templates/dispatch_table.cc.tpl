// Generated from spec/. Do not edit: change a spec and build again.
#include <algorithm>
#include <array>

#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"

namespace onnxport {

namespace {{namespace}} {

using lowering::Context;
using lowering::Vals;

{{declarations}}

}  // namespace {{namespace}}

namespace lowering {
namespace {

// (GCC 12 takes no constant initializer_list of these.)
constexpr std::array<DispatchRow, {{count}}> kRows = {
    {
        {{rows}}
    },
};

constexpr bool OutOfOrder(const DispatchRow& a, const DispatchRow& b) {
  return a.name > b.name || (a.name == b.name && a.until >= b.since);
}
static_assert(std::ranges::adjacent_find(kRows, OutOfOrder) == kRows.end());

[[maybe_unused]] const bool kAdded = DispatchTables::Add(
    {.owner = "{{owner}}", .rows = kRows, .opsets = {.first = {{first}}, .last = {{last}}}});

}  // namespace
}  // namespace lowering
}  // namespace onnxport
