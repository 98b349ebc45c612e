#include "runtime/lowering/dsl/reshape_target.h"

#include <algorithm>
#include <string_view>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"

namespace onnxport::lowering {
namespace {

constexpr int kAllowZeroOpset = 14;

bool IsPositive(const ir::Dim& size, const Emitter& emitter) {
  const ir::Range range = TrustedBounds(size, emitter);
  return range.min && *range.min > 0;
}

bool IsNumber(const Val& size, int64_t number) {
  const auto dim = SizeOf(size);
  return dim && *dim == ir::Dim(number);
}

bool IsEmpty(const std::optional<ir::Dims>& dims) {
  return dims && std::ranges::find(*dims, ir::Dim(0)) != dims->end();
}

// Returns true if each 0 in the target is also 0 in the input, so that "as in the input" is right.
bool CopiesZeros(const Vals& sizes, const std::optional<ir::Dims>& dims) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (IsNumber(sizes[i], 0) && !(dims && i < dims->size() && (*dims)[i] == ir::Dim(0))) return false;
  }
  return true;
}

void SetEmptyTarget(const Tensor& x, Vals* sizes, NamedArgs* attributes) {
  if (std::ranges::any_of(*sizes, [](const Val& size) { return IsNumber(size, -1); })) {
    throw Refusal("a size of -1 beside a size of 0 can be any");
  }
  const auto& dims = ValueOf(x).dims;
  if (is_static(Val(*sizes)) && CopiesZeros(*sizes, dims)) return;
  if (x.emitter->opset() >= kAllowZeroOpset) {
    attributes->push_back({"allowzero", 1});
    return;
  }
  const auto is_zero = [](const Val& size) { return IsNumber(size, 0); };
  if (!is_static(Val(*sizes)) || !IsEmpty(dims) || std::ranges::count_if(*sizes, is_zero) > 1) {
    throw Refusal(Code::kNotAtThisOpset, "a Reshape to sizes of which one is 0 needs opset 14 here");
  }
  *std::ranges::find_if(*sizes, is_zero) = -1;
}

// A number known only at run time that is no size may be 0, such as n // 4. It must not mean "as in the input".
bool MayBeZero(const Vals& sizes, const Emitter& emitter) {
  const auto may_be_zero = [&](const Val& size) {
    const auto dim = SizeOf(size);
    return size.is_tensor() && !(dim && IsPositive(*dim, emitter));
  };
  return std::ranges::none_of(sizes, [](const Val& size) { return IsNumber(size, -1); }) &&
         std::ranges::any_of(sizes, may_be_zero);
}

void SimplifyComputed(const Tensor& x, Vals* sizes, NamedArgs* attributes) {
  const Vals given = *sizes;
  const Emitter& emitter = *x.emitter;
  const auto& dims = ValueOf(x).dims;
  std::vector<size_t> computed;
  bool others_positive = true;  // then -1 is unique
  for (size_t i = 0; i < sizes->size(); ++i) {
    Val& wanted = (*sizes)[i];
    const auto size = SizeOf(wanted);
    if (!wanted.is_tensor()) {
      others_positive = others_positive && size && size->is_number() && size->number() > 0;
    } else if (size && dims && i < dims->size() && *size == (*dims)[i]) {
      others_positive = others_positive && IsPositive(*size, emitter);
      wanted = 0;
    } else {
      computed.push_back(i);
    }
  }
  if (computed.size() == 1 && others_positive) {
    (*sizes)[computed[0]] = -1;
  } else if (MayBeZero(given, emitter) && emitter.opset() >= kAllowZeroOpset) {
    *sizes = given;
    attributes->push_back({"allowzero", 1});
  }
}

ir::Dims AskedFor(const Vals& sizes) {
  ir::Dims asked;
  for (const Val& size : sizes) asked.push_back(IsNumber(size, -1) ? ir::Dim() : SizeOf(size).value_or(ir::Dim()));
  return asked;
}

}  // namespace

ir::Dims SetReshapeTarget(Vals* inputs, NamedArgs* attributes) {
  if (inputs->size() < 2 || !(*inputs)[0].is_tensor() || !(*inputs)[1].is_list()) return {};
  const auto allows_zero = [](const Named& attr) { return std::string_view(attr.name) == "allowzero"; };
  if (std::ranges::any_of(*attributes, allows_zero)) return {};
  const Tensor x = (*inputs)[0].AsTensor();
  Vals sizes = (*inputs)[1].AsList();
  const ir::Dims asked = AskedFor(sizes);
  if (std::ranges::any_of(sizes, [](const Val& size) { return IsNumber(size, 0); })) {
    SetEmptyTarget(x, &sizes, attributes);
  } else if (!is_static((*inputs)[1])) {
    SimplifyComputed(x, &sizes, attributes);
  } else {
    return {};
  }
  (*inputs)[1] = std::move(sizes);
  return asked;
}

}  // namespace onnxport::lowering
