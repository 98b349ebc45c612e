// The example inputs of a run, at the sizes of that run.
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

// The values given for the program's arguments; the tensors in it are the model's inputs, in order.
class Examples {
 public:
  // `others`: more of them, of the same kinds; sizes of named axes and values may be others. `inputs`: of the first
  // tensors, in order. Throws Error (kUsage) where they do not fit.
  Examples(std::vector<c10::IValue> values, const std::vector<std::vector<c10::IValue>>& others,
           const std::vector<Input>& inputs);

  const std::vector<std::string>& names() const { return names_; }
  // The dims of each input, with the named axes.
  const std::vector<ir::Dims>& dims() const { return dims_; }
  // The sizes that the named axes have in the examples.
  const Sizes& sizes() const { return sizes_; }
  // Those that they are promised to have, where the caller said so.
  const ir::Ranges& ranges() const { return ranges_; }
  // How many sets of examples there are, and the sizes of each; the first has those of `sizes`.
  size_t sets() const { return 1 + others_.size(); }
  const Sizes& SizesOf(size_t set) const { return set == 0 ? sizes_ : others_[set - 1].sizes; }

  // Arguments for a run, and the tensors in them. Tensors are the caller's own.
  struct Arguments {
    std::vector<c10::IValue> values;
    std::vector<at::Tensor> tensors;
  };
  Arguments AsGiven() const;
  // Copies of a set's tensors.
  Arguments OfSet(size_t set) const;
  // Tensors with the values that the examples have, drawn anew, the same in each export; `run` other ones. Whole
  // numbers in one row that do not fall, or do not rise, stay so, and the first one stays the first: offsets, lengths.
  Arguments At(const Sizes& sizes, int run) const;
  // Tensors without memory.
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

// Runs of a program whose axes are free, and of one in which they leave a doubt; the last one checks what the others
// gave.
inline constexpr size_t kRuns = 6;
inline constexpr size_t kMostRuns = 10;

// Sizes to try in the given run, the likeliest first: near those of the examples, above and below. They lie in the
// range that is promised, and are at least 2 where none is. Sums, products, quotients and remainders of them differ
// from run to run. Bounds of ranges come first (up to kLargestBound). Runs are counted without those that have the
// sizes of examples.
inline constexpr int64_t kLargestBound = 4096;
std::vector<Sizes> SizesToTry(const Sizes& examples, const ir::Ranges& ranges, int run);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_EXAMPLES_H_
