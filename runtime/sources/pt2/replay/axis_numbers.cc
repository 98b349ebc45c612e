#include "runtime/sources/pt2/replay/axis_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxRank = 10;      // rank up to which all products of sizes are checked
constexpr int64_t kFirstHalf = 16;   // half of a smaller size is a number that every program has
constexpr double kPrecision = 1e-6;  // that of a float32

bool Near(double a, double b) { return std::abs(a - b) <= kPrecision * std::abs(b); }

}  // namespace

void AxisNumbers::Add(const std::vector<int64_t>& sizes, const std::vector<bool>& depends) {
  const size_t rank = std::min(sizes.size(), kMaxRank);
  for (size_t mask = 1; mask < size_t{1} << rank; ++mask) {
    int64_t product = 1;
    bool any = false;
    int count = 0;
    for (size_t i = 0; i < rank; ++i) {
      if ((mask >> i & 1) == 0) continue;
      if (sizes[i] < 0 || __builtin_mul_overflow(product, sizes[i], &product)) any = false;
      if (sizes[i] < 0) break;
      any = any || depends[i];
      ++count;
    }
    if (any && product > 1) (count == 1 ? sizes_ : products_).insert(product);
  }
}

bool AxisNumbers::IsLike(double number, bool strict) const {
  number = std::abs(number);
  const auto same = [&](int64_t size) { return Near(number, static_cast<double>(size)); };
  const auto computed = [&](int64_t size) { return IsComputed(number, size, strict); };
  return std::ranges::any_of(sizes_, same) || std::ranges::any_of(products_, same) ||
         std::ranges::any_of(sizes_, computed);
}

bool AxisNumbers::IsComputed(double number, int64_t size, bool strict) {
  const auto n = static_cast<double>(size);
  for (const double next : {n - 1, n + 1}) {
    if (next > 0 && Near(number, next)) return true;
  }
  if (!strict && number <= 2 && number == std::floor(number)) return false;
  for (const double computed :
       {2 * n, 2 * n - 1, 2 * n + 1, n * n, std::sqrt(n), 1 / n, 1 / std::sqrt(n), std::log(n)}) {
    if (Near(number, computed)) return true;
  }
  if (size > 2 && Near(number, 1 / (n - 1))) return true;
  return (strict || size >= kFirstHalf) && (number == std::floor(n / 2) || number == std::ceil(n / 2));
}

}  // namespace onnxport::pt2
