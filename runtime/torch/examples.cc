#include "runtime/torch/examples.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include "runtime/base/error.h"
#include "runtime/inputs/input_spec.h"
#include "runtime/torch/arguments.h"
#include "runtime/torch/tensor_memory.h"
#include "runtime/torch/without_memory.h"

namespace onnxport::torch_export {
namespace {

using c10::IValue;
using Replace = std::function<at::Tensor(const at::Tensor&)>;

[[noreturn]] void Usage(const std::string& what) { throw Error(ErrorKind::kUsage, what); }

// The same value with other tensors, in the order of VisitTensors.
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

// Names by place: "past.0.key".
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

// Values of the example, drawn with repetition: so they are such as the program expects, and others. An example that is
// all the same says nothing; floats are then any between 0 and 1.
at::Tensor Redraw(const at::Tensor& example, const std::vector<int64_t>& sizes, std::mt19937* random) {
  const int64_t count = c10::multiply_integers(sizes);
  std::vector<int64_t> picks(static_cast<size_t>(count));
  const at::Tensor flat = example.detach().contiguous().view(-1);
  if (flat.numel() == 0) return at::zeros(sizes, example.options());
  for (int64_t& pick : picks) pick = static_cast<int64_t>((*random)() % static_cast<uint64_t>(flat.numel()));
  const bool same = flat.eq(flat[0]).all().item<bool>();
  if (same && example.is_floating_point()) {
    const auto generator = at::detail::createCPUGenerator((*random)());
    return at::rand(sizes, generator, at::kFloat).to(example.scalar_type());
  }
  return flat.index_select(0, at::tensor(picks, at::kLong)).view(sizes);
}

}  // namespace

Examples::Examples(std::vector<IValue> values, const std::vector<Input>& inputs) : values_(std::move(values)) {
  for (size_t i = 0; i < values_.size(); ++i) {
    NameTensors(values_[i], values_.size() == 1 ? "input" : fmt::format("input_{}", i), &names_);
    VisitTensors(values_[i], [&](const at::Tensor& tensor) { tensors_.push_back(tensor); });
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
  if (input.dtype != kUndefined && static_cast<ir::DType>(input.dtype) != dtype) {
    Usage(
        fmt::format("input '{}' is said to be {}, the example is {}", input.name, Name(input.dtype), ir::Name(dtype)));
  }
  if (!input.dims) return;
  if (input.dims->size() != dims_[i].size()) {
    Usage(fmt::format("input '{}' is said to have {} axes, the example has {}", input.name, input.dims->size(),
                      dims_[i].size()));
  }
  for (size_t axis = 0; axis < dims_[i].size(); ++axis) {
    const Dim& dim = (*input.dims)[axis];
    const int64_t size = tensor.size(static_cast<int64_t>(axis));
    if (dim.is_number() && dim.number() != size) {
      Usage(fmt::format("input '{}': axis {} is said to be {}, the example has {}", input.name, axis, dim.number(),
                        size));
    }
    if (dim.is_number()) continue;
    const std::string name = dim.is_symbolic() ? dim.symbol() : inputs::AxisName(names_[i], axis);
    if (!inputs::IsAxisName(name)) {
      Usage(fmt::format("input '{}': '{}' is no name of an axis (letters, digits and _, no digit first)", input.name,
                        name));
    }
    if (dim.min() || dim.max()) {
      Usage(fmt::format("input '{}': the axis '{}' has a range; a program is run at any sizes", input.name, name));
    }
    const auto [known, added] = sizes_.emplace(name, size);
    if (!added && known->second != size) {
      Usage(fmt::format("the axis '{}' is {} in one example and {} in another", name, known->second, size));
    }
    dims_[i][axis] = ir::Dim::Symbol(name);
  }
}

Examples::Arguments Examples::AsGiven() const { return {values_, tensors_}; }

Examples::Arguments Examples::At(const Sizes& sizes, int run) const {
  std::mt19937 random(static_cast<uint32_t>(run) + 1);
  return MadeAt(sizes, [&random](const at::Tensor& example, const std::vector<int64_t>& shape) {
    return Redraw(example, shape, &random);
  });
}

Examples::Arguments Examples::WithoutMemoryAt(const Sizes& sizes) const {
  return MadeAt(sizes, [](const at::Tensor& example, const std::vector<int64_t>& shape) {
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

namespace {

// Of one axis in one run: so many halves of the example's size, and so many more; another row for each axis. Residues
// of small divisors differ from run to run, and so do large quotients.
struct Change {
  int64_t halves;
  int64_t more;
};
constexpr std::array<std::array<Change, kMostRuns>, 3> kChanges = {{
    {{{2, 0}, {2, 3}, {3, 2}, {1, 5}, {4, 1}, {3, 7}, {2, 10}, {1, 8}, {4, 6}, {2, 13}}},
    {{{2, 1}, {3, 0}, {1, 3}, {4, 3}, {2, 6}, {2, 11}, {3, 9}, {4, 8}, {1, 10}, {3, 14}}},
    {{{2, 2}, {1, 4}, {4, 0}, {3, 5}, {2, 7}, {3, 10}, {1, 9}, {2, 13}, {4, 11}, {1, 12}}},
}};

// Of the axis with that number, in units; another size in each run. `grow`: or none beyond the example's.
int64_t UnitsOf(int64_t example, size_t axis, int run, bool grow) {
  std::vector<int64_t> before;
  for (int i = 0;; ++i) {
    const auto [halves, more] = kChanges[axis % kChanges.size()][static_cast<size_t>(i)];
    const auto further = static_cast<int64_t>(axis / kChanges.size()) * (i + 1);
    int64_t units = std::max<int64_t>(2, example * halves / 2 + more + further);
    if (!grow) units = std::max<int64_t>(2, example - halves - more - further);
    while (std::ranges::find(before, units) != before.end()) ++units;
    if (i == run) return units;
    before.push_back(units);
  }
}

}  // namespace

std::vector<Sizes> SizesToTry(const Sizes& examples, int run) {
  std::vector<Sizes> tries;
  // A program may take multiples of some number only, or nothing above some size.
  for (const bool grow : {true, false}) {
    for (const int64_t unit : {1, 2, 4, 8, 16, 32, 3, 5, 7}) {
      Sizes sizes;
      size_t axis = 0;
      for (const auto& [name, example] : examples) {
        int64_t size = UnitsOf((example + unit - 1) / unit, axis++, run, grow) * unit;
        // Axes of two names are seen to be different ones.
        const auto taken = [&size](const auto& other) { return other.second == size; };
        while (std::ranges::any_of(sizes, taken)) size += unit;
        sizes[name] = size;
      }
      if (std::ranges::find(tries, sizes) == tries.end()) tries.push_back(std::move(sizes));
    }
  }
  return tries;
}

}  // namespace onnxport::torch_export
