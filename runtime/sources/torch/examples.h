// The example inputs of a run, at its sizes.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_EXAMPLES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_EXAMPLES_H_

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "onnxport/input.h"
#include "runtime/ir/dim.h"

namespace onnxport::torch_export {

using Sizes = std::map<std::string, int64_t>;

// The values of the program's arguments. The tensors in them are the model's inputs, in order.
class Examples {
 public:
  // `others` are further sets of examples of the same kinds; their values, and the sizes of named axes, may differ.
  // `inputs` describe the first tensors, in order. Throws Error (kUsage) if they do not fit.
  Examples(std::vector<c10::IValue> values, const std::vector<std::vector<c10::IValue>>& others,
           const std::vector<Input>& inputs);

  const std::vector<std::string>& names() const { return names_; }
  // The dims of each input, with the named axes.
  const std::vector<ir::Dims>& dims() const { return dims_; }
  // The sizes of the named axes in the examples.
  const Sizes& sizes() const { return sizes_; }
  // The ranges that the caller promised for the named axes.
  const ir::Ranges& ranges() const { return ranges_; }
  // The number of sets of examples, and the sizes of each set. The first set has the sizes of `sizes`.
  size_t sets() const { return 1 + others_.size(); }
  const Sizes& SizesOf(size_t set) const { return set == 0 ? sizes_ : others_[set - 1].sizes; }

  // The arguments of a run, and the tensors in them. The caller owns the tensors.
  struct Arguments {
    std::vector<c10::IValue> values;
    std::vector<at::Tensor> tensors;
  };
  Arguments AsGiven() const;
  // Copies of a set's tensors.
  Arguments OfSet(size_t set) const;
  // Returns tensors with values drawn at random from those of the examples. They are the same in each export and differ
  // for each `run`. A row of integers that never decreases (or never increases) keeps this order and its first element,
  // because it may be offsets or lengths.
  Arguments At(const Sizes& sizes, int run) const;
  // Returns tensors without memory.
  Arguments WithoutMemoryAt(const Sizes& sizes) const;

 private:
  struct Set {
    std::vector<at::Tensor> tensors;
    Sizes sizes;
  };
  void AddSet(const std::vector<c10::IValue>& values);
  void Describe(const Input& input, size_t i);
  void DescribeAxis(const Input& input, size_t i, size_t axis);
  using Make = std::function<at::Tensor(const at::Tensor& example, const std::vector<int64_t>& sizes)>;
  Arguments MadeAt(const Sizes& sizes, const Make& make) const;

  std::vector<c10::IValue> values_;
  std::vector<at::Tensor> tensors_;
  std::vector<std::string> names_;
  std::vector<ir::Dims> dims_;
  Sizes sizes_;
  ir::Ranges ranges_;
  std::vector<Set> others_;
};

// The number of runs of a program with free axes, and of a program whose first runs leave a doubt. The last run checks
// the formulas found by the others.
inline constexpr size_t kRuns = 6;
inline constexpr size_t kMostRuns = 10;

// Returns the sizes to try in a run, best first: near those of the examples, above and below. They are in the promised
// range, or at least 2 without one. Their sums, products, quotients and remainders differ from run to run. Bounds of
// ranges come first (up to kLargestBound). Runs with the sizes of examples are not counted.
inline constexpr int64_t kLargestBound = 4096;
std::vector<Sizes> SizesToTry(const Sizes& examples, const ir::Ranges& ranges, int run);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_EXAMPLES_H_
