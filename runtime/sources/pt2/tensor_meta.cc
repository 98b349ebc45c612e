#include "runtime/sources/pt2/tensor_meta.h"

#include "runtime/base/error.h"

namespace onnxport::pt2 {
namespace {

using ir::DType;

constexpr int64_t kStrided = 7;
constexpr size_t kMaxRank = 64;             // PyTorch's own limit
constexpr size_t kMaxCharacters = 2 << 20;  // of different expressions; later ones stay unknown

// torch/_export/serde/schema.py, ScalarType.
struct NumberedType {
  int64_t number;
  DType dtype;
};
constexpr NumberedType kTypes[] = {
    {1, DType::kUInt8},           {2, DType::kInt8},          {3, DType::kInt16},       {4, DType::kInt32},
    {5, DType::kInt64},           {6, DType::kFloat16},       {7, DType::kFloat32},     {8, DType::kFloat64},
    {10, DType::kComplex64},      {11, DType::kComplex128},   {12, DType::kBool},       {13, DType::kBFloat16},
    {28, DType::kUInt16},         {29, DType::kFloat8E4M3FN}, {30, DType::kFloat8E5M2}, {31, DType::kFloat8E4M3FNUZ},
    {32, DType::kFloat8E5M2FNUZ}, {33, DType::kFloat8E8M0},   {34, DType::kUInt32},     {35, DType::kUInt64},
};

}  // namespace

DType ReadDType(const Json& number) {
  const int64_t wanted = number.AsInt();
  for (const NumberedType& type : kTypes) {
    if (type.number == wanted) return type.dtype;
  }
  if (wanted == 9) throw Error(ErrorKind::kCannotExport, "dtype complex32: ONNX has no such type");
  number.FailUnknown("unknown dtype number " + std::to_string(wanted));
}

std::string ReadDevice(const Json& device) {
  const std::string type(device["type"].AsText());
  const auto index = device.Find("index");
  return index ? type + ":" + std::to_string(index->AsInt()) : type;
}

// The stride of an axis of size 1 has no meaning, and PyTorch may write any number. A tensor without elements has any
// order.
bool TensorMeta::row_major() const {
  ir::Dim expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == ir::Dim(0)) return true;
    if (!(sizes[i] == ir::Dim(1)) && !(strides[i] == expected)) return false;
    expected = expected * sizes[i];
  }
  return true;
}

ir::Dim MetaReader::ReadDim(const Json& size) {
  const Json choice = size.Choice();
  if (choice.key() == "as_int") return choice.AsInt();
  if (choice.key() != "as_expr") choice.Fail("a size is a number or an expression");
  const std::string_view text = choice["expr_str"].AsText();
  if (const ir::Dim* found = expressions_.Find(text)) return *found;
  // Unknown is no error, because ONNX's inference finds most sizes, too. So a forged file with a million long
  // expressions takes little memory. A real file has a few hundred.
  characters_ += text.size();
  if (characters_ > kMaxCharacters) return ir::Dim();
  std::string unknown;
  const ir::Dim dim = ir::Dim::Parse(text, &unknown).value_or(ir::Dim());
  expressions_.Add(text, dim);
  return dim;
}

TensorMeta MetaReader::ReadTensor(const Json& meta) {
  TensorMeta tensor;
  tensor.dtype = ReadDType(meta["dtype"]);
  const JsonRange sizes = meta["sizes"].Elements();
  tensor.sizes.reserve(sizes.size());
  for (const Json& size : sizes) {
    tensor.sizes.push_back(ReadDim(size));
    if (tensor.sizes.back().is_number() && tensor.sizes.back().number() < 0) size.Fail("a negative size");
  }
  const JsonRange strides = meta["strides"].Elements();
  tensor.strides.reserve(strides.size());
  for (const Json& stride : strides) tensor.strides.push_back(ReadDim(stride));
  if (tensor.sizes.size() > kMaxRank) meta.Fail("more than " + std::to_string(kMaxRank) + " dimensions");
  if (tensor.sizes.size() != tensor.strides.size()) meta.Fail("sizes and strides differ in number");
  tensor.offset = ReadDim(meta["storage_offset"]);
  if (const auto device = meta.Find("device")) tensor.device = ReadDevice(*device);
  if (const int64_t layout = meta["layout"].AsInt(); layout != kStrided) {
    throw Error(ErrorKind::kCannotExport,
                "a tensor of layout " + std::to_string(layout) + " (sparse or opaque): ONNX has dense tensors only");
  }
  return tensor;
}

}  // namespace onnxport::pt2
