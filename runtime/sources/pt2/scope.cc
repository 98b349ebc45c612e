#include "runtime/sources/pt2/scope.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport::pt2 {

ir::ValueId Scope::Define(std::string_view name, ir::ValueKind kind, const Json& where) {
  ir::Value value;
  value.name = std::string(name);
  value.kind = kind;
  // A number has its type at once. A tensor gets its type when the file states it; CheckTypes finds tensors without a
  // type.
  if (kind != ir::ValueKind::kTensor) value.dims = ir::Dims();
  if (kind == ir::ValueKind::kInt) value.dtype = ir::DType::kInt64;
  if (kind == ir::ValueKind::kBool) value.dtype = ir::DType::kBool;
  if (kind == ir::ValueKind::kFloat) value.dtype = ir::DType::kFloat64;
  const ir::ValueId id = graph_->AddValue(std::move(value));
  Bind(name, {id}, where);
  return id;
}

void Scope::Bind(std::string_view name, ir::Arg arg, const Json& where) {
  if (name.empty()) where.Fail("a value without a name");
  if (!names_.Add(name, std::move(arg)).second) {
    where.Fail("the name '" + Printable(name) + "' is given twice");
  }
}

const ir::Arg& Scope::Find(std::string_view name, const Json& where) const {
  const ir::Arg* found = names_.Find(name);
  if (found == nullptr) where.Fail("'" + Printable(name) + "' is used before it is made");
  return *found;
}

ir::ValueId Scope::DefineArgument(const Json& argument) {
  const Json choice = argument.Choice();
  const std::string_view kind = choice.key();
  if (kind == "as_none") return ir::ValueId::kNone;
  if (kind == "as_tensor") return Define(choice["name"].AsText(), ir::ValueKind::kTensor, choice);
  if (kind == "as_sym_int") return Define(choice["as_name"].AsText(), ir::ValueKind::kInt, choice);
  if (kind == "as_sym_float") return Define(choice["as_name"].AsText(), ir::ValueKind::kFloat, choice);
  if (kind == "as_sym_bool") return Define(choice["as_name"].AsText(), ir::ValueKind::kBool, choice);
  if (kind == "as_optional_tensor") {
    const Json inner = choice.Choice();
    return inner.key() == "as_none" ? ir::ValueId::kNone
                                    : Define(inner["name"].AsText(), ir::ValueKind::kTensor, inner);
  }
  choice.FailUnknown("a value of a kind that is not supported here: " + Printable(kind));
}

// Null for a name that stands for a number (Bind), and for one that no call made.
const ir::ValueId* Scope::Made(std::string_view name) const {
  const ir::Arg* found = names_.Find(name);
  return found == nullptr ? nullptr : found->value();
}

void Scope::SetTensor(std::string_view name, const Json& meta, MetaReader* metas) {
  const ir::ValueId* id = Made(name);
  if (id == nullptr || graph_->value(*id).kind != ir::ValueKind::kTensor) return;
  try {
    TensorMeta tensor = metas->ReadTensor(meta);
    SetDevice(*id, tensor.device);
    ir::Value& value = graph_->value(*id);
    value.dtype = tensor.dtype;
    value.dims = std::move(tensor.sizes);
    value.strides = std::move(tensor.strides);
  } catch (const Error& error) {
    throw error.Behind("tensor '" + Printable(name) + "': ");
  }
}

void Scope::SetSymInt(std::string_view name, const Json& value, MetaReader* metas) {
  const ir::ValueId* id = Made(name);
  if (id == nullptr || graph_->value(*id).kind != ir::ValueKind::kInt) return;
  graph_->value(*id).contents = ir::Dims{metas->ReadDim(value)};
}

void Scope::SetDevice(ir::ValueId value, std::string_view name) {
  const auto number = static_cast<uint32_t>(devices_->numbers.size() + 1);
  const auto at = static_cast<size_t>(value);
  if (devices_->of_values.size() <= at) devices_->of_values.resize(at + 1);
  devices_->of_values[at] = *devices_->numbers.Add(name, number).first;
}

uint32_t Scope::DeviceOf(ir::ValueId value) const {
  const auto at = static_cast<size_t>(value);
  return at < devices_->of_values.size() ? devices_->of_values[at] : 0;
}

bool Scope::OnDifferentDevices(ir::ValueId a, ir::ValueId b) const {
  const uint32_t first = DeviceOf(a);
  const uint32_t second = DeviceOf(b);
  return first != 0 && second != 0 && first != second;
}

void Scope::SetTypes(const Json& graph, MetaReader* metas) {
  for (const Json& meta : graph["tensor_values"].Items()) SetTensor(meta.key(), meta, metas);
  for (const Json& value : graph["sym_int_values"].Items()) SetSymInt(value.key(), value, metas);
}

}  // namespace onnxport::pt2
