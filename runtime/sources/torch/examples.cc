#include "runtime/sources/torch/examples.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>

#include "runtime/base/error.h"
#include "runtime/inputs/inputs.h"
#include "runtime/sources/torch/arguments.h"
#include "runtime/sources/torch/tensor_memory.h"
#include "runtime/sources/torch/without_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;
using Replace = std::function<at::Tensor(const at::Tensor&)>;

[[noreturn]] void Usage(const std::string& what) { throw Error(ErrorKind::kUsage, what); }

// Returns the value with other tensors, in the order of VisitTensors.
IValue With(const IValue& value, const Replace& replace) {
  if (value.isTensor()) return value.toTensor().defined() ? IValue(replace(value.toTensor())) : value;
  if (value.isList()) {
    auto list = c10::impl::GenericList(value.toList().elementType());
    for (const IValue& item : value.toListRef()) list.push_back(With(item, replace));
    return list;
  }
  if (value.isTuple()) {
    std::vector<IValue> elements;
    for (const IValue& item : value.toTupleRef().elements()) elements.push_back(With(item, replace));
    return c10::ivalue::Tuple::create(std::move(elements));
  }
  if (value.isGenericDict()) {
    const auto old = value.toGenericDict();
    auto dict = c10::impl::GenericDict(old.keyType(), old.valueType());
    for (const auto& entry : old) dict.insert(entry.key(), With(entry.value(), replace));
    return dict;
  }
  return value;
}

// Collects names by place: "past.0.key".
void NameTensors(const IValue& value, const std::string& name, std::vector<std::string>* names) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) names->push_back(name);
  } else if (value.isList() || value.isTuple()) {
    const auto items = value.isList() ? value.toListRef() : c10::ArrayRef<IValue>(value.toTupleRef().elements());
    for (size_t i = 0; i < items.size(); ++i) NameTensors(items[i], fmt::format("{}.{}", name, i), names);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      const std::string key = entry.key().isString() ? entry.key().toStringRef() : std::to_string(entry.key().toInt());
      NameTensors(entry.value(), name + "." + key, names);
    }
  }
}

// Returns true for a row of integers that never decreases, or never increases: offsets, positions, lengths of packed
// sequences. With values drawn in random order, pack_padded_sequence or embedding_bag would fail, and the program could
// not run with other values.
bool InOrder(const at::Tensor& example) {
  if (example.dim() != 1 || example.numel() < 2 || !at::isIntegralType(example.scalar_type(), false)) return false;
  const at::Tensor steps = example.detach().to(at::kLong).diff();
  return steps.ge(0).all().item<bool>() || steps.le(0).all().item<bool>();
}

// Returns true if both are equal, not considering tensors.
bool SameButTensors(const IValue& a, const IValue& b) {
  if (a.isTensor() || b.isTensor()) return a.isTensor() && b.isTensor();
  if (a.isGenericDict() || b.isGenericDict()) return a.isGenericDict() && b.isGenericDict();  // names decide the rest
  const auto items = [](const IValue& value) {
    return value.isList() ? value.toListRef() : c10::ArrayRef<IValue>(value.toTupleRef().elements());
  };
  if (a.isList() || a.isTuple())
    return a.tagKind() == b.tagKind() && std::ranges::equal(items(a), items(b), SameButTensors);
  return a == b;
}

// Draws values of the example with repetition, so the program gets values of the kind that it expects, but other ones.
// If all elements of the example are equal, floats are drawn between 0 and 1.
at::Tensor Redraw(const at::Tensor& example, const std::vector<int64_t>& sizes, std::mt19937* random) {
  const int64_t count = c10::multiply_integers(sizes);
  std::vector<int64_t> picks(static_cast<size_t>(count));
  const at::Tensor flat = example.detach().contiguous().view(-1);
  if (flat.numel() == 0) return at::zeros(sizes, example.options());
  // Each element differs from the one before, if there are enough others.
  const auto others = static_cast<uint64_t>(flat.numel() > 1 ? flat.numel() - 1 : 1);
  for (size_t i = 0; i < picks.size(); ++i) {
    // i + 1 .. i + numel - 1, modulo numel, is every place except i.
    const uint64_t pick = i + 1 + (*random)() % others;
    picks[i] = static_cast<int64_t>(pick % static_cast<uint64_t>(flat.numel()));
  }
  // The first one stays, because offsets begin with 0.
  if (InOrder(example) && count > 0) {
    picks[0] = 0;
    std::ranges::sort(picks);
  }
  const bool same = flat.eq(flat[0]).all().item<bool>();
  if (same && example.is_floating_point()) {
    const auto generator = at::detail::createCPUGenerator((*random)());
    return at::rand(sizes, generator, at::kFloat).to(example.scalar_type());
  }
  return flat.index_select(0, at::tensor(picks, at::kLong)).view(sizes);
}

}  // namespace

