#include "runtime/sources/torchscript/archive/pickled_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/base/refusal.h"
#include "runtime/base/text.h"

namespace onnxport::torchscript {
namespace {

struct StorageType {
  std::string_view name;
  ir::DType dtype;
  int64_t per_byte = 1;  // elements, the first in the lowest bits
};
constexpr StorageType kStorages[] = {
    {"FloatStorage", ir::DType::kFloat32},
    {"DoubleStorage", ir::DType::kFloat64},
    {"HalfStorage", ir::DType::kFloat16},
    {"BFloat16Storage", ir::DType::kBFloat16},
    {"LongStorage", ir::DType::kInt64},
    {"IntStorage", ir::DType::kInt32},
    {"ShortStorage", ir::DType::kInt16},
    {"CharStorage", ir::DType::kInt8},
    {"ByteStorage", ir::DType::kUInt8},
    {"UInt16Storage", ir::DType::kUInt16},
    {"UInt32Storage", ir::DType::kUInt32},
    {"UInt64Storage", ir::DType::kUInt64},
    {"BoolStorage", ir::DType::kBool},
    {"Float8_e4m3fnStorage", ir::DType::kFloat8E4M3FN},
    {"Float8_e4m3fnuzStorage", ir::DType::kFloat8E4M3FNUZ},
    {"Float8_e5m2Storage", ir::DType::kFloat8E5M2},
    {"Float8_e5m2fnuzStorage", ir::DType::kFloat8E5M2FNUZ},
    {"Float8_e8m0fnuStorage", ir::DType::kFloat8E8M0},
    {"QInt8Storage", ir::DType::kInt8},
    {"QUInt8Storage", ir::DType::kUInt8},
    {"QInt32Storage", ir::DType::kInt32},
    {"QUInt4x2Storage", ir::DType::kUInt8, 2},
    {"ComplexFloatStorage", ir::DType::kComplex64},
    {"ComplexDoubleStorage", ir::DType::kComplex128},
};
constexpr size_t kMostAxes = 64;

const Pickled::Tuple& TupleOf(const Pickled& node, size_t least) {
  const auto* tuple = std::get_if<Pickled::Tuple>(&node.v);
  if (!tuple || tuple->items.size() < least) throw Refusal("gives a function other arguments than it has");
  return *tuple;
}

template <typename T>
const T& As(const PickledPtr& node, const char* mistake) {
  const T* value = std::get_if<T>(&node->v);
  if (!value) throw Refusal(mistake);
  return *value;
}

std::vector<int64_t> Sizes(const Pickled& node) {
  std::vector<int64_t> values;
  for (const PickledPtr& item : TupleOf(node, 0).items) {
    values.push_back(As<int64_t>(item, "has a size or stride that is no number"));
    if (values.back() < 0) throw Refusal("has a size or stride that is no number");
  }
  return values;
}

const StorageType& TypeOf(std::string_view storage) {
  const auto* type = std::ranges::find(kStorages, storage, &StorageType::name);
  if (type == std::end(kStorages)) throw Refusal(fmt::format("has a storage of kind {}", Printable(storage)));
  return *type;
}

// Turns a tensor of small elements into one of the bytes that contain them.
void CountBytes(int64_t per_byte, StorageView* view) {
  int64_t stride = 1;
  for (size_t axis = view->sizes.size(); axis-- > 0;) {
    // Elements of 4 bits have no addresses, so strides between them cannot be counted in bytes.
    if (view->strides[axis] != stride || view->sizes[axis] > INT64_MAX / std::max<int64_t>(stride, 1))
      throw Refusal("has small quantized elements that do not lie one after another");
    stride *= view->sizes[axis];
  }
  if (view->offset != 0 || view->sizes.empty() || view->sizes.back() % per_byte != 0)
    throw Refusal("has rows of small quantized elements that do not begin and end with a byte");
  view->sizes.back() /= per_byte;
  for (size_t axis = 0; axis + 1 < view->strides.size(); ++axis) view->strides[axis] /= per_byte;
}

// storage, offset, sizes, strides
std::shared_ptr<const ir::TensorData> DataOf(const Pickled::Tuple& args, const Placeholders& placeholders,
                                             const TensorReader& tensors) {
  constexpr const char* kNoStorage = "has a tensor without a storage";
  const auto storage = placeholders.storages.find(args.items[0].get());
  const int64_t offset = As<int64_t>(args.items[1], kNoStorage);
  if (storage == placeholders.storages.end() || offset < 0) throw Refusal(kNoStorage);
  StorageView view{.storage = storage->second.type,
                   .key = storage->second.key,
                   .elements = storage->second.elements,
                   .offset = offset,
                   .sizes = Sizes(*args.items[2]),
                   .strides = Sizes(*args.items[3])};
  // This checks only what the pickle itself says. It is checked when the record is opened if the elements lie in it.
  if (view.sizes.size() != view.strides.size() || view.sizes.size() > kMostAxes)
    throw Refusal("has a tensor with two ranks");
  const StorageType& type = TypeOf(view.storage);
  view.dtype = type.dtype;
  if (type.per_byte > 1) CountBytes(type.per_byte, &view);
  return tensors(view);
}

template <typename T>
std::vector<double> Numbers(std::string_view bytes) {
  std::vector<double> numbers;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T number;
    std::memcpy(&number, bytes.data() + at, sizeof(T));
    numbers.push_back(static_cast<double>(number));
  }
  return numbers;
}

// The elements of a tensor: scales and zero points of channels.
std::vector<double> NumbersOf(const PickledPtr& node) {
  const auto& tensor = As<Pickled::Tensor>(node, "has a quantizer without scales");
  const std::string bytes = ir::BytesOf(*tensor.data->bytes);
  switch (tensor.data->dtype) {
    case ir::DType::kFloat32:
      return Numbers<float>(bytes);
    case ir::DType::kFloat64:
      return Numbers<double>(bytes);
    case ir::DType::kInt64:
      return Numbers<int64_t>(bytes);
    case ir::DType::kInt32:
      return Numbers<int32_t>(bytes);
    default:
      throw Refusal("has scales of an unknown dtype");
  }
}

// (scheme, scales, zero points, axis)
QuantizerInfo PerChannel(const Pickled::Tuple& scheme, bool is_whole, const std::vector<int64_t>& shape) {
  QuantizerInfo info;
  info.is_whole = is_whole;
  info.scales = NumbersOf(scheme.items[1]);
  for (const double zero_point : NumbersOf(scheme.items[2])) {
    // In this form NaN is refused, too.
    if (!(std::abs(zero_point) < 1e9)) throw Refusal("has a zero point beyond reason");
    info.zero_points.push_back(is_whole ? std::trunc(zero_point) : zero_point);
  }
  info.held.Add(info.scales.size() * 2 * sizeof(double));
  constexpr const char* kNoFit = "has a quantizer that does not fit its tensor";
  info.axis = As<int64_t>(scheme.items[3], kNoFit);
  if (info.axis < 0 || info.axis >= static_cast<int64_t>(shape.size()) ||
      info.scales.size() != info.zero_points.size() ||
      static_cast<int64_t>(info.scales.size()) != shape[static_cast<size_t>(info.axis)])
    throw Refusal(kNoFit);
  return info;
}

QuantizerInfo QuantizerOf(const Pickled::Tuple& scheme, const Placeholders& placeholders,
                          const std::vector<int64_t>& shape) {
  const auto name = placeholders.globals.find(scheme.items[0].get());
  // LibTorch writes the scheme as a number: 0 per tensor, 1 per channel, 4 per channel with float zero points.
  const auto* number = std::get_if<int64_t>(&scheme.items[0]->v);
  const std::string text = name != placeholders.globals.end() ? std::string(name->second.name)
                           : number                           ? fmt::format("{}", *number)
                                                              : "";
  if (text == "torch.per_tensor_affine" || text == "0") {
    constexpr const char* kNoScale = "has a quantizer without a scale";
    const int64_t zero_point = As<int64_t>(scheme.items[2], kNoScale);
    return {.scales = {As<double>(scheme.items[1], kNoScale)}, .zero_points = {static_cast<double>(zero_point)}};
  }
  const bool is_whole = text == "torch.per_channel_affine" || text == "1";
  const bool is_float = text == "torch.per_channel_affine_float_qparams" || text == "4";
  if ((is_whole || is_float) && scheme.items.size() == 4) return PerChannel(scheme, is_whole, shape);
  throw Refusal(fmt::format("has the quantization scheme {}, which is not known", Printable(text)));
}

}  // namespace

