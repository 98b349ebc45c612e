#include "runtime/sources/torch/without_memory.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>
#include <c10/core/TensorOptions.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "runtime/base/refusal.h"
#include "runtime/sources/torch/arguments.h"
#include "runtime/sources/torch/shape_function.h"
#include "runtime/sources/torch/tensor_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;
using Sizes = std::vector<int64_t>;
using Stack = std::vector<IValue>;

// Nobody reads it through a pointer.
void Close(const c10::Storage& storage) {
  storage.unsafeGetStorageImpl()->release_data_and_set_meta_custom_data_ptr_error_msg_(
      "the values of a tensor are read through a pointer, in a run without memory");
}

// Lets LibTorch's own kernels ask for pointers, which they only compare.
class Opened {
 public:
  explicit Opened(const std::vector<IValue>& values) {
    for (const IValue& value : values) {
      VisitTensors(value, [&](const at::Tensor& tensor) {
        if (!tensor.is_meta()) return;
        closed_.push_back(tensor.storage());
        closed_.back().unsafeGetStorageImpl()->clear_data_ptr_access_error_msg_();
      });
    }
  }
  ~Opened() { std::ranges::for_each(closed_, Close); }
  Opened(const Opened&) = delete;

 private:
  std::vector<c10::Storage> closed_;
};

bool HasNone(const at::Tensor& tensor) { return tensor.is_meta(); }

// Of an argument or result of a call.
IValue WithOthers(const IValue& value, at::Tensor (*replace)(const at::Tensor&)) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(replace(value.toTensor())) : value;
  if (!value.isTensorList() && !value.isOptionalTensorList()) return value;
  c10::impl::GenericList list(value.toList().elementType());
  for (const IValue& item : value.toListRef()) list.push_back(WithOthers(item, replace));
  return list;
}

at::Tensor Stripped(const at::Tensor& tensor) { return HasNone(tensor) ? tensor : WithoutMemory(tensor); }

at::Tensor Zeros(const at::Tensor& tensor) {
  return at::zeros({}, at::TensorOptions(tensor.scalar_type())).expand(tensor.sizes()).clone();
}

// Of the same order of axes in memory, without gaps.
// Seen [2, 3, 4] with strides (12, 1, 3), channels last: at sizes [5, 3, 7] the strides are (21, 1, 3).
std::optional<Sizes> StridesLike(const Sizes& sizes, const ir::Value& seen) {
  if (!seen.strides || seen.strides->size() != sizes.size()) return std::nullopt;
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto stride = [&](size_t axis) { return (*seen.strides)[axis].number(); };
  // The later of two axes with one stride lies inside: a row-major tensor stays one.
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return stride(a) > stride(b); });
  Sizes strides(sizes.size());
  int64_t step = 1;
  int64_t seen_step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t axis = order[i];
    if (stride(axis) != seen_step) return std::nullopt;
    strides[axis] = step;
    step *= std::max<int64_t>(sizes[axis], 1);
    seen_step *= std::max<int64_t>((*seen.dims)[axis].number(), 1);
  }
  return strides;
}

at::ScalarType ScalarTypeOf(ir::DType dtype) {
  for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
    const auto type = static_cast<at::ScalarType>(i);
    if (DTypeOf(type) == dtype) return type;
  }
  throw Refusal::NotDecided("a result of a type that LibTorch has not");
}

class Caller {
 public:
  Caller(const c10::OperatorHandle& op, Stack arguments, const Seen* seen)
      : op_(op), name_(c10::toString(op.operator_name())), arguments_(std::move(arguments)), seen_(seen) {}

  Stack Call() {
    CheckWrites();
    for (IValue& argument : arguments_) argument = WithOthers(argument, Stripped);
    const Opened opened(arguments_);
    Stack results = Results();
    CloseMemory(results);
    return results;
  }

