#include "runtime/lowering/known_item.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "runtime/ir/half.h"

namespace onnxport::lowering {
namespace {

using ir::DType;

template <typename T>
T Read(const std::string& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::optional<Val> Decode(DType dtype, const std::string& bytes) {
  switch (dtype) {
    case DType::kBool:
      return Val(bytes[0] != 0);
    case DType::kUInt8:
      return Val(Read<uint8_t>(bytes));
    case DType::kInt8:
      return Val(Read<int8_t>(bytes));
    case DType::kInt16:
      return Val(Read<int16_t>(bytes));
    case DType::kInt32:
      return Val(Read<int32_t>(bytes));
    case DType::kInt64:
      return Val(Read<int64_t>(bytes));
    case DType::kFloat16:
      return Val(ir::Float16Value(Read<uint16_t>(bytes)));
    case DType::kBFloat16:
      return Val(static_cast<double>(ir::BFloat16Value(Read<uint16_t>(bytes))));
    case DType::kFloat32:
      return Val(static_cast<double>(Read<float>(bytes)));
    case DType::kFloat64:
      return Val(Read<double>(bytes));
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Val> KnownItem(const Emitter& emitter, const Vals& args) {
  if (args.size() != 1 || !args[0].is_tensor()) return std::nullopt;
  const ir::ValueId id = args[0].AsTensor().id;
  const auto& contents = emitter.value(id).contents;
  if (contents && contents->size() == 1 && contents->front().is_number()) return Val(contents->front().number());
  const auto data = emitter.facts().DataOf(id);
  if (!data || std::ranges::any_of(data->shape, [](int64_t size) { return size != 1; })) return std::nullopt;
  const std::string bytes = ir::BytesOf(*data->bytes);
  if (static_cast<int64_t>(bytes.size()) != ir::ByteSize(data->dtype) || bytes.empty()) return std::nullopt;
  return Decode(data->dtype, bytes);
}

}  // namespace onnxport::lowering
