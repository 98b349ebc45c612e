// What a program asks about a tensor: sizes, dtype, device, flags. Nothing is computed on its elements.
#include <fmt/format.h>

#include "runtime/functionalize/strides.h"
#include "runtime/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace tensors {
namespace {

const ir::Dims& DimsOf(const ir::Value& type) {
  if (!type.dims) throw Refusal("the rank of the tensor is not known");
  return *type.dims;
}

std::optional<Value> Rank(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  return type == nullptr ? std::nullopt : std::optional<Value>(Value{static_cast<int64_t>(DimsOf(*type).size())});
}

std::optional<Value> Size(const CallSite& call) {
  const ir::Value* type = TypeOfTensor(call);
  if (type == nullptr) return std::nullopt;
  if (call.size() > 1) {
    if (call.At(1).As<Number>() == nullptr) return SizeOf(call, call.At(0), call.Int(1));
    throw Refusal("the size of an axis that only a run knows");
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
  call.tracer->Remark(
      fmt::format("`{}` of a tensor that is no weight is taken to be {}, as in a run under "
                  "torch.no_grad() with inputs made for it",
                  call.name(), answer ? "True" : "False"));
}

// What depends on how the model is run, if it is no weight.
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
  // c10/core/MemoryFormat.h; `preserve_format` (1) asks for nothing else than the first.
  const auto* number = format.As<int64_t>();
  if (number == nullptr && !format.is_none()) throw Refusal("the memory format is not known");
  const MemoryFormat order = number == nullptr || *number < 2 ? MemoryFormat::kContiguous
                             : *number == 2                   ? MemoryFormat::kChannelsLast
                                                              : MemoryFormat::kChannelsLast3d;
  const std::optional<bool> answer = call.tracer->IsContiguous(call.As<Tensor>(0)->id, order);
  if (answer) return Value{*answer};
  throw Refusal(
      "how the tensor lies in memory is not known at this place, or depends on sizes that a run decides; leave the "
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

// The tensor itself: it is on the CPU.
std::optional<Value> Itself(const CallSite& call) {
  return call.As<Tensor>(0) == nullptr ? std::nullopt : std::optional<Value>(call.At(0));
}

// Its elements without its gradient; of a quantized tensor on the same grid.
std::optional<Value> Data(const CallSite& call) {
  const auto* tensor = call.As<Tensor>(0);
  if (tensor == nullptr) return std::nullopt;
  const Value data = call.Run("aten::detach", {{tensor->id}});
  const Grid* grid = call.grids->Of(call.At(0));
  return grid == nullptr ? data : call.grids->Remember(data, *grid, *call.tracer);
}

std::optional<Value> Strides(const CallSite& call) {
  if (call.As<Tensor>(0) == nullptr) return std::nullopt;
  throw Refusal("a model does not know how its tensors lie in memory");
}

// Of sizes known at export or equal; where only a run knows, the larger one, as one of them is 1 if they differ.
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

// Whether two tensors are equal is one bool of the run, if their sizes are.
Value Sizes(const CallSite& call, size_t i) {
  ValueList sizes;
  const size_t rank = DimsOf(*TypeOfTensor(call, i)).size();
  for (size_t axis = 0; axis < rank; ++axis) sizes.push_back(SizeOf(call, call.At(i), static_cast<int64_t>(axis)));
  return {call.heap->NewList(std::move(sizes), {"int", {}})};
}

bool AreTensors(const CallSite& call) { return call.As<Tensor>(0) != nullptr && call.As<Tensor>(1) != nullptr; }

// Throws when only a run knows.
bool HaveSameSizes(const CallSite& call) {
  const std::optional<bool> same = Equal(Sizes(call, 0), Sizes(call, 1));
  if (!same) throw Refusal("whether the tensors have the same sizes only a run knows");
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
    {"aten::is_same_size", IsSameSize},
    {"aten::equal", EqualTensors},
    {"aten::allclose", AllClose},
    {"aten::_infer_size", BroadcastSizes},
    {"aten::broadcast_shapes", BroadcastSizes},
};

}  // namespace
}  // namespace tensors

std::span<const BuiltinRow> TensorBuiltins() { return tensors::kRows; }

Value SizeOf(const CallSite& call, const Value& tensor, int64_t axis) {
  const ir::ValueId id = tensor.As<Tensor>()->id;
  const ir::Dims& dims = tensors::DimsOf(call.tracer->TypeOf(id));
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank)
    throw Refusal::Raised("axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank));
  const ir::Dim& dim = dims[static_cast<size_t>(at)];
  if (dim.is_number()) return {dim.number()};
  return call.Run("aten::sym_size.int", {{id}, {at}});
}

}  // namespace onnxport::torchscript
