// Generated from spec/. Do not edit: change a spec and build again.
#include <algorithm>
#include <initializer_list>

#include "runtime/aten/op_traits.h"

namespace onnxport::op_traits {
namespace {

using Kind = Operand::Kind;

{{calls}}

constexpr std::initializer_list<OpTraits> kTraits = {
    {{rows}}
};

static_assert(std::ranges::adjacent_find(kTraits, std::ranges::greater_equal(), &OpTraits::op) == kTraits.end());

[[maybe_unused]] const bool kAdded = OpTraitsTables::Add({.owner = "{{owner}}", .rows = kTraits});

}  // namespace

}  // namespace onnxport::op_traits
