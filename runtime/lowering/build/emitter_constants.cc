// Constants of the model, and what is known of the data of its values.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/lowering/build/complex.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;

namespace {

constexpr size_t kMaxContents = 256;  // elements of a constant that are followed one by one

std::optional<ir::Dims> ContentsOf(DType dtype, const std::vector<int64_t>& shape, const std::string& bytes) {
  if (shape.size() > 1 || (dtype != DType::kInt64 && dtype != DType::kInt32)) return std::nullopt;
  const size_t size = static_cast<size_t>(ir::ByteSize(dtype));
  if (bytes.size() / size > kMaxContents) return std::nullopt;
  ir::Dims contents;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    int64_t wide = 0;
    int32_t narrow = 0;
    std::memcpy(dtype == DType::kInt64 ? static_cast<void*>(&wide) : &narrow, bytes.data() + at, size);
    contents.push_back(ir::Dim(dtype == DType::kInt64 ? wide : narrow));
  }
  return contents;
}

}  // namespace

ValueId Emitter::Constant(DType dtype, std::vector<int64_t> shape, std::string bytes) {
  if (ir::IsComplex(dtype)) {
    shape.push_back(2);
    return AsComplex(Constant(PartDType(dtype), std::move(shape), std::move(bytes)));
  }
  // One constant for all uses. It stands in the outermost block, which every block sees, wherever it was first needed.
  std::string key(1, static_cast<char>(dtype));
  for (const int64_t dim : shape) key += fmt::format("{},", dim);
  key += ';';
  key += bytes;
  const auto [found, is_new] = constants_.try_emplace(std::move(key), ValueId::kNone);
  if (!is_new) return found->second;
  ir::Dims dims(shape.begin(), shape.end());
  const ValueId id = AddValue({.name = {},
                               .kind = ir::ValueKind::kTensor,
                               .dtype = dtype,
                               .dims = std::move(dims),
                               .contents = ContentsOf(dtype, shape, bytes),
                               .strides = {}},
                              0);
  auto data = ir::MakeTensor(dtype, std::move(shape), std::move(bytes));
  graph_.body.nodes.push_back({.op = "Constant",
                               .inputs = {},
                               .attributes = {{"value", {data}}},
                               .outputs = {id},
                               .blocks = {},
                               .location = location_,
                               .name = {}});
  SetData(id, std::move(data));
  return found->second = id;
}

ValueId Emitter::Constant(const Val& value, DType dtype) {
  std::vector<int64_t> shape;
  if (value.is_list()) shape.push_back(static_cast<int64_t>(value.AsList().size()));
  return Constant(dtype, std::move(shape), ElementBytes(value, dtype));
}

std::shared_ptr<const ir::TensorData> Emitter::DataOf(ValueId id) const {
  const auto found = data_.find(id);
  return found == data_.end() ? nullptr : found->second;
}

void Emitter::SetData(ValueId id, std::shared_ptr<const ir::TensorData> data) {
  inference_.SetData(id, data);
  data_[id] = std::move(data);
}

void Emitter::ReadContents(ValueId id) {
  constexpr int64_t kFew = 16;
  const auto data = DataOf(id);
  if (data->shape.size() > 1 || (data->dtype != DType::kInt64 && data->dtype != DType::kInt32)) return;
  if (!data->shape.empty() && data->shape[0] > kFew) return;
  const std::string bytes = ir::BytesOf(*data->bytes);
  graph_.value(id).contents = ContentsOf(data->dtype, data->shape, bytes);
}

}  // namespace onnxport::lowering
