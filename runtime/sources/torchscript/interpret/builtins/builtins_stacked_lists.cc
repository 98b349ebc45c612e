// Stack and cat of lists whose elements are already stacked in a tensor: no sequence is needed.
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace stacked_lists {
namespace {

using ir::ValueId;

int64_t RankOf(const CallSite& call, ValueId tensor) {
  const auto& dims = call.tracer->TypeOf(tensor).dims;
  if (!dims)
    throw Refusal(onnxport::Code::kTypeIsNotKnown,
                  "the rank of the list's elements is not known; the file of torch.export states it");
  return static_cast<int64_t>(dims->size());
}

const CellPtr* StackedTensors(const CallSite& call) {
  const CellPtr* list = AsList(call.At(0));
  const bool fits = list != nullptr && (*list)->stacked != ValueId::kNone && IsTensorElement((*list)->element);
  return fits && (call.size() < 2 || call.As<int64_t>(1) != nullptr) ? list : nullptr;
}

// Moves the axis of the elements to its new place.
Value MoveAxis(const CallSite& call, ValueId tensor, int64_t to) {
  if (to == 0) return {Tensor{tensor}};
  return call.Run("aten::movedim.int", {{tensor}, {int64_t{0}}, {to}});
}

std::optional<Value> Stack(const CallSite& call) {
  const CellPtr* list = StackedTensors(call);
  if (list == nullptr) return std::nullopt;
  const int64_t axis = call.Int(1, 0), rank = RankOf(call, (*list)->stacked);
  return MoveAxis(call, (*list)->stacked, axis < 0 ? axis + rank : axis);
}

std::optional<Value> Cat(const CallSite& call) {
  const CellPtr* list = StackedTensors(call);
  if (list == nullptr) return std::nullopt;
  const int64_t axis = call.Int(1, 0), rank = RankOf(call, (*list)->stacked) - 1;
  if (rank < 1) throw Refusal("tensors without axes cannot be concatenated");
  const int64_t at = axis < 0 ? axis + rank : axis;
  const Value moved = MoveAxis(call, (*list)->stacked, at);
  return call.Run("aten::flatten.using_ints", {{moved.As<Tensor>()->id}, {at}, {at + 1}});
}

constexpr BuiltinRow kRows[] = {{"aten::stack", Stack}, {"aten::cat", Cat}, {"aten::concat", Cat}};

}  // namespace
}  // namespace stacked_lists

std::span<const BuiltinRow> StackedListBuiltins() { return stacked_lists::kRows; }

}  // namespace onnxport::torchscript