Storage StorageOf(const Pickled& id, const Placeholders& placeholders) {
  constexpr const char* kNoStorage = "has a persistent id that is no storage";
  const auto* tuple = std::get_if<Pickled::Tuple>(&id.v);
  if (!tuple || tuple->items.size() != 5) throw Refusal(kNoStorage);
  const auto& word = As<std::string>(tuple->items[0], kNoStorage);
  const auto type = placeholders.globals.find(tuple->items[1].get());
  const auto& key = As<std::string>(tuple->items[2], kNoStorage);
  const int64_t elements = As<int64_t>(tuple->items[4], kNoStorage);
  if (word != "storage" || type == placeholders.globals.end() || elements < 0) throw Refusal(kNoStorage);
  constexpr std::string_view kModule = "torch.";
  if (!type->second.name.starts_with(kModule)) throw Refusal("has a storage of an unknown kind");
  return {type->second.name.substr(kModule.size()), key, elements};
}

Pickled::Tensor RebuildTensor(const Pickled::Tuple& args, const Placeholders& placeholders,
                              const TensorReader& tensors) {
  Pickled::Tensor tensor{.data = DataOf(args, placeholders, tensors), .quantizer = nullptr};
  if (const auto* grad = std::get_if<bool>(&args.items[4]->v)) tensor.requires_grad = *grad;
  return tensor;
}

Pickled::Tensor RebuildQuantized(const Pickled::Tuple& args, const Placeholders& placeholders,
                                 const TensorReader& tensors) {
  Pickled::Tensor tensor{.data = DataOf(args, placeholders, tensors), .quantizer = nullptr};
  QuantizerInfo info = QuantizerOf(TupleOf(*args.items[4], 3), placeholders, Sizes(*args.items[2]));
  info.per_byte = TypeOf(placeholders.storages.at(args.items[0].get()).type).per_byte;
  tensor.quantizer = std::make_shared<const QuantizerInfo>(std::move(info));
  return tensor;
}

}  // namespace onnxport::torchscript
