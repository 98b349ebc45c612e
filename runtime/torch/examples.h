// The example inputs of a run, at the sizes of that run.
#ifndef ONNXPORT_RUNTIME_TORCH_EXAMPLES_H_
#define ONNXPORT_RUNTIME_TORCH_EXAMPLES_H_

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

// What is given for the program's arguments; the tensors in it are the model's inputs, in order.
class Examples {
 public:
  // `inputs`: of the first tensors, in order. Throws Error (kUsage) where they do not fit.
  Examples(std::vector<c10::IValue> values, const std::vector<Input>& inputs);

  const std::vector<std::string>& names() const { return names_; }
  // Of each input, with the named axes.
  const std::vector<ir::Dims>& dims() const { return dims_; }
  // The sizes that the named axes have in the examples.
  const Sizes& sizes() const { return sizes_; }

  // Arguments for a run, and the tensors in them. Tensors are the caller's own.
  struct Arguments {
    std::vector<c10::IValue> values;
    std::vector<at::Tensor> tensors;
  };
  Arguments AsGiven() const;
  // Tensors with the values that the examples have, drawn anew, the same in each export; `run` other ones.
  Arguments At(const Sizes& sizes, int run) const;
  // Tensors without memory.
  Arguments WithoutMemoryAt(const Sizes& sizes) const;

 private:
  void Describe(const Input& input, size_t i);
  using Make = std::function<at::Tensor(const at::Tensor& example, const std::vector<int64_t>& sizes)>;
  Arguments MadeAt(const Sizes& sizes, const Make& make) const;

  std::vector<c10::IValue> values_;
  std::vector<at::Tensor> tensors_;
  std::vector<std::string> names_;
  std::vector<ir::Dims> dims_;
  Sizes sizes_;
};

// Runs of a program whose axes are free, and of one in which they leave a doubt; the last one checks what the others
// gave.
inline constexpr size_t kRuns = 6;
inline constexpr size_t kMostRuns = 10;

// Sizes to try in the given run, the likeliest first: near those of the examples, at least 2, all different, and
// such that sums, products, quotients and remainders of them tell themselves apart from run to run.
std::vector<Sizes> SizesToTry(const Sizes& examples, int run);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_TORCH_EXAMPLES_H_