Examples::Examples(std::vector<IValue> values, const std::vector<std::vector<IValue>>& others,
                   const std::vector<Input>& inputs)
    : values_(std::move(values)) {
  for (size_t i = 0; i < values_.size(); ++i) {
    NameTensors(values_[i], values_.size() == 1 ? "input" : fmt::format("input_{}", i), &names_);
    // A tensor that is passed for two arguments becomes two inputs.
    values_[i] = With(values_[i], [&](const at::Tensor& tensor) {
      const auto shares = [&](const at::Tensor& other) { return other.has_storage() && other.is_alias_of(tensor); };
      const bool again = tensor.has_storage() && std::ranges::any_of(tensors_, shares);
      return tensors_.emplace_back(again ? tensor.detach().clone() : tensor);
    });
  }
  for (const at::Tensor& tensor : tensors_) dims_.push_back(*TypeOf(tensor).dims);
  if (inputs.size() > tensors_.size()) {
    Usage(fmt::format("{} inputs are described, but the examples have {} tensors", inputs.size(), tensors_.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) Describe(inputs[i], i);
  std::vector<std::string> sorted = names_;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    Usage(fmt::format("two inputs are called '{}'", *twice));
  }
  for (const auto& set : others) AddSet(set);
}

void Examples::AddSet(const std::vector<IValue>& values) {
  const std::string which = fmt::format("the set {} of further examples: ", others_.size());
  Set set;
  for (const IValue& value : values)
    VisitTensors(value, [&](const at::Tensor& tensor) { set.tensors.push_back(tensor); });
  if (!std::ranges::equal(values, values_, SameButTensors) || set.tensors.size() != tensors_.size())
    Usage(which + "it has the same arguments as the first, and the same numbers; only tensors may be others");
  for (size_t i = 0; i < set.tensors.size(); ++i) {
    const at::Tensor& tensor = set.tensors[i];
    if (tensor.scalar_type() != tensors_[i].scalar_type() || tensor.dim() != tensors_[i].dim())
      Usage(fmt::format("{}'{}' has another dtype or number of axes than the first", which, names_[i]));
    for (size_t axis = 0; axis < dims_[i].size(); ++axis) {
      const ir::Dim& dim = dims_[i][axis];
      const int64_t size = tensor.size(static_cast<int64_t>(axis));
      if (dim.is_number() && dim.number() != size)
        Usage(fmt::format("{}axis {} of '{}' is {}, {} in the first; an axis that differs has a name", which, axis,
                          names_[i], size, dim.number()));
      if (dim.is_number()) continue;
      const auto [known, added] = set.sizes.emplace(dim.ToString(), size);
      if (!added && known->second != size)
        Usage(fmt::format("{}the axis '{}' is both {} and {}", which, known->first, known->second, size));
    }
  }
  others_.push_back(std::move(set));
}

void Examples::Describe(const Input& input, size_t i) {
  const at::Tensor& tensor = tensors_[i];
  if (input.fixed || input.list) {
    Usage(fmt::format(
        "input '{}': the examples say what is a tensor, a list or a fixed value; only tensors are described",
        input.name));
  }
  if (!input.name.empty()) names_[i] = input.name;
  const ir::DType dtype = *DTypeOf(tensor.scalar_type());
  if (input.dtype != kUndefined && input.dtype != dtype) {
    Usage(
        fmt::format("input '{}' is said to be {}, the example is {}", input.name, Name(input.dtype), ir::Name(dtype)));
  }
  if (!input.dims) return;
  if (input.dims->size() != dims_[i].size()) {
    Usage(fmt::format("input '{}' is said to have {} axes, the example has {}", input.name, input.dims->size(),
                      dims_[i].size()));
  }
  for (size_t axis = 0; axis < dims_[i].size(); ++axis) DescribeAxis(input, i, axis);
}

void Examples::DescribeAxis(const Input& input, size_t i, size_t axis) {
  const Dim& dim = (*input.dims)[axis];
  const int64_t size = tensors_[i].size(static_cast<int64_t>(axis));
  if (dim.is_number() && dim.number() != size) {
    Usage(
        fmt::format("input '{}': axis {} is said to be {}, the example has {}", input.name, axis, dim.number(), size));
  }
  if (dim.is_number()) return;
  const std::string name = dim.is_symbolic() ? dim.symbol() : inputs::AxisName(names_[i], axis);
  if (!inputs::IsAxisName(name)) {
    Usage(fmt::format("input '{}': '{}' is no name of an axis (letters, digits and _, no digit first)", input.name,
                      name));
  }
  const auto [known, added] = sizes_.emplace(name, size);
  if (!added && known->second != size) {
    Usage(fmt::format("the axis '{}' is {} in one example and {} in another", name, known->second, size));
  }
  dims_[i][axis] = ir::Dim::Symbol(name);
  if (!dim.min() && !dim.max()) return;
  const int64_t min = dim.min().value_or(1);
  if (min < 1 || size < min || size > dim.max().value_or(size)) {
    Usage(fmt::format("input '{}': the axis '{}' is promised to be {} to {}, the example has {}; the least is 1",
                      input.name, name, min, dim.max() ? std::to_string(*dim.max()) : "any", size));
  }
  const auto [range, is_new] = ranges_.emplace(name, ir::Range{min, dim.max()});
  if (!is_new && (range->second.min != min || range->second.max != dim.max())) {
    Usage(fmt::format("the axis '{}' has two ranges; say it once", name));
  }
}

Examples::Arguments Examples::AsGiven() const { return {values_, tensors_}; }

Examples::Arguments Examples::OfSet(size_t set) const {
  size_t next = 0;
  return MadeAt(SizesOf(set), [&](const at::Tensor& example, const std::vector<int64_t>&) {
    const at::Tensor& tensor = set == 0 ? example : others_[set - 1].tensors[next];
    ++next;
    return tensor.detach().clone(at::MemoryFormat::Contiguous);
  });
}

Examples::Arguments Examples::At(const Sizes& sizes, int run) const {
  std::mt19937 random(static_cast<uint32_t>(run) + 1);
  return MadeAt(sizes, [&](const at::Tensor& example, const std::vector<int64_t>& shape) {
    // Without named axes, runs are compared at the example's own sizes, and its strides are compared, too.
    if (!sizes.empty()) return Redraw(example, shape, &random);
    // With the memory layout of the example.
    int64_t span = example.numel() == 0 ? 0 : 1;
    for (int64_t axis = 0; span > 0 && axis < example.dim(); ++axis)
      span += (example.size(axis) - 1) * example.stride(axis);
    return Redraw(example, {span}, &random).as_strided(example.sizes(), example.strides());
  });
}

Examples::Arguments Examples::WithoutMemoryAt(const Sizes& sizes) const {
  return MadeAt(sizes, [&](const at::Tensor& example, const std::vector<int64_t>& shape) {
    if (sizes.empty()) return WithoutMemory(example.sizes(), example.strides(), example.scalar_type());
    return WithoutMemory(at::empty(shape, example.options().device(at::kMeta)));
  });
}

Examples::Arguments Examples::MadeAt(const Sizes& sizes, const Make& make) const {
  const std::map<std::string, ir::Dim> numbers(sizes.begin(), sizes.end());
  Arguments arguments;
  size_t next = 0;
  const auto replace = [&](const at::Tensor& example) {
    std::vector<int64_t> shape;
    for (const ir::Dim& dim : dims_[next]) shape.push_back(dim.Substitute(numbers).number());
    ++next;
    arguments.tensors.push_back(make(example, shape));
    return arguments.tensors.back();
  };
  for (const IValue& value : values_) arguments.values.push_back(With(value, replace));
  return arguments;
}

}  // namespace onnxport::torch_export
