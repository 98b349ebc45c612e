#include "runtime/trace/empty_side.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;

struct Comparison {
  std::string_view op;
  int64_t with;
  size_t side;  // that runs when the number is 0
};

constexpr std::array<Comparison, 6> kComparisons = {{{"host::gt", 0, 1},
                                                     {"host::ge", 1, 1},
                                                     {"host::ne", 0, 1},
                                                     {"host::eq", 0, 0},
                                                     {"host::lt", 1, 0},
                                                     {"host::le", 0, 0}}};

const ir::Node* ProducerOf(ValueId id, const ir::Block& block) {
  const auto found = std::find_if(block.nodes.rbegin(), block.nodes.rend(), [id](const ir::Node& node) {
    return std::ranges::find(node.outputs, id) != node.outputs.end();
  });
  return found == block.nodes.rend() ? nullptr : &*found;
}

}  // namespace

std::optional<size_t> EmptySide(Tracer::State* state, const Arg& condition) {
  if (condition.value() == nullptr) return std::nullopt;
  const ir::Node* node = ProducerOf(*condition.value(), state->recorder.block());
  if (node == nullptr || node->inputs.size() != 2 || node->inputs[0].value() == nullptr) return std::nullopt;
  if (state->source.value(*node->inputs[0].value()).kind != ir::ValueKind::kInt) return std::nullopt;
  const auto* with = std::get_if<int64_t>(&node->inputs[1].v);
  const auto found = std::ranges::find_if(kComparisons, [&](const Comparison& comparison) {
    return comparison.op == node->op && with != nullptr && *with == comparison.with;
  });
  return found == kComparisons.end() ? std::nullopt : std::optional(found->side);
}

std::optional<ir::ArgList> EmptyLike(const ir::Value& tensor, const ir::Value& wanted) {
  if (tensor.kind != ir::ValueKind::kTensor || wanted.kind != ir::ValueKind::kTensor) return std::nullopt;
  if (!tensor.dims || !wanted.dims || tensor.dims->size() == wanted.dims->size()) return std::nullopt;
  // With sizes that are known, or named, it is not empty.
  if (tensor.dtype != wanted.dtype || std::ranges::none_of(*tensor.dims, &ir::Dim::is_unknown)) return std::nullopt;
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
