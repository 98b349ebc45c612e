// Makes tensors from numbers and lists, and numbers from tensors.
#include <array>
#include <cstring>
#include <utility>

#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace make_tensor {
namespace {

using ir::DType;
using ir::ValueId;
using ir::ValueKind;

constexpr int kMaxRank = 16;

DType NaturalDType(const CallSite& call, const Value& number) {
  if (const auto* run = number.As<Number>()) {
    const ValueKind kind = call.tracer->TypeOf(run->id).kind;
    return kind == ValueKind::kFloat ? DType::kFloat32 : kind == ValueKind::kBool ? DType::kBool : DType::kInt64;
  }
  return number.As<double>() != nullptr ? DType::kFloat32 : number.As<bool>() != nullptr ? DType::kBool : DType::kInt64;
}

// Nested lists of numbers, flattened.
struct Elements {
  std::vector<int64_t> shape;
  ValueList values;
  DType dtype = DType::kFloat32;  // of all of them; float32 when there are none
  bool is_known = true;
};

class Collector {
 public:
  Collector(const CallSite* call, Elements* elements) : call_(*call), elements_(*elements) {}

  void Collect(const Value& value) {
    Visit(value, 0);
    elements_.dtype = has_float_ || elements_.values.empty() ? DType::kFloat32
                      : has_int_                             ? DType::kInt64
                                                             : DType::kBool;
  }

 private:
  void Visit(const Value& value, size_t depth) {
    const CellPtr* list = AsList(value);
    const auto* tuple = value.As<TuplePtr>();
    if (list == nullptr && tuple == nullptr) return Add(value, depth);
    if (depth >= static_cast<size_t>(kMaxRank))
      throw Refusal(onnxport::Code::kValueIsTooLarge, "the lists are nested too deep");
    if (list != nullptr && (*list)->is_dynamic())
      throw Refusal(onnxport::Code::kArgumentIsNotKnown,
                    "a list whose length is known only at run time; torch.stack makes a tensor of tensors");
    const ValueList& items = list != nullptr ? (*list)->items : (*tuple)->items;
    const auto size = static_cast<int64_t>(items.size());
    if (depth == elements_.shape.size()) {
      if (has_leaf_) throw Refusal::Raised("expected sequence of equal length");
      elements_.shape.push_back(size);
    } else if (elements_.shape[depth] != size) {
      throw Refusal::Raised("expected sequence of equal length at dim " + std::to_string(depth));
    }
    if (list != nullptr && items.empty() && (*list)->element.Is("int")) has_int_ = true;
    for (const Value& item : items) Visit(item, depth + 1);
  }

  void Add(const Value& value, size_t depth) {
    if (depth != elements_.shape.size()) throw Refusal::Raised("expected sequence of equal depth");
    has_leaf_ = true;
    Value number = Plain(value);
    if (number.As<Tensor>() != nullptr) number = ItemOf(call_, number);
    if (!IsNumber(number)) throw Refusal("a tensor of " + KindName(value, *call_.tracer));
    const DType dtype = NaturalDType(call_, number);
    has_float_ = has_float_ || dtype == DType::kFloat32;
    has_int_ = has_int_ || dtype == DType::kInt64;
    elements_.is_known = elements_.is_known && IsKnownNumber(number);
    elements_.values.push_back(std::move(number));
  }

