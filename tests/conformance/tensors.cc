#include "tests/conformance/tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace onnxport::conformance {
namespace {

constexpr std::array kDTypes = {DType::kFloat32, DType::kFloat16, DType::kBFloat16, DType::kFloat64, DType::kInt8,
                                DType::kUInt8,   DType::kInt16,   DType::kInt32,    DType::kInt64,   DType::kBool};

struct Bounds {
  double low;
  double high;
};

// The limits of an integer dtype; those of uint64 that fit into int64.
Bounds LimitsOf(DType dtype) {
  const double span = std::ldexp(1.0, static_cast<int>(ir::ByteSize(dtype)) * 8 - (ir::IsUnsigned(dtype) ? 0 : 1));
  return {ir::IsUnsigned(dtype) ? 0.0 : -span, span - 1};
}

Bounds BoundsOf(const TensorPlan& plan) {
  const bool is_int = ir::IsInt(plan.dtype);
  if (!plan.bounded) return !is_int ? Bounds{-2, 2} : Bounds{ir::IsUnsigned(plan.dtype) ? 0.0 : -5.0, 5};
  if (!is_int) return {plan.low, plan.high};
  const Bounds limits = LimitsOf(plan.dtype);
  const bool falls = plan.low > plan.high;
  const double low = falls ? std::floor(plan.low) : std::ceil(plan.low);
  const double high = falls ? std::ceil(plan.high) : std::floor(plan.high);
  return {std::clamp(low, limits.low, limits.high), std::clamp(high, limits.low, limits.high)};
}

template <typename T>
void Append(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Cut towards zero: any value of the dtype will do.
uint16_t HalfBits(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return sign | 0x7E00;
  if (std::isinf(value)) return sign | 0x7C00;
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // [0.5, 1)
  const auto mantissa = static_cast<uint16_t>((fraction * 2 - 1) * 1024);
  const int biased = exponent + 14;
  if (biased <= 0) return sign;
  return static_cast<uint16_t>(sign | (biased << 10) | mantissa);
}

// The same; values that are too large become the largest.
uint8_t Float8E4M3Bits(double value) {
  const auto sign = static_cast<uint8_t>(std::signbit(value) ? 0x80 : 0);
  if (std::isnan(value)) return sign | 0x7F;
  int exponent = 0;
  const double fraction = std::frexp(std::min(std::fabs(value), 448.0), &exponent);
  const int biased = exponent + 6;
  if (value == 0 || biased <= 0) return sign;
  return static_cast<uint8_t>(sign | (biased << 3) | static_cast<int>((fraction * 2 - 1) * 8));
}

void AppendFloat(DType dtype, double value, std::string* bytes) {
  switch (dtype) {
    case DType::kFloat64:
      return Append(bytes, value);
    case DType::kFloat16:
      return Append(bytes, HalfBits(value));
    case DType::kFloat8E4M3FN:
      return Append(bytes, Float8E4M3Bits(value));
    case DType::kFloat8E5M2:
      return Append(bytes, static_cast<uint8_t>(HalfBits(value) >> 8));
    case DType::kBFloat16: {
      const auto narrow = static_cast<float>(value);
      uint32_t bits;
      std::memcpy(&bits, &narrow, sizeof bits);
      return Append(bytes, static_cast<uint16_t>(bits >> 16));
    }
    default:
      return Append(bytes, static_cast<float>(value));
  }
}

void AppendInteger(DType dtype, int64_t value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), static_cast<size_t>(ir::ByteSize(dtype)));  // little-endian
}

// `unit` is from 0 to below 1.
int64_t IntegerAt(double unit, Bounds bounds) {
  if (bounds.low > bounds.high) return std::llround(std::ceil(bounds.low - unit * (bounds.low - bounds.high + 1)));
  return std::llround(std::floor(bounds.low + unit * (bounds.high - bounds.low + 1)));
}

std::vector<double> SpecialFloats(const TensorPlan& plan, int round) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (round == kRoundOfBounded) return plan.bounded ? std::vector{std::nan("")} : std::vector<double>();
  if (round > kFiniteRounds) return plan.bounded ? std::vector<double>() : std::vector{std::nan(""), kInf, -kInf};
  std::vector<double> values = {-0.0, 0.5, 2.5, 0.0, -0.5, 1.5, -1.0};
  if (plan.dtype != DType::kFloat16) values.insert(values.end(), {1e30, 1e-30});
  if (plan.bounded) std::erase_if(values, [&](double v) { return v < plan.low || v > plan.high; });
  return values;
}

std::vector<int64_t> SpecialIntegers(const TensorPlan& plan, int round) {
  if (round > kFiniteRounds) return {};
  using Limits = std::numeric_limits<int64_t>;
  const Bounds limits = LimitsOf(plan.dtype);
  const auto cut = [](double limit) { return limit >= 0x1p63 ? Limits::max() : static_cast<int64_t>(limit); };
  const int64_t low = cut(limits.low);
  const int64_t high = cut(limits.high);
  std::vector<int64_t> values = {0, high, -1, low, (1 << 24) + 1, 1, (int64_t{1} << 53) + 1, high - 1, -(1 << 24) - 1};
  std::erase_if(values, [&](int64_t v) { return v < low || v > high; });
  if (plan.bounded) {
    const Bounds bounds = BoundsOf(plan);
    std::erase_if(
        values, [&](int64_t v) { return static_cast<double>(v) < bounds.low || static_cast<double>(v) > bounds.high; });
  }
  return values;
}

