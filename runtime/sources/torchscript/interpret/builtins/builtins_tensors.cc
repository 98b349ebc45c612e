// Questions about a tensor: sizes, dtype, device, flags. Nothing is computed on its elements.
#include <fmt/format.h>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/trace/functionalize/strides.h"

namespace onnxport::torchscript {
namespace tensors {
namespace {

std::optional<Value> Rank(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  return type == nullptr ? std::nullopt : std::optional<Value>(Value{static_cast<int64_t>(DimsOf(*type).size())});
}

std::optional<Value> Size(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  if (type == nullptr) return std::nullopt;
  if (call.size() > 1) {
    if (call.At(1).As<Number>() == nullptr) return SizeOf(call, call.At(0), call.Int(1));
    throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                  "the size of an axis known only at run time; a constant is needed, or a parameter with a value "
                  "(<<inputs: n=5>>)");
  }
  const size_t rank = DimsOf(*type).size();
  ValueList sizes;
  for (size_t i = 0; i < rank; ++i) sizes.push_back(SizeOf(call, call.At(0), static_cast<int64_t>(i)));
  return Value{call.heap->NewList(std::move(sizes), {"int", {}})};
}

std::optional<Value> Length(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  if (type == nullptr) return std::nullopt;
  if (DimsOf(*type).empty()) throw Refusal::Raised("len() of a tensor without axes");
  return SizeOf(call, call.At(0), 0);
}

std::optional<Value> ElementCount(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  if (type == nullptr) return std::nullopt;
  int64_t count = 1;
  for (const ir::Dim& dim : DimsOf(*type)) {
    if (!dim.is_number()) return call.Run("aten::sym_numel", {{call.As<Tensor>(0)->id}});
    if (__builtin_mul_overflow(count, dim.number(), &count)) throw Refusal("the tensor is too large");
  }
  return Value{count};
}

std::optional<Value> ByteCount(const CallSite& call) {
  const std::optional<Value> count = ElementCount(call);
  const auto* known = count ? count->As<int64_t>() : nullptr;
  if (!count) return std::nullopt;
  const int64_t size = ir::ByteSize(TypeOfTensor(call)->dtype);
  return known != nullptr ? Value{*known * size} : call.Arithmetic(ir::Instruction::kMul, {*count, {size}});
}

template <bool kAnswer>
std::optional<Value> Flag(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(Value{kAnswer});
}

void RemarkAssumption(const CallSite& call, bool answer) {
  call.tracer->findings().Remark(
      fmt::format("`{}` of a tensor that is no weight is taken to be {}, as in a run under "
                  "torch.no_grad() with inputs made for it",
                  call.name(), answer ? "True" : "False"));
}

// The answer depends on how the model is run, unless the tensor is a weight.
template <bool kAnswer>
std::optional<Value> Assumed(const CallSite& call) {
  const auto* tensor = call.As<Tensor>(0);
  if (tensor == nullptr) return std::nullopt;
  if (!call.requires_grad->contains(tensor->id)) RemarkAssumption(call, kAnswer);
  return Value{kAnswer};
}

std::optional<Value> DoesRequireGrad(const CallSite& call) {
  const auto* tensor = call.As<Tensor>(0);
  if (tensor == nullptr) return std::nullopt;
  const auto known = call.requires_grad->find(tensor->id);
  if (known == call.requires_grad->end()) return Assumed<false>(call);
  if (known->second.size() == 1) return Value{*known->second.begin()};
  throw Refusal("it differs between tensors that share one memory, or was changed by the program");
}

std::optional<Value> SetRequiresGrad(const CallSite& call) {
  const auto* tensor = call.As<Tensor>(0);
  if (tensor == nullptr) return std::nullopt;
  (*call.requires_grad)[tensor->id].insert(call.Bool(1, true));
  return call.At(0);
}

std::optional<Value> IsContiguous(const CallSite& call) {
  using functionalize::MemoryFormat;
  if (TypeOfTensor(call) == nullptr) return std::nullopt;
  const Value* named = call.Keyword("memory_format");
  const Value format = Plain(named == nullptr ? call.At(1) : *named);
  // c10/core/MemoryFormat.h; `preserve_format` (1) asks for the same as the first.
  const auto* number = format.As<int64_t>();
  if (number == nullptr && !format.is_none())
    throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                  "the memory format is not known; name it, as in memory_format=torch.channels_last");
  const MemoryFormat order = number == nullptr || *number < 2 ? MemoryFormat::kContiguous
                             : *number == 2                   ? MemoryFormat::kChannelsLast
                                                              : MemoryFormat::kChannelsLast3d;
  const std::optional<bool> answer = call.tracer->IsContiguous(call.As<Tensor>(0)->id, order);
  if (answer) return Value{*answer};
  throw Refusal(
      onnxport::Code::kNotInAModel,
      "how the tensor lies in memory is not known at this place, or depends on sizes decided at run time; leave the "
      "question out (`contiguous()` asks by itself), or give sizes instead of names");
}

std::optional<Value> Device(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(Value{ir::Word{"cpu"}});
}
std::optional<Value> DeviceIndex(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(Value{int64_t{-1}});
}
std::optional<Value> Layout(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(Value{ir::Word{"strided"}});
}
std::optional<Value> Nothing(const CallSite&) { return Value{None{}}; }

// Returns the tensor itself, because it is on the CPU.
std::optional<Value> Itself(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(call.At(0));
}

// Its elements without gradient. For a quantized tensor it has the same grid.
std::optional<Value> Data(const CallSite& call) {
  const auto* tensor = call.As<Tensor>(0);
  if (tensor == nullptr) return std::nullopt;
  const Value data = call.Run("aten::detach", {{tensor->id}});
  const Grid* grid = call.grids->Of(call.At(0));
  return grid == nullptr ? data : call.grids->Remember(data, *grid, *call.tracer);
}

std::optional<Value> Strides(const CallSite& call) {
  if (call.As<Tensor>(0) == nullptr) return std::nullopt;
  throw Refusal(onnxport::Code::kNotInAModel, "a model does not know how its tensors lie in memory");
}

constexpr BuiltinRow kRows[] = {
    {"aten::dim", Rank},
    {"aten::ndimension", Rank},
    {"aten::size", Size},
    {"aten::len", Length},
    {"aten::numel", ElementCount},
    {"prim::device", Device},
    {"prim::layout", Layout},
    {"prim::data", Data},
    {"prim::grad", Nothing},
    {"prim::name", Nothing},
    {"prim::requires_grad", DoesRequireGrad},
    {"prim::is_cpu", Flag<true>},
    {"prim::is_cuda", Flag<false>},
    {"prim::is_xpu", Flag<false>},
    {"prim::is_xla", Flag<false>},
    {"prim::is_mtia", Flag<false>},
    {"prim::is_mps", Flag<false>},
    {"prim::is_ipu", Flag<false>},
    {"prim::is_maia", Flag<false>},
    {"prim::is_vulkan", Flag<false>},
    {"prim::is_mkldnn", Flag<false>},
    {"prim::is_meta", Flag<false>},
    {"prim::is_nested", Flag<false>},
    {"prim::is_sparse", Flag<false>},
    {"prim::is_sparse_csr", Flag<false>},
    {"prim::is_quantized", Flag<false>},
    {"prim::nbytes", ByteCount},
    {"aten::is_contiguous", IsContiguous, true},
    {"aten::is_inference", Assumed<false>},
    {"aten::is_leaf", Assumed<true>},
    {"aten::is_pinned", Assumed<false>},
    {"aten::is_conj", Flag<false>},
    {"aten::is_neg", Flag<false>},
    {"aten::get_device", DeviceIndex},
    {"aten::stride", Strides},
    {"aten::storage_offset", Strides},
    {"aten::cpu", Itself},
    {"aten::cuda", Itself},
    {"aten::requires_grad_", SetRequiresGrad},
    {"aten::retain_grad", Nothing},
};

}  // namespace
}  // namespace tensors

std::span<const BuiltinRow> TensorBuiltins() { return tensors::kRows; }

const ir::Dims& DimsOf(const ir::Value& type) {
  if (!type.dims)
    throw Refusal(onnxport::Code::kTypeIsNotKnown,
                  "the rank of the tensor is not known; the file of torch.export states it");
  return *type.dims;
}

Value SizeOf(const CallSite& call, const Value& tensor, int64_t axis) {
  const ir::ValueId id = tensor.As<Tensor>()->id;
  const ir::Dims& dims = DimsOf(call.tracer->TypeOf(id));
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank)
    throw Refusal::Raised("axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank));
  const ir::Dim& dim = dims[static_cast<size_t>(at)];
  if (dim.is_number()) return {dim.number()};
  return call.Run("aten::sym_size.int", {{id}, {at}});
}

}  // namespace onnxport::torchscript
