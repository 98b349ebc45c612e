#include "runtime/lowering/bindings.h"

#include <utility>

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

Val Bindings::Find(ir::ValueId id) const {
  const auto index = static_cast<size_t>(id);
  if (index >= bound_.size() || !bound_[index]) throw Refusal("an argument is used before it is computed");
  return vals_[index];
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
    Val operator()(const std::shared_ptr<const ir::TensorData>&) const {
      throw Refusal("a complex number stands in a list");
    }
  };
  return std::visit(Visitor{*this}, arg.v);
}

}  // namespace onnxport::lowering
