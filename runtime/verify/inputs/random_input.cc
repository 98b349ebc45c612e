#include "runtime/verify/inputs/random_input.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "runtime/base/error.h"
#include "runtime/ir/half.h"

namespace onnxport::verify {
namespace {

using ir::DType;

constexpr int64_t kSequenceLength = 2;

bool ReadNumber(std::string_view text, double* number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && stop == text.data() + text.size() && std::isfinite(*number);
}

template <typename T>
void Append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendValue(DType dtype, double value, std::string* bytes) {
  if (dtype == DType::kFloat32) return Append(bytes, static_cast<float>(value));
  if (dtype == DType::kFloat64) return Append(bytes, value);
  if (dtype == DType::kFloat16) return Append(bytes, ir::Float16Bits(value));
  if (dtype == DType::kBFloat16) return Append(bytes, ir::BFloat16Bits(value));
  // The low bytes are those of any smaller integer, signed or not; of a bool 0 or 1.
  const auto whole = static_cast<int64_t>(value);
  bytes->append(reinterpret_cast<const char*>(&whole), static_cast<size_t>(ir::ByteSize(dtype)));  // little-endian
}

bool HasNumbers(DType dtype) {
  return ir::IsInt(dtype) || dtype == DType::kBool || dtype == DType::kFloat32 || dtype == DType::kFloat64 ||
         dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

}  // namespace

std::map<std::string, ValueRange> ParseRanges(const std::vector<std::string>& texts) {
  std::map<std::string, ValueRange> ranges;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    const size_t comma = text.find(',', std::min(equals, text.size()));
    ValueRange range{};
    if (equals == 0 || comma == std::string::npos ||
        !ReadNumber(std::string_view(text).substr(equals + 1, comma - equals - 1), &range.low) ||
        !ReadNumber(std::string_view(text).substr(comma + 1), &range.high) || range.low > range.high) {
      throw Error(ErrorKind::kUsage, fmt::format("--range '{}': write NAME=LOW,HIGH, for example ids=0,30521", text));
    }
    ranges[text.substr(0, equals)] = range;
  }
  return ranges;
}

ort::Tensor RandomInput(const Port& port, const Sizes& sizes, const std::map<std::string, ValueRange>& ranges,
                        std::mt19937_64* random) {
  if (!HasNumbers(port.dtype)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("input `{}` is of {}: give it with --inputs", port.name, ir::Name(port.dtype)));
  }
  ort::Tensor tensor{.name = port.name, .dtype = port.dtype, .shape = {}, .bytes = {}};
  if (port.sequence) {
    Port element = port;
    element.sequence = false;
    tensor.is_sequence = true;
    for (int64_t i = 0; i < kSequenceLength; ++i) {
      tensor.elements.push_back(RandomInput(element, sizes, ranges, random));
    }
    return tensor;
  }
  tensor.shape = ShapeAt(port, sizes);
  int64_t count = 1;
  for (const int64_t size : tensor.shape) count *= size;
  const bool whole = !ir::IsFloat(port.dtype);
  const auto said = ranges.find(port.name);
  const ValueRange range = said != ranges.end() ? said->second : ValueRange{whole ? 0.0 : -1.0, 1.0};
  for (int64_t i = 0; i < count; ++i) {
    // The upper 53 bits as a fraction: std::uniform_real_distribution may give other numbers with another standard
    // library.
    const double unit = static_cast<double>((*random)() >> 11) * 0x1p-53;  // below 1
    // For integers the upper end is included: [0, 1] gives floor(0 + unit * 2).
    const double value = whole ? std::floor(range.low + unit * (std::floor(range.high) - range.low + 1))
                               : range.low + unit * (range.high - range.low);
    AppendValue(port.dtype, value, &tensor.bytes);
  }
  return tensor;
}

}  // namespace onnxport::verify
