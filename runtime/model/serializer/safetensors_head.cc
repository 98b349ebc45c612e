#include "runtime/model/serializer/safetensors_head.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/model/serializer/layout.h"
#include "runtime/sources/weights/safetensors_dtype.h"

namespace onnxport::serializer {
namespace {

constexpr size_t kLengthSize = 8;

// As PyTorch's loaders ask for it.
constexpr std::string_view kMetadata = R"("__metadata__":{"format":"pt"})";

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

bool HasSafetensorsName(ir::DType dtype) { return !weights::SafetensorsName(dtype).empty(); }

void SafetensorsHead::Add(const std::string& name, const ir::TensorData& tensor, int64_t bytes) {
  entries_ += fmt::format(R"(,{}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", Quoted(name),
                          weights::SafetensorsName(tensor.dtype), fmt::join(tensor.shape, ","), end_, end_ + bytes);
  end_ += bytes;
}

std::string SafetensorsHead::Text() && {
  std::string json = fmt::format("{{{}{}}}", kMetadata, entries_);
  const size_t over = (kLengthSize + json.size()) % kSmallAlignment;
  // The format allows blanks behind the JSON; the length in front counts them.
  if (over != 0) json.append(kSmallAlignment - over, ' ');
  const uint64_t length = json.size();  // `size_t` has 32 bits in WebAssembly
  std::string text;
  for (size_t i = 0; i < kLengthSize; ++i) text.push_back(static_cast<char>(length >> (8 * i)));
  return text + json;
}

}  // namespace onnxport::serializer
