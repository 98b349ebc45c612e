// Generated from spec/. Do not edit: change a spec and build again.
#include <algorithm>
#include <iterator>

#include "runtime/aten/op_traits.h"

namespace onnxport::op_traits {
namespace {

using Kind = Operand::Kind;

{{calls}}

constexpr OpTraits kTraits[] = {
    {{rows}}
};

static_assert(std::ranges::adjacent_find(kTraits, std::ranges::greater_equal(), &OpTraits::op) == std::end(kTraits));

}  // namespace

std::span<const OpTraits> Table() { return kTraits; }

}  // namespace onnxport::op_traits
