#include "runtime/sources/pt2/replay/forget_sizes.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace onnxport::pt2 {
namespace {

using ir::ValueId;

class Forgetter {
 public:
  Forgetter(std::span<const ValueId> changed, const std::set<std::string>& symbols, ir::Graph* program)
      : symbols_(symbols), program_(*program), depends_(program->values.size(), false) {
    for (const ValueId id : changed) depends_[static_cast<size_t>(id)] = true;
  }

  void Walk(const ir::Block& block) {
    for (const ir::Node& call : block.nodes) {
      const bool depends = std::ranges::any_of(call.inputs, [&](const ir::Arg& arg) { return Depends(arg); }) ||
                           std::ranges::any_of(call.outputs, [&](ValueId id) { return Depends({id}); });
      for (const ir::Block& inner : call.blocks) depends ? ForgetAll(inner) : Walk(inner);
      if (depends) ForgetAll(call.outputs);
    }
  }

 private:
  bool Depends(const ir::Arg& arg) const {
    if (const ValueId* id = arg.value()) return *id != ValueId::kNone && depends_[static_cast<size_t>(*id)];
    const ir::ArgList* list = arg.list();
    return list != nullptr && std::ranges::any_of(*list, [&](const ir::Arg& element) { return Depends(element); });
  }

  void ForgetAll(const ir::Block& block) {
    ForgetAll(block.inputs);
    for (const ir::Node& call : block.nodes) {
      for (const ir::Block& inner : call.blocks) ForgetAll(inner);
      ForgetAll(call.outputs);
    }
  }

  void ForgetAll(std::span<const ValueId> ids) {
    for (const ValueId id : ids) {
      if (id != ValueId::kNone) Forget(id);
    }
  }

  // If a size is a symbol of the file, it stays this symbol, whatever else changes.
  bool Stays(const ir::Dim& dim) const {
    const auto symbol = dim.symbol();
    return symbol && !symbols_.contains(*symbol);
  }

  void Forget(ValueId id) {
    ir::Value& value = program_.value(id);
    const bool stays = value.kind == ir::ValueKind::kInt && value.contents &&
                       std::ranges::all_of(*value.contents, [&](const ir::Dim& size) { return Stays(size); });
    if (stays) return;
    depends_[static_cast<size_t>(id)] = true;
    value.contents.reset();
    value.strides.reset();
    if (!value.dims) return;
    for (ir::Dim& dim : *value.dims) {
      if (!Stays(dim)) dim = ir::Dim();
    }
  }

  const std::set<std::string>& symbols_;
  ir::Graph& program_;
  std::vector<bool> depends_;  // by value
};

}  // namespace

void ForgetSizes(std::span<const ir::ValueId> changed, const std::set<std::string>& symbols, ir::Graph* program) {
  Forgetter(changed, symbols, program).Walk(program->body);
}

}  // namespace onnxport::pt2
