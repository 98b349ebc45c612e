#include "runtime/trace/empty_side.h"

#include <algorithm>
#include <array>
#include <utility>

namespace onnxport::trace {
namespace {

using ir::Arg;

struct Comparison {
  ir::Instruction op;
  int64_t with;
  size_t side;  // the side that runs if the number is 0
};

using I = ir::Instruction;
constexpr std::array<Comparison, 6> kComparisons = {
    {{I::kGt, 0, 1}, {I::kGe, 1, 1}, {I::kNe, 0, 1}, {I::kEq, 0, 0}, {I::kLt, 1, 0}, {I::kLe, 0, 0}}};

}  // namespace

std::optional<size_t> EmptySide(const ir::Graph& source, const ir::Operator& op, const std::vector<Arg>& args) {
  if (!op.instruction() || args.size() != 2 || args[0].value() == nullptr) return std::nullopt;
  const auto* with = std::get_if<int64_t>(&args[1].v);
  if (with == nullptr || source.value(*args[0].value()).kind != ir::ValueKind::kInt) return std::nullopt;
  const auto* found = std::ranges::find_if(
      kComparisons, [&](const Comparison& comparison) { return op == comparison.op && comparison.with == *with; });
  return found == kComparisons.end() ? std::nullopt : std::optional(found->side);
}

std::optional<ir::ArgList> EmptyLike(const ir::Value& tensor, const ir::Value& wanted) {
  if (tensor.kind != ir::ValueKind::kTensor || wanted.kind != ir::ValueKind::kTensor) return std::nullopt;
  if (!tensor.dims || !wanted.dims || tensor.dims->size() == wanted.dims->size()) return std::nullopt;
  // If its sizes are all known or named, it is not empty.
  if (tensor.dtype != wanted.dtype || ir::AllKnown(*tensor.dims)) return std::nullopt;
  ir::ArgList shape;
  bool empty = false;
  for (const ir::Dim& dim : *wanted.dims) {
    const int64_t size = dim.is_number() ? dim.number() : std::exchange(empty, true) ? 1 : 0;
    empty = empty || size == 0;
    shape.push_back({size});
  }
  return empty ? std::optional(std::move(shape)) : std::nullopt;
}

}  // namespace onnxport::trace
