// Questions about two tensors: do they fit together, are they equal.
#include <utility>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace tensor_pairs {
namespace {

// For sizes that are known at export, or equal. If they are known only at run time, takes the larger one: if they
// differ, one of them is 1.
std::optional<Value> BroadcastSizes(const CallSite& call) {
  const CellPtr* a = AsList(call.At(0));
  const CellPtr* b = AsList(call.At(1));
  if (a == nullptr || b == nullptr || (*a)->is_dynamic() || (*b)->is_dynamic()) return std::nullopt;
  const ValueList& longer = (*a)->items.size() >= (*b)->items.size() ? (*a)->items : (*b)->items;
  const ValueList& shorter = &longer == &(*a)->items ? (*b)->items : (*a)->items;
  ValueList sizes = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    Value& size = sizes[longer.size() - shorter.size() + i];
    const Value& other = shorter[i];
    const auto is_one = [](const Value& v) { return Equal(v, Value{int64_t{1}}) == true; };
    if (is_one(size)) {
      size = other;
    } else if (!is_one(other) && !Identical(size, other)) {
      if (IsKnownNumber(size) && IsKnownNumber(other))
        throw Refusal::Raised("sizes " + Str(size) + " and " + Str(other) + " do not broadcast");
      size = call.Arithmetic(ir::Instruction::kMax, {size, other});
    }
  }
  return Value{call.heap->NewList(std::move(sizes), {"int", {}})};
}

// The sizes of argument `i`, as a list.
Value Sizes(const CallSite& call, size_t i) {
  ValueList sizes;
  const size_t rank = DimsOf(*TypeOfTensor(call, i)).size();
  for (size_t axis = 0; axis < rank; ++axis) sizes.push_back(SizeOf(call, call.At(i), static_cast<int64_t>(axis)));
  return {call.heap->NewList(std::move(sizes), {"int", {}})};
}

bool AreTensors(const CallSite& call) { return call.As<Tensor>(0) != nullptr && call.As<Tensor>(1) != nullptr; }

// Throws if that is known only at run time.
bool HaveSameSizes(const CallSite& call) {
  const std::optional<bool> same = Equal(Sizes(call, 0), Sizes(call, 1));
  if (!same) throw Refusal("whether the tensors have the same sizes is known only at run time");
  return *same;
}

std::optional<Value> IsSameSize(const CallSite& call) {
  return AreTensors(call) ? std::optional<Value>(Value{HaveSameSizes(call)}) : std::nullopt;
}

Value AllTrue(const CallSite& call, const Value& tensor) {
  return ItemOf(call, call.Run("aten::all", {{tensor.As<Tensor>()->id}}));
}

std::optional<Value> EqualTensors(const CallSite& call) {
  if (!AreTensors(call)) return std::nullopt;
  if (!HaveSameSizes(call)) return Value{false};
  return AllTrue(call, call.Run("aten::eq.Tensor", {{call.As<Tensor>(0)->id}, {call.As<Tensor>(1)->id}}));
}

std::optional<Value> AllClose(const CallSite& call) {
  if (!AreTensors(call)) return std::nullopt;
  const auto tolerance = [&](size_t i, double absent) {
    if (call.At(i).is_none()) return ir::Arg{absent};
    if (!IsKnownNumber(call.At(i))) {
      throw Refusal("a tolerance that is computed in the run; write the comparison as `(a - b).abs() <= tolerance`");
    }
    return ir::Arg{AsDouble(call.At(i))};
  };
  return AllTrue(call, call.Run("aten::isclose", {{call.As<Tensor>(0)->id},
                                                  {call.As<Tensor>(1)->id},
                                                  tolerance(2, 1e-5),
                                                  tolerance(3, 1e-8),
                                                  {call.Bool(4, false)}}));
}

constexpr BuiltinRow kRows[] = {
    {"aten::is_same_size", IsSameSize},
    {"aten::equal", EqualTensors},
    {"aten::allclose", AllClose},
    {"aten::_infer_size", BroadcastSizes},
    {"aten::broadcast_shapes", BroadcastSizes},
};

}  // namespace
}  // namespace tensor_pairs

std::span<const BuiltinRow> TensorPairBuiltins() { return tensor_pairs::kRows; }

}  // namespace onnxport::torchscript
