// Exports scripted and traced modules: saves them as an archive and exports that like a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "onnxport/torch_export.h"
#include "runtime/api/border/border.h"
#include "runtime/api/border/opener.h"
#include "runtime/base/error.h"
#include "runtime/sources/torch/tensor_memory.h"
#include "runtime/torch/module_bytes.h"

namespace onnxport {
namespace {

class ModuleOpener : public Source::Opener {
 public:
  explicit ModuleOpener(torch::jit::Module module) : module_(std::move(module)) {}
  std::shared_ptr<const archive::ByteSource> Open() const override {
    try {
      return torch_export::ArchiveOf(module_);
    } catch (const c10::Error& error) {
      throw Error(ErrorKind::kCannotExport,
                  fmt::format("LibTorch cannot save the module: {}", error.what_without_backtrace()));
    }
  }

 private:
  torch::jit::Module module_;
};

// Returns the input that an example describes: its type, with fixed sizes.
Input InputOf(const std::string& name, const at::Tensor& example) {
  const auto dtype = torch_export::DTypeOf(example.scalar_type());
  if (!dtype) throw Error(ErrorKind::kUsage, fmt::format("ONNX has no word for the type of the example '{}'", name));
  return TensorInput(name, *dtype, {example.sizes().begin(), example.sizes().end()});
}

// Returns the value for which the model is specialized; nothing for tensors and containers.
std::optional<Value> FixedValueOf(const c10::IValue& example) {
  if (example.isNone()) return None{};
  if (example.isBool()) return example.toBool();
  if (example.isInt()) return example.toInt();
  if (example.isDouble()) return example.toDouble();
  if (example.isString()) return example.toStringRef();
  return std::nullopt;
}

// Adds the method's arguments that `options` do not name, and the types that `options` leave open, from the examples.
std::vector<Input> WithExamples(const torch::jit::Module& module, const std::vector<c10::IValue>& examples,
                                const ExportOptions& options) {
  std::vector<Input> inputs = options.inputs;
  const auto method = module.find_method(options.method);
  if (!method) throw Error(Code::kNoSuchName, fmt::format("the module has no method '{}'", options.method));
  const auto& arguments = method->function().getSchema().arguments();
  if (examples.size() >= arguments.size()) {
    throw Error(ErrorKind::kUsage, fmt::format("'{}' has {} arguments, there are {} examples", options.method,
                                               arguments.size() - 1, examples.size()));
  }
  for (size_t i = 0; i < examples.size(); ++i) {
    // Argument 0 is `self`.
    const std::string& name = arguments[i + 1].name();
    if (const auto value = FixedValueOf(examples[i])) {
      if (std::ranges::find(inputs, name, &Input::name) == inputs.end()) inputs.push_back(FixedInput(name, *value));
      continue;
    }
    // The options describe the elements of a container one by one, or a trace recorded them.
    if (!examples[i].isTensor()) continue;
    const Input said = InputOf(name, examples[i].toTensor());
    const auto found = std::ranges::find(inputs, said.name, &Input::name);
    if (found == inputs.end()) {
      inputs.push_back(said);
    } else if (!found->fixed && found->dtype == kUndefined) {
      found->dtype = said.dtype;
    }
  }
  return inputs;
}

}  // namespace

Result<Model> ExportScript(const torch::jit::Module& module, const std::vector<c10::IValue>& examples,
                           const ExportOptions& options) {
  ExportOptions with_examples = options;
  // Export catches errors at its own border, but this code runs before it.
  const auto described = AtBorder([&] { return WithExamples(module, examples, options); });
  if (!described) return Unexpected(described.error());
  with_examples.inputs = *described;
  return Export(Source(std::make_shared<ModuleOpener>(module)), with_examples);
}

}  // namespace onnxport
