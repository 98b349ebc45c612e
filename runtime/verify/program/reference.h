// The PyTorch program that a model is compared with.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_REFERENCE_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "onnxport/input.h"
#include "runtime/ir/dim.h"
#include "runtime/verify/inputs/ports.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// A call of the program while it runs, or an output of it after all calls.
struct Step {
  std::string name;                  // the call's in the file, which nodes of the model name; of an output its own
  std::string text;                  // "aten::relu (relu1, model.py:12)"
  std::vector<size_t> takes;         // the steps whose results it takes, counted from 0; once each
  std::vector<ort::Tensor> results;  // those that are tensors; none of an output
  bool is_output = false;
};

class Reference {
 public:
  virtual ~Reference() = default;

  // The ranges of the model's free axes, as far as the program states them.
  virtual ir::Ranges RangesOf(const std::vector<Port>& inputs) const = 0;

  // The first values of the model's state (Ports::state), by the names of its inputs, as the program's file has them.
  // None of an input of the program that it writes to.
  virtual std::vector<ort::Tensor> FirstState() const { return {}; }

  // Runs the program with the model's inputs, in the model's order; it has its other values from its file. Returns the
  // values of the model's outputs, and behind them the next values of the model's state. A number is a 0-d tensor, a
  // complex tensor its parts, None is left out. Throws CannotCompare with PyTorch's text.
  virtual std::vector<ort::Tensor> Run(const std::vector<ort::Tensor>& inputs) = 0;
};

class StepwiseReference : public Reference {
 public:
  // As Run; the watcher gets each step when it is done.
  virtual void Watch(const std::vector<ort::Tensor>& inputs, const std::function<void(Step)>& watcher) = 0;
};

// LibTorch's part here (torch_reference.h, libtorch_release.h), for the code that does not link it.
struct Torch {
  void (*check)();
  std::unique_ptr<StepwiseReference> (*open_pt2)(const std::string& path, const Ports& model);
  std::unique_ptr<Reference> (*open_script)(const std::string& path, const Ports& model,
                                            const std::vector<Input>& fixed);
};

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_REFERENCE_H_
