// Builtins of the spec language on host numbers and lists.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/scalar_type.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/dsl/builtins.h"
#include "runtime/lowering/dsl/placement.h"

namespace onnxport::lowering {
namespace {

constexpr int64_t kMaxRange = 1 << 20;
constexpr int kIntMinMaxOpset = 12;  // Min and Max take integers

// For sizes, the bounds often decide. Otherwise a node is added.
Val Extreme(const char* op, const Val& a, const Val& b) {
  const bool least = *op == 'M' && op[1] == 'i';
  for (const Val* side : {&a, &b})
    if (!side->is_number() && !side->is_tensor())
      throw Refusal(fmt::format("no {} of {} and {}", least ? "min" : "max", a.ToString(), b.ToString()));
  if (a.is_tensor() || b.is_tensor()) {
    Emitter* emitter = EmitterOf(a, b);
    const auto left = SizeOf(a);
    const auto right = SizeOf(b);
    if (left && right) {
      const ir::Range difference = RunBounds(*left - *right, emitter->graph().ranges);
      if (difference.max && *difference.max <= 0) return least ? a : b;
      if (difference.min && *difference.min >= 0) return least ? b : a;
      if (auto known = FindSize(emitter, least ? ir::Dim::Min(*left, *right) : ir::Dim::Max(*left, *right))) {
        return *known;
      }
    }
    // Three ways, the cheapest first: the bounds decide, the same size was computed before, or a node is added.
    const Val& tensor = a.is_tensor() ? a : b;
    if (emitter->opset() >= kIntMinMaxOpset || !is_int(tensor)) return EmitOn(op, {a, b});
    const Val less = EmitOn("Less", {a, b});
    return least ? EmitOn("Where", {less, a, b}) : EmitOn("Where", {less, b, a});
  }
  // If they are equal, the first one, like Python's min and max: 1 and 1.0 are equal but not the same.
  return (least ? b < a : a < b) ? b : a;
}

// Applies a float function: Sqrt, Exp, Log.
Val Function(const char* op, const Val& number, double (*f)(double)) {
  if (number.is_tensor()) return EmitOn(op, {number});
  const double result = f(number.AsFloat());
  // Python raises here, too. A NaN would silently become a constant of the model.
  if (std::isnan(result)) throw Refusal(fmt::format("{} of {} is not a number", op, number.ToString()));
  return result;
}

Val Reduce(const Val& list, const char* name, Val (*f)(const Val&, const Val&)) {
  const Vals& elements = list.AsList();
  if (elements.empty()) throw Refusal(fmt::format("{} of an empty list", name));
  Val result = elements[0];
  for (size_t i = 1; i < elements.size(); ++i) result = f(result, elements[i]);
  return result;
}

struct Limits {
  double lowest, highest;
};

Limits FloatLimits(DType dtype) {
  switch (dtype) {
    case DType::kFloat8E4M3FN:
      return {-448.0, 448.0};
    case DType::kFloat8E5M2:
      return {-57344.0, 57344.0};
    case DType::kFloat16:
      return {-65504.0, 65504.0};
    case DType::kBFloat16:
      return {-0x1.fep127, 0x1.fep127};
    case DType::kFloat32:
      return {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
    case DType::kFloat64:
      return {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
    default:
      throw Refusal(fmt::format("{} has no float limits", ir::Name(dtype)));
  }
}

DType DTypeOf(const Val& value) { return value.is_dtype() ? value.AsDType() : dtype(value).AsDType(); }

// Bits and sign of an integer dtype.
std::pair<int, bool> IntShape(const Val& value) {
  const DType dtype = DTypeOf(value);
  if (!ir::IsInt(dtype)) throw Refusal(fmt::format("{} has no integer limits", ir::Name(dtype)));
  return {static_cast<int>(ir::ByteSize(dtype)) * 8, ir::Name(dtype).front() == 'i'};
}

}  // namespace

Val range(const Val& end) { return range(0, end, 1); }
Val range(const Val& begin, const Val& end) { return range(begin, end, 1); }
Val range(const Val& begin, const Val& end, const Val& step) {
  const int64_t first = begin.AsInt();
  const int64_t last = end.AsInt();
  const int64_t by = step.AsInt();
  if (by == 0) throw Refusal("range with step 0");
  Vals out;
  for (int64_t i = first; by > 0 ? i < last : i > last;) {
    if (static_cast<int64_t>(out.size()) == kMaxRange) throw Refusal("a range of more than a million");
    out.push_back(i);
    // Beyond the largest integer, `end` cannot allow any more numbers.
    if (__builtin_add_overflow(i, by, &i)) break;
  }
  return out;
}

Val len(const Val& list) { return list.is_text() ? list.AsText().size() : list.AsList().size(); }

Val split_text(const Val& text, const Val& by) {
  const std::string& separator = by.AsText();
  if (separator.empty()) throw Refusal("split by an empty text");
  std::string_view rest = text.AsText();
  Vals out;
  for (size_t at = rest.find(separator); at != std::string_view::npos; at = rest.find(separator)) {
    out.emplace_back(std::string(rest.substr(0, at)));
    rest.remove_prefix(at + separator.size());
  }
  out.emplace_back(std::string(rest));
  return out;
}

Val codes(const Val& text) {
  Vals out;
  for (const unsigned char c : text.AsText()) out.emplace_back(int64_t{c});
  return out;
}

Val as_dtype(const Val& number) {
  const std::optional<DType> dtype = ir::DTypeOfScalarType(number.AsInt());
  if (!dtype) throw Refusal(fmt::format("{} is the number of no dtype that is exported", number.ToString()));
  return *dtype;
}

Val swap(const Val& list, const Val& i, const Val& j) {
  Vals out = list.AsList();
  const auto first = static_cast<size_t>(normal_axis(i, out.size()).AsInt());
  const auto second = static_cast<size_t>(normal_axis(j, out.size()).AsInt());
  if (!out.empty()) std::swap(out[first], out[second]);  // for a 0-d tensor: axis 0 and -1, no element
  return out;
}

Val repeat_to(const Val& value, const Val& n) {
  const int64_t count = n.AsInt();
  if (!value.is_list()) return Val(Vals{value}) * n;
  const auto size = static_cast<int64_t>(value.AsList().size());
  if (size == count) return value;
  if (size == 1) return value * n;
  throw Refusal(fmt::format("{} needs {} elements", value.ToString(), count));
}

Val inverse_perm(const Val& perm) {
  const Vals& list = perm.AsList();
  Vals out(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    out[static_cast<size_t>(normal_axis(list[i], Val(list.size())).AsInt())] = i;
  }
  return out;
}

Val without(const Val& list, const Val& values) {
  const Val removed = values.is_list() ? values : Val(Vals{values});
  return Filter(list, [&](const Val& element) { return !Contains(removed, element); });
}

Val move_last(const Val& list, const Val& value) { return without(list, value) + Val(Vals{value}); }

Val sorted(const Val& list) {
  Vals out = list.AsList();
  // Stable, like Python's: equal elements keep their order, so the model's bytes do not change.
  std::ranges::stable_sort(out, [](const Val& a, const Val& b) { return a < b; });
  return out;
}

Val reversed(const Val& list) {
  const Vals& elements = list.AsList();
  return Vals(elements.rbegin(), elements.rend());
}

Val min(const Val& a, const Val& b) { return Extreme("Min", a, b); }
Val max(const Val& a, const Val& b) { return Extreme("Max", a, b); }
Val min(const Val& list) { return Reduce(list, "min", min); }
Val max(const Val& list) { return Reduce(list, "max", max); }

Val sum(const Val& list) {
  Val total = 0;
  for (const Val& element : list.AsList()) total = total + element;
  return total;
}

Val product(const Val& list) {
  Val total = 1;
  for (const Val& element : list.AsList()) total = total * element;
  return total;
}

Val abs(const Val& number) {
  if (number.is_tensor()) return EmitOn("Abs", {number});
  if (number.is_float()) return std::abs(number.AsFloat());
  return number.AsInt() < 0 ? -number : Val(number.AsInt());
}

Val sqrt(const Val& number) { return Function("Sqrt", number, std::sqrt); }
Val exp(const Val& number) { return Function("Exp", number, std::exp); }
Val log(const Val& number) { return Function("Log", number, std::log); }

Val floor(const Val& number) {
  if (!number.is_float()) return number.AsInt();
  return Val(std::floor(number.AsFloat())).AsInt();
}

Val ceil(const Val& number) {
  if (!number.is_float()) return number.AsInt();
  return Val(std::ceil(number.AsFloat())).AsInt();
}

Val finfo_min(const Val& dtype) { return FloatLimits(DTypeOf(dtype)).lowest; }
Val finfo_max(const Val& dtype) { return FloatLimits(DTypeOf(dtype)).highest; }

Val iinfo_min(const Val& dtype) {
  const auto [bits, is_signed] = IntShape(dtype);
  return is_signed ? std::numeric_limits<int64_t>::min() >> (64 - bits) : 0;
}

Val iinfo_max(const Val& dtype) {
  const auto [bits, is_signed] = IntShape(dtype);
  if (bits == 64 && !is_signed) throw Refusal("the largest uint64 is no host integer");
  return is_signed ? std::numeric_limits<int64_t>::max() >> (64 - bits) : (int64_t{1} << bits) - 1;
}

bool all(const Val& list) {
  return std::ranges::all_of(list.AsList(), [](const Val& v) { return static_cast<bool>(v); });
}

bool any(const Val& list) {
  return std::ranges::any_of(list.AsList(), [](const Val& v) { return static_cast<bool>(v); });
}

Val zip(const Val& a, const Val& b) {
  Vals out;
  const size_t size = std::min(a.AsList().size(), b.AsList().size());
  for (size_t i = 0; i < size; ++i) out.push_back(Vals{a.AsList()[i], b.AsList()[i]});
  return out;
}

Val enumerate(const Val& list) { return zip(range(len(list)), list); }

Val refuse(const Val& reason) { throw Refusal(Code::kRefusedBySpec, reason.AsText()); }

Val normal_axis(const Val& axis, const Val& rank) {
  const int64_t i = axis.AsInt();
  const int64_t n = std::max<int64_t>(rank.AsInt(), 1);  // a 0-d tensor takes axis 0 and -1
  if (i < -n || i >= n)
    throw Refusal(Code::kIndexIsOutside, fmt::format("axis {} is outside a rank of {}", i, rank.AsInt()));
  return i < 0 ? i + n : i;
}

Val Map(const Val& list, FunctionRef<Val(const Val&)> f) {
  Vals out;
  for (const Val& element : list.AsList()) out.push_back(f(element));
  return out;
}

Val Filter(const Val& list, FunctionRef<bool(const Val&)> keep) {
  Vals out;
  for (const Val& element : list.AsList()) {
    if (keep(element)) out.push_back(element);
  }
  return out;
}

}  // namespace onnxport::lowering
