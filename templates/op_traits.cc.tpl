// Generated from spec/. Do not edit: change a spec and build again.
#include <algorithm>
#include <array>

#include "runtime/aten/op_traits.h"

namespace onnxport::op_traits {
namespace {

using Kind = Operand::Kind;

{{calls}}

// (GCC 12 takes no constant initializer_list of these.)
constexpr std::array<OpTraits, {{count}}> kTraits = {
    {
        {{rows}}
    },
};

static_assert(std::ranges::adjacent_find(kTraits, std::ranges::greater_equal(), &OpTraits::op) == kTraits.end());

[[maybe_unused]] const bool kAdded = OpTraitsTables::Add({.owner = "{{owner}}", .rows = kTraits});

}  // namespace

}  // namespace onnxport::op_traits