 private:
  void CheckWrites() const {
    const auto& schema = op_.schema();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const auto* alias = schema.arguments()[i].alias_info();
      if (alias == nullptr || !alias->isWrite()) continue;
      VisitTensors(arguments_[i], [&](const at::Tensor& tensor) {
        if (!HasNone(tensor)) throw Refusal::NotDecided(name_ + " writes what has no memory to a tensor that has");
      });
    }
  }

  Stack Results() const {
    if (op_.hasTag(at::Tag::data_dependent_output)) throw Refusal::NotDecided(name_ + " asks for a value");
    if (op_.hasTag(at::Tag::dynamic_output_shape))
      throw Refusal::NotDecided("values decide the size of what " + name_ + " gives");
    try {
      Stack stack = arguments_;
      op_.callBoxed(&stack);
      return stack;
    } catch (const c10::NotImplementedError&) {
      // No kernel for the meta device. What is written to is known without one; else sizes come from the shape
      // function, or, without a run to take dtype and strides from, from a call with zeros.
      if (const Stack written = Written(); !written.empty()) return written;
      return seen_ == nullptr ? Tried() : Sized();
    }
  }

  // What an in-place operator gives: the tensors that it writes to.
  Stack Written() const {
    Stack results;
    for (const c10::Argument& result : op_.schema().returns()) {
      const auto* alias = result.alias_info();
      if (alias == nullptr || !alias->isWrite()) return {};
      for (size_t i = 0; i < arguments_.size(); ++i) {
        const auto* written = op_.schema().arguments()[i].alias_info();
        if (written != nullptr && written->beforeSet() == alias->beforeSet()) results.push_back(arguments_[i]);
      }
    }
    return results;
  }

  Stack Sized() const {
    const auto sizes = ResultSizes(op_.schema(), arguments_);
    const auto& returns = op_.schema().returns();
    const auto is_new = [](const c10::Argument& result) { return result.alias_info() == nullptr; };
    if (!sizes || sizes->size() != returns.size() || !std::ranges::all_of(returns, is_new)) {
      throw Refusal::NotDecided("LibTorch cannot tell without values what " + name_ + " gives");
    }
    const std::vector<const ir::Value*> seen = (*seen_)();
    Stack results;
    for (size_t i = 0; i < sizes->size(); ++i) {
      results.emplace_back(Like(i < seen.size() ? seen[i] : nullptr, (*sizes)[i]));
    }
    return results;
  }

  // Of a module that has no values at all: this one call is made with zeros.
  Stack Tried() const {
    const auto unknown = Refusal::NotDecided("LibTorch cannot tell without values what " + name_ + " gives");
    const auto shares = [](const c10::Argument& result) { return result.alias_info() != nullptr; };
    if (std::ranges::any_of(op_.schema().returns(), shares)) throw unknown;
    Stack results;
    for (const IValue& argument : arguments_) results.push_back(WithOthers(argument, Zeros));
    try {
      op_.callBoxed(&results);
    } catch (const c10::Error&) {
      throw unknown;
    }
    for (IValue& result : results) result = WithOthers(result, Stripped);
    return results;
  }

  at::Tensor Like(const ir::Value* seen, const Sizes& sizes) const {
    const auto strides = seen != nullptr ? StridesLike(sizes, *seen) : std::nullopt;
    if (!strides)
      throw Refusal::NotDecided("LibTorch cannot tell without values how a result of " + name_ + " lies in memory");
    return WithoutMemory(sizes, *strides, ScalarTypeOf(seen->dtype));
  }

  const c10::OperatorHandle& op_;
  std::string name_;
  Stack arguments_;
  const Seen* seen_;
};

}  // namespace

at::Tensor WithoutMemory(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType dtype) {
  at::Tensor tensor = at::empty_strided(sizes, strides, at::TensorOptions(dtype).device(at::kMeta));
  Close(tensor.storage());
  return tensor;
}

at::Tensor WithoutMemory(const at::Tensor& tensor) {
  at::Tensor made = WithoutMemory(tensor.sizes(), tensor.strides(), tensor.scalar_type());
  // It counts for less in the dtype of a result.
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) made.unsafeGetTensorImpl()->set_wrapped_number(true);
  return made;
}

bool AnyWithoutMemory(std::span<const IValue> values) {
  bool any = false;
  for (const IValue& value : values) {
    VisitTensors(value, [&](const at::Tensor& tensor) { any = any || HasNone(tensor); });
  }
  return any;
}

void CloseMemory(std::span<const IValue> values) {
  for (const IValue& value : values) {
    VisitTensors(value, [](const at::Tensor& tensor) {
      if (tensor.is_meta()) Close(tensor.storage());
    });
  }
}

void CallWithoutMemory(const c10::OperatorHandle& op, Stack* stack, const Seen* seen) {
  const auto begin = stack->end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  Stack results = Caller(op, Stack(begin, stack->end()), seen).Call();
  stack->erase(begin, stack->end());
  stack->insert(stack->end(), results.begin(), results.end());
}

}  // namespace onnxport::torch_export