void AppendContents(const TensorPlan& plan, std::string* bytes) {
  for (const Value& item : plan.contents) {
    if (ir::IsFloat(plan.dtype))
      AppendFloat(plan.dtype, item.kind == Value::kInt ? static_cast<double>(item.integer) : item.number, bytes);
    else
      AppendInteger(plan.dtype, item.integer, bytes);
  }
}

// The special value of an element; nothing for an ordinary one.
template <typename T>
const T* SpecialAt(const std::vector<T>& values, int64_t element, int round, int position) {
  if (values.empty() || round == 0 || (element + position + round) % 2 == 0) return nullptr;
  return &values[static_cast<size_t>(element / 2 + position * 3 + round * 7) % values.size()];
}

// The same for the parts of complex numbers, two for each: of four neighbours one is special in both parts, two in one,
// and one in none.
const double* SpecialPartAt(const std::vector<double>& values, int64_t part, int round, int position) {
  if (values.empty() || round == 0) return nullptr;
  const int64_t form = (part / 2 + position + round) % 4;
  if (form == 0 || (form != 3 && form - 1 != part % 2)) return nullptr;
  return &values[static_cast<size_t>(part / 4 * 2 + part % 2 + position * 3 + round * 7) % values.size()];
}

// Huge values differ, so that no sum of them leaves only what is small: that depends on the order of summation, and so
// on the processor.
double MadeDistinct(double value, int64_t element, int position) {
  constexpr double kHuge = 1e29;
  if (!(value > kHuge) || std::isinf(value)) return value;
  return value * (1.0 + static_cast<double>((element * 7 + position * 11) % 32) / 32.0);
}

}  // namespace

bool HasValues(const TensorPlan& plan) {
  if (!plan.bounded || !ir::IsInt(plan.dtype)) return true;
  const Bounds bounds = BoundsOf(plan);
  return (plan.low <= plan.high) == (bounds.low <= bounds.high);
}

ort::Tensor MakeTensor(const TensorPlan& plan, int round, int position, std::mt19937* random) {
  ort::Tensor tensor{.name = "in" + std::to_string(position), .dtype = plan.dtype, .shape = plan.shape, .bytes = {}};
  if (plan.contents.size() > 0) {
    AppendContents(plan, &tensor.bytes);
    return tensor;
  }
  int64_t count = 1;
  for (int64_t d : tensor.shape) count *= d;
  const bool is_complex = ir::IsComplex(plan.dtype);
  if (is_complex) count *= 2;
  const Bounds bounds = BoundsOf(plan);
  const std::vector<double> floats = !plan.evenly ? SpecialFloats(plan, round) : std::vector<double>();
  const std::vector<int64_t> integers =
      !plan.evenly && ir::IsInt(plan.dtype) ? SpecialIntegers(plan, round) : std::vector<int64_t>();
  const DType part = !is_complex ? plan.dtype : plan.dtype == DType::kComplex64 ? DType::kFloat32 : DType::kFloat64;
  for (int64_t i = 0; i < count; ++i) {
    const double unit = plan.evenly ? (static_cast<double>(i) + 0.5) / static_cast<double>(count)
                                    : static_cast<double>((*random)()) / 4294967296.0;
    if (ir::IsFloat(part)) {
      const double* special =
          is_complex ? SpecialPartAt(floats, i, round, position) : SpecialAt(floats, i, round, position);
      const double value =
          special != nullptr ? MadeDistinct(*special, i, position) : bounds.low + unit * (bounds.high - bounds.low);
      AppendFloat(part, value, &tensor.bytes);
    } else if (plan.dtype == DType::kBool) {
      AppendInteger(plan.dtype, unit < 0.5 ? 0 : 1, &tensor.bytes);
    } else {
      const int64_t* special = SpecialAt(integers, i, round, position);
      AppendInteger(plan.dtype, special != nullptr ? *special : IntegerAt(unit, bounds), &tensor.bytes);
    }
  }
  return tensor;
}

std::vector<Variation> VariationsOf(const Case& test) {
  const DType key = KeyDType(test);
  if (key == DType::kUndefined) return {};
  std::vector<Variation> variations = {{.key = key, .dtype = key}};
  // These are of one dtype, and of sizes above 0.
  if (!test.overload.starts_with("qdq::")) {
    for (const DType dtype : kDTypes) {
      if (!ir::IsComplex(key) && dtype != key) variations.push_back({.key = key, .dtype = dtype});
    }
    for (const int64_t size : SizesOf(test)) variations.push_back({.key = key, .dtype = key, .emptied = size});
  }
  std::erase_if(variations, [&](const Variation& variation) {
    return !std::ranges::all_of(PlansOf(test, variation),
                                [](const TensorPlan& plan) { return plan.contents.size() == 0 && HasValues(plan); });
  });
  return variations;
}

}  // namespace onnxport::conformance