  const CallSite& call_;
  Elements& elements_;
  bool has_float_ = false, has_int_ = false, has_leaf_ = false;
};

template <typename T>
void Put(T value, std::string* bytes) {
  std::array<char, sizeof(T)> buffer;
  std::memcpy(buffer.data(), &value, sizeof(T));
  bytes->append(buffer.data(), buffer.size());
}

int64_t AsInt(const Value& value) {
  const auto* i = value.As<int64_t>();
  return i != nullptr ? *i : *TruncatedInt(AsDouble(value)).As<int64_t>();
}

// Uses the dtype of the numbers. A conversion to another one is a call.
std::shared_ptr<const ir::TensorData> Data(const Elements& elements, DType dtype) {
  std::string bytes;
  for (const Value& value : elements.values) {
    if (dtype == DType::kFloat64) {
      Put(AsDouble(value), &bytes);
    } else if (dtype == DType::kFloat32) {
      Put(static_cast<float>(AsDouble(value)), &bytes);
    } else if (dtype == DType::kBool) {
      Put(static_cast<uint8_t>(AsDouble(value) != 0 ? 1 : 0), &bytes);
    } else {
      Put(AsInt(value), &bytes);
    }
  }
  return ir::MakeTensor(dtype, elements.shape, std::move(bytes));
}

Value Cast(const CallSite& call, const Value& tensor, DType dtype) {
  if (call.tracer->TypeOf(tensor.As<Tensor>()->id).dtype == dtype) return tensor;
  return call.Run("aten::to.dtype", {{tensor.As<Tensor>()->id}, {dtype}, {false}, {false}, {ir::None{}}});
}

// A constant, copied so that the program may write to it.
Value Constant(const CallSite& call, const Elements& elements, DType dtype) {
  const bool is_direct =
      dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kBool || dtype == DType::kInt64;
  const bool has_floats = elements.dtype == DType::kFloat32;
  const DType stored = is_direct ? dtype : has_floats ? DType::kFloat64 : DType::kInt64;
  const ir::ValueId id =
      call.tracer->AddWeight("constant", Data(elements, stored), {.row_major = true, .made_anew = true});
  return Cast(call, call.Run("aten::clone", {{id}, {ir::None{}}}), dtype);
}

Value Stacked(const CallSite& call, const Elements& elements, DType dtype) {
  ir::ArgList parts;
  for (const Value& value : elements.values) parts.push_back(*ToScalarArg(TensorOf(call, value, dtype)));
  const Value flat = call.Run("aten::stack", {{std::move(parts)}, {int64_t{0}}});
  if (elements.shape.size() == 1) return flat;
  ir::ArgList shape;
  for (const int64_t size : elements.shape) shape.push_back({size});
  return call.Run("aten::reshape", {{flat.As<Tensor>()->id}, {std::move(shape)}});
}

std::optional<DType> DTypeKeyword(const CallSite& call) {
  const Value* given = call.Keyword("dtype");
  if (given == nullptr || given->is_none()) return std::nullopt;
  const Value number = Plain(*given);
  const std::optional<DType> dtype =
      number.As<int64_t>() == nullptr ? std::nullopt : ir::DTypeOfScalarType(*number.As<int64_t>());
  if (!dtype) throw Refusal(onnxport::Code::kNoOnnxType, "dtype " + Str(*given) + " has no ONNX type");
  return dtype;
}

// Makes a tensor from a list of numbers whose length is known only at run time. It is always a new one.
Value FromDynamicList(const CallSite& call, const Cell& list, std::optional<DType> wanted) {
  if (IsTensorElement(list.element)) throw Refusal("a tensor of a list that holds no numbers");
  const ir::ValueId stacked = list.stacked != ir::ValueId::kNone ? list.stacked : JoinNumbers(call, list.sequence);
  const ir::Value& type = call.tracer->TypeOf(stacked);
  if (!type.dims || type.dims->size() != 1) throw Refusal("a tensor of a list that holds no numbers");
  const DType dtype = wanted.value_or(type.dtype == DType::kFloat64 ? DType::kFloat32 : type.dtype);
  const Value copy = call.Run("aten::clone", {{stacked}, {ir::None{}}});
  return Cast(call, copy, dtype);
}

// torch.tensor: float32, int64 or bool unless a dtype is given.
std::optional<Value> MakeTensor(const CallSite& call) {
  const std::optional<DType> wanted = DTypeKeyword(call);
  if (call.As<Tensor>(0) != nullptr) {
    if (call.FloatTensor(0) == nullptr) return std::nullopt;
    const Value copy = call.Run("aten::clone", {{call.As<Tensor>(0)->id}, {ir::None{}}});
    return wanted ? Cast(call, copy, *wanted) : copy;
  }
  if (const CellPtr* list = AsList(call.At(0)); list != nullptr && (*list)->is_dynamic())
    return FromDynamicList(call, **list, wanted);
  Elements elements;
  Collector(&call, &elements).Collect(call.At(0));
  const DType dtype = wanted.value_or(elements.dtype);
  if (elements.shape.empty()) return TensorOf(call, elements.values.at(0), dtype);
  return elements.is_known ? Constant(call, elements, dtype) : Stacked(call, elements, dtype);
}

// torch.as_tensor: returns the same tensor object if its dtype fits.
std::optional<Value> AsTensor(const CallSite& call) {
  if (call.As<Tensor>(0) == nullptr) return MakeTensor(call);
  const std::optional<DType> wanted = DTypeKeyword(call);
  if (wanted && call.FloatTensor(0) == nullptr) return std::nullopt;
  return wanted ? Cast(call, call.At(0), *wanted) : call.At(0);
}

// A float becomes float64, as in LibTorch; a tensor stays.
std::optional<Value> NumberToTensor(const CallSite& call) {
  if (call.As<Tensor>(0) != nullptr) return call.At(0);
  const Value number = Plain(call.At(0));
  if (!IsNumber(number)) throw Refusal("a number is needed");
  const DType dtype = NaturalDType(call, number);
  return TensorOf(call, number, dtype == DType::kFloat32 ? DType::kFloat64 : dtype);
}

constexpr BuiltinRow kRows[] = {
    {"aten::tensor", MakeTensor, true},
    {"aten::as_tensor", AsTensor, true},
    {"prim::NumToTensor", NumberToTensor},
};

}  // namespace
}  // namespace make_tensor

std::span<const BuiltinRow> MakeTensorBuiltins() { return make_tensor::kRows; }

Value TensorOf(const CallSite& call, const Value& number, std::optional<ir::DType> dtype) {
  return call.Run("aten::scalar_tensor", {*ToScalarArg(Plain(number)),
                                          {dtype.value_or(make_tensor::NaturalDType(call, number))},
                                          {ir::None{}},
                                          {ir::None{}},
                                          {ir::None{}}});
}

ir::ValueId JoinNumbersAndZero(const CallSite& call, ir::ValueId sequence) {
  const Value zero = TensorOf(call, {int64_t{0}}, call.tracer->TypeOf(sequence).dtype);
  const Value longer = call.Run(ir::Instruction::kSequenceAppend, {{sequence}, *ToScalarArg(zero)});
  return call.Run("aten::stack", {*ToScalarArg(longer), {int64_t{0}}}).As<Tensor>()->id;
}

ir::ValueId JoinNumbers(const CallSite& call, ir::ValueId sequence) {
  const ir::ValueId longer = JoinNumbersAndZero(call, sequence);
  return call.Run("aten::slice.Tensor", {{longer}, {int64_t{0}}, {int64_t{0}}, {int64_t{-1}}, {int64_t{1}}})
      .As<Tensor>()
      ->id;
}

Value ItemOf(const CallSite& call, const Value& tensor) {
  const ir::ValueId id = tensor.As<Tensor>()->id;
  call.CheckUsable(id);
  const Value number = call.Run("aten::item", {{id}});
  if (!IsNumber(number)) throw Refusal("a tensor of this dtype has no Python number");
  return number;
}

}  // namespace onnxport::torchscript
