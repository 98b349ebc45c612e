#include "runtime/sources/torch/without_memory.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/enum_tag.h>
#include <ATen/ops/empty_strided.h>
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

// Makes reading it through a pointer throw.
void Close(const c10::Storage& storage) {
  storage.unsafeGetStorageImpl()->release_data_and_set_meta_custom_data_ptr_error_msg_(
      "the values of a tensor are read through a pointer, in a run without memory");
}

// While it lives, LibTorch's own kernels can ask for pointers, which they only compare.
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

// A number that LibTorch wrapped has a lower priority for the dtype of a result.
void KeepWrapped(const at::Tensor& from, at::Tensor* made) {
  if (from.unsafeGetTensorImpl()->is_wrapped_number()) made->unsafeGetTensorImpl()->set_wrapped_number(true);
}

bool HasNone(const at::Tensor& tensor) { return tensor.is_meta(); }

// `value` is an argument or result of a call.
IValue WithOthers(const IValue& value, at::Tensor (*replace)(const at::Tensor&)) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(replace(value.toTensor())) : value;
  if (!value.isTensorList() && !value.isOptionalTensorList()) return value;
  c10::impl::GenericList list(value.toList().elementType());
  for (const IValue& item : value.toListRef()) list.push_back(WithOthers(item, replace));
  return list;
}

at::Tensor Stripped(const at::Tensor& tensor) { return HasNone(tensor) ? tensor : WithoutMemory(tensor); }

// Returns zeros in the same memory layout, because that of a result may depend on it. A tensor with values keeps them.
at::Tensor ZerosWhereNone(const at::Tensor& tensor) {
  if (!HasNone(tensor)) return tensor;
  const auto options = at::TensorOptions(tensor.scalar_type()).device(at::kCPU);
  at::Tensor zeros = at::empty_strided(tensor.sizes(), tensor.strides(), options).zero_();
  KeepWrapped(tensor, &zeros);
  return zeros;
}

// Returns strides with the same order of axes in memory, without gaps. For example, `seen` has shape [2, 3, 4] and
// strides (12, 1, 3), channels last. For sizes [5, 3, 7] the strides are (21, 1, 3).
std::optional<Sizes> StridesLike(const Sizes& sizes, const ir::Value& seen) {
  if (!seen.strides || seen.strides->size() != sizes.size()) return std::nullopt;
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto stride = [&](size_t axis) { return (*seen.strides)[axis].number(); };
  // If two axes have the same stride, the later one is the inner one. So a row-major tensor stays row-major.
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
      : op_(op), name_(c10::toString(op.operator_name())), given_(std::move(arguments)), seen_(seen) {}

  Stack Call() {
    CheckWrites();
    for (const IValue& argument : given_) arguments_.push_back(WithOthers(argument, Stripped));
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
      VisitTensors(given_[i], [&](const at::Tensor& tensor) {
        if (!HasNone(tensor)) throw Refusal::NotDecided(name_ + " writes what has no memory to a tensor that has");
      });
    }
  }

  Stack Results() const {
    if (op_.hasTag(at::Tag::data_dependent_output)) throw Refusal::NotDecided(name_ + " asks for a value");
    try {
      Stack stack = arguments_;
      op_.callBoxed(&stack);
      return stack;
    } catch (const c10::NotImplementedError&) {
      return WithoutKernel();
    } catch (const c10::Error&) {
      // A kernel of the meta device may accept less than that of the CPU: group_norm rejects a transposed tensor. If
      // the CPU does not accept it either, the program fails.
      if (auto tried = Tried()) return *std::move(tried);
      throw;
    }
  }

  // For calls without a kernel for the meta device. Tensors that are written to are known without one. Otherwise sizes
  // come from the shape function, if a run gives dtype and strides. Otherwise the call is made with zeros.
  Stack WithoutKernel() const {
    if (Stack written = Written(); !written.empty()) return written;
    if (IsSizedByValues()) throw Refusal::NotDecided("values decide the size of the result of " + name_);
    if (auto sized = Sized()) return *std::move(sized);
    if (auto tried = Tried()) return *std::move(tried);
    throw Refusal::NotDecided("LibTorch cannot tell without values what " + name_ + " gives");
  }

  // Not always: `index` has the tag, too, but has a kernel for all arguments except masks.
  bool IsSizedByValues() const { return op_.hasTag(at::Tag::dynamic_output_shape); }

  bool GivesNew() const {
    const auto is_new = [](const c10::Argument& result) { return result.alias_info() == nullptr; };
    return std::ranges::all_of(op_.schema().returns(), is_new);
  }

  // The results of an in-place operator are the tensors that it writes to.
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

  std::optional<Stack> Sized() const {
    if (seen_ == nullptr || !GivesNew()) return std::nullopt;
    const auto sizes = ResultSizes(op_.schema(), arguments_);
    if (!sizes || sizes->size() != op_.schema().returns().size()) return std::nullopt;
    const std::vector<const ir::Value*> seen = (*seen_)();
    Stack results;
    for (size_t i = 0; i < sizes->size(); ++i) {
      const auto strides = i < seen.size() && seen[i] != nullptr ? StridesLike((*sizes)[i], *seen[i]) : std::nullopt;
      if (!strides) return std::nullopt;
      results.emplace_back(WithoutMemory((*sizes)[i], *strides, ScalarTypeOf(seen[i]->dtype)));
    }
    return results;
  }

  // Makes this one call on the CPU, with zeros for tensors without values.
  std::optional<Stack> Tried() const {
    if (!GivesNew() || IsSizedByValues()) return std::nullopt;
    Stack results;
    for (const IValue& argument : given_) results.push_back(WithOthers(argument, ZerosWhereNone));
    try {
      op_.callBoxed(&results);
    } catch (const c10::Error&) {
      return std::nullopt;
    }
    for (IValue& result : results) result = WithOthers(result, Stripped);
    return results;
  }

  const c10::OperatorHandle& op_;
  std::string name_;
  Stack given_;
  Stack arguments_;  // all without memory
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
  KeepWrapped(tensor, &made);
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
