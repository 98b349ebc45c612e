#include "tests/conformance/variation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace onnxport::conformance {
namespace {

void EachTensor(const Value& value, const std::function<void(const Value&)>& visit) {
  if (value.kind == Value::kTensor) return visit(value);
  for (const Value& item : value.items) EachTensor(item, visit);
}

bool IsVaried(DType dtype, const Variation& variation) {
  if (variation.key == DType::kUndefined) return false;
  return ir::IsFloat(variation.key) ? ir::IsFloat(dtype) : dtype == variation.key;
}

std::string TensorText(const Value& tensor, const Variation& variation) {
  const TensorPlan plan = PlanOf(tensor, variation);
  std::string text = fmt::format("{}[{}]", IsVaried(tensor.dtype, variation) ? "T" : ir::ShortName(plan.dtype),
                                 fmt::join(plan.shape, ","));
  if (tensor.bounded)
    text += tensor.evenly ? fmt::format(" from {} to {}", tensor.low, tensor.high)
                          : fmt::format(" in {}..{}", tensor.low, tensor.high);
  return text;
}

std::string ValueText(const Value& value, const Variation& variation) {
  switch (value.kind) {
    case Value::kNone:
      return "None";
    case Value::kBool:
      return value.integer != 0 ? "True" : "False";
    case Value::kInt:
      return std::to_string(value.integer);
    case Value::kFloat:
      return fmt::format("{:#}", value.number);
    case Value::kText:
      return fmt::format("\"{}\"", value.text);
    case Value::kDType:
      return std::string(ir::Name(value.dtype));
    case Value::kTensor:
      return TensorText(value, variation);
    case Value::kList:
      break;
  }
  std::vector<std::string> items;
  for (const Value& item : value.items) items.push_back(ValueText(item, variation));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

DType KeyDType(const Case& test) {
  DType first = DType::kUndefined;
  DType first_float = DType::kUndefined;
  for (const Arg& arg : test.args) {
    EachTensor(arg.value, [&](const Value& tensor) {
      if (first == DType::kUndefined) first = tensor.dtype;
      if (first_float == DType::kUndefined && ir::IsFloat(tensor.dtype)) first_float = tensor.dtype;
    });
  }
  return first_float == DType::kUndefined ? first : first_float;
}

std::vector<int64_t> SizesOf(const Case& test) {
  std::vector<int64_t> sizes;
  for (const Arg& arg : test.args) {
    EachTensor(arg.value, [&](const Value& tensor) {
      if (!sizes.empty()) return;
      for (int64_t size : tensor.shape) {
        if (size > 1 && std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
      }
    });
  }
  return sizes;
}

std::vector<TensorPlan> PlansOf(const Case& test, const Variation& variation) {
  std::vector<TensorPlan> plans;
  for (const Arg& arg : test.args) {
    EachTensor(arg.value, [&](const Value& tensor) { plans.push_back(PlanOf(tensor, variation)); });
  }
  return plans;
}

TensorPlan PlanOf(const Value& tensor, const Variation& variation) {
  TensorPlan plan{.dtype = IsVaried(tensor.dtype, variation) ? variation.dtype : tensor.dtype,
                  .shape = tensor.shape,
                  .bounded = tensor.bounded,
                  .low = tensor.low,
                  .high = tensor.high,
                  .evenly = tensor.evenly,
                  .contents = tensor.items};
  if (variation.emptied >= 0) std::ranges::replace(plan.shape, variation.emptied, 0);
  return plan;
}

std::string CallText(const Case& test, const Variation& variation) {
  std::vector<std::string> args;
  for (const Arg& arg : test.args) args.push_back(fmt::format("{}={}", arg.name, ValueText(arg.value, variation)));
  return fmt::format("({})", fmt::join(args, ", "));
}

}  // namespace onnxport::conformance
