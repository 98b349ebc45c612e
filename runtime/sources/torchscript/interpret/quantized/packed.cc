// LibTorch packs weights of quantized layers into C++ objects, in a form for its kernels. Here the original weights
// stay attributes of an object. The entries in spec/ compute with them, and `unpack` does nothing.
#include "runtime/sources/torchscript/interpret/quantized/packed.h"

#include <cstring>
#include <memory>
#include <span>

namespace onnxport::torchscript {
namespace {

CellPtr NewPacked(const std::string& type, Heap* heap) {
  return heap->NewObject("__torch__.torch.classes.quantized." + type, nullptr);
}

Value NewInts(std::span<const int64_t> numbers, Heap* heap) {
  ValueList items;
  for (const int64_t number : numbers) items.push_back({number});
  return {heap->NewList(std::move(items), {"int", {}})};
}

template <typename T>
double ReadAs(const char* bytes) {
  T number;
  std::memcpy(&number, bytes, sizeof(T));
  return static_cast<double>(number);
}

using Reader = double (*)(const char*);

Reader ReaderOf(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kFloat32:
      return ReadAs<float>;
    case ir::DType::kFloat64:
      return ReadAs<double>;
    case ir::DType::kInt16:
      return ReadAs<int16_t>;
    case ir::DType::kInt32:
      return ReadAs<int32_t>;
    case ir::DType::kInt64:
      return ReadAs<int64_t>;
    case ir::DType::kUInt8:
    case ir::DType::kBool:
      return ReadAs<uint8_t>;
    case ir::DType::kInt8:
      return ReadAs<int8_t>;
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<double> ReadNumbers(const ir::TensorData& data) {
  const Reader read = ReaderOf(data.dtype);
  if (!read || !data.bytes) return {};
  const std::string bytes = ir::BytesOf(*data.bytes);
  std::vector<double> numbers;
  const auto size = static_cast<size_t>(ir::ByteSize(data.dtype));
  for (size_t at = 0; at + size <= bytes.size(); at += size) numbers.push_back(read(bytes.data() + at));
  return numbers;
}

std::optional<Value> Prepack(const std::string& name, const ValueList& args, Heap* heap) {
  if (name == "linear_prepack" || name == "linear_prepack_fp16") {
    if (args.empty() || args.size() > 2) return std::nullopt;
    const CellPtr packed = NewPacked("LinearPackedParamsBase", heap);
    heap->Edit(packed).attributes = {{"weight", args[0]}, {"bias", args.size() > 1 ? args[1] : Value{None{}}}};
    return Value{packed};
  }
  if (name == "embedding_bag_prepack" && args.size() == 1) {
    const CellPtr packed = NewPacked("EmbeddingPackedParamsBase", heap);
    heap->Edit(packed).attributes = {{"weight", args[0]}};
    return Value{packed};
  }
  // The cell of a recurrent layer holds two packed weights; quantized_recurrent.cc extracts them.
  if (name == "make_quantized_cell_params_dynamic" && (args.size() == 4 || args.size() == 5)) {
    const CellPtr cell = heap->NewObject("__torch__.torch.classes.rnn.CellParamsBase", nullptr);
    heap->Edit(cell).attributes = {
        {"w_ih", args[0]}, {"w_hh", args[1]}, {"reduce_range", args.size() == 5 ? args[4] : Value{false}}};
    return Value{cell};
  }
  const bool transposed = name.starts_with("conv_transpose");
  if (!name.starts_with("conv") || !name.ends_with("_prepack")) return std::nullopt;
  // A transposed one has `output_padding` before `dilation`.
  if (args.size() != (transposed ? 7U : 6U)) return std::nullopt;
  const CellPtr packed =
      NewPacked(name.find("3d") == std::string::npos ? "Conv2dPackedParamsBase" : "Conv3dPackedParamsBase", heap);
  auto& attributes = heap->Edit(packed).attributes;
  attributes = {{"weight", args[0]},
                {"bias", args[1]},
                {"stride", args[2]},
                {"padding", args[3]},
                {"dilation", args[transposed ? 5 : 4]},
                {"groups", args[transposed ? 6 : 5]},
                {"transpose", {transposed}}};
  if (transposed) {
    attributes["output_padding"] = args[4];
  } else {
    // Zeros, because queries expect output_padding for all convolutions.
    const auto* stride = args[2].As<CellPtr>();
    const size_t count = stride ? (*stride)->items.size() : 0;
    attributes["output_padding"] = NewInts(std::vector<int64_t>(count, 0), heap);
  }
  return Value{packed};
}

std::optional<Value> AskPacked(const Cell& packed, const std::string& question) {
  const auto attribute = [&](const std::string& name) {
    const auto found = packed.attributes.find(name);
    return found == packed.attributes.end() ? std::nullopt : std::optional(found->second);
  };
  if (question == "unpack" || question == "unpack_fp16") {
    const auto weight = attribute("weight");
    const auto bias = attribute("bias");
    if (!weight || !bias) return std::nullopt;
    return Value{MakeOwned<const TupleValue>(TupleValue{{*weight, *bias}, nullptr})};
  }
  // LibTorch returns an int here.
  if (question == "transpose") {
    const auto transposed = attribute("transpose");
    if (!transposed) return std::nullopt;
    const auto* known = transposed->As<bool>();
    return Value{static_cast<int64_t>(known && *known)};
  }
  return attribute(question);
}

std::optional<Value> CallPackedMethod(const Cell& object, const std::string& method) {
  if (object.type_name.find(".classes.quantized.") == std::string::npos) return std::nullopt;
  return AskPacked(object, method);
}

bool SetConvConfiguration(const std::vector<int64_t>& numbers, const CellPtr& packed, Heap* heap) {
  if (numbers.empty() || numbers[0] < 1 || numbers[0] > 3) return false;
  const auto dims = static_cast<size_t>(numbers[0]);
  // The numbers come from a file, so check that each exists before reading it.
  if (numbers.size() < 1 + 4 * dims + 2) return false;
  const auto list = [&](size_t index) { return NewInts(std::span(numbers).subspan(1 + index * dims, dims), heap); };
  auto& attributes = heap->Edit(packed).attributes;
  attributes["stride"] = list(0);
  attributes["padding"] = list(1);
  attributes["dilation"] = list(2);
  attributes["output_padding"] = list(3);
  attributes["groups"] = {numbers[1 + 4 * dims]};
  attributes["transpose"] = {(numbers[2 + 4 * dims] & 1) != 0};
  return true;
}

}  // namespace onnxport::torchscript
