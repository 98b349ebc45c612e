#include "runtime/lowering/bindings.h"

#include <span>
#include <utility>

#include "runtime/lowering/emitter.h"

namespace onnxport::lowering {

void Bindings::Bind(ir::ValueId id, Val value) {
  const auto index = static_cast<size_t>(id);
  if (index >= bound_.size()) {
    vals_.resize(index + 1);
    bound_.resize(index + 1);
  }
  vals_[index] = std::move(value);
  bound_[index] = true;
}

void Bindings::BindMissing(ir::ValueId id, std::string reason) {
  Bind(id, Val());
  missing_[id] = std::move(reason);
}

bool Bindings::BindKnownSizes(const ir::Graph& aten, const ir::Node& node) {
  Vals found;
  for (const ir::ValueId id : node.outputs) {
    if (id == ir::ValueId::kNone) return false;
    const ir::Value& value = aten.value(id);
    if (value.kind != ir::ValueKind::kInt || !value.contents || value.contents->size() != 1) return false;
    const ir::Dim& size = value.contents->front();
    if (size.is_number()) {
      found.push_back(size.number());
    } else if (const auto known = emitter_.sizes().Find(size)) {
      found.push_back(Tensor{nullptr, *known});
    } else {
      return false;
    }
  }
  for (size_t i = 0; i < found.size(); ++i) Bind(node.outputs[i], found[i]);
  return !found.empty();
}

Val Bindings::Find(ir::ValueId id) const {
  const auto index = static_cast<size_t>(id);
  if (!Has(id)) throw Refusal("an argument is used before it is computed");
  if (const auto missing = missing_.find(id); missing != missing_.end()) throw Refusal(missing->second);
  return vals_[index];
}

Val Bindings::Constant(const ir::TensorData& data) const {
  std::string bytes;
  data.bytes->Stream([&](std::span<const std::byte> piece) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  return Tensor{nullptr, emitter_.Constant(data.dtype, data.shape, std::move(bytes))};
}

Val Bindings::ToVal(const ir::Arg& arg) const {
  struct Visitor {
    const Bindings& bindings;
    Val operator()(ir::None) const { return {}; }
    Val operator()(bool b) const { return b; }
    Val operator()(int64_t i) const { return i; }
    Val operator()(double d) const { return d; }
    Val operator()(const std::string& s) const { return s; }
    Val operator()(ir::DType d) const { return d; }
    Val operator()(const ir::Word& w) const { return w; }
    Val operator()(ir::ValueId id) const { return bindings.Find(id); }
    Val operator()(const ir::ArgList& list) const {
      Vals out;
      for (const ir::Arg& element : list) out.push_back(bindings.ToVal(element));
      return out;
    }
    Val operator()(const std::shared_ptr<const ir::TensorData>& data) const { return bindings.Constant(*data); }
  };
  return std::visit(Visitor{*this}, arg.v);
}

}  // namespace onnxport::lowering
