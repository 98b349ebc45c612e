#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/pt2/pt2.h"
#include "runtime/verify/cannot_compare.h"
#include "runtime/verify/machine.h"
#include "runtime/verify/reference.h"
#include "runtime/verify/results.h"
#include "runtime/verify/torch_values.h"

namespace onnxport::verify {
namespace {

using c10::IValue;

// For each input of the model that of the program: by its name, and where names were changed by their order.
std::vector<size_t> Matched(const std::vector<ir::Port>& program, const std::vector<Port>& model) {
  std::vector<size_t> matched;
  for (const Port& input : model) {
    const auto found = std::ranges::find(program, input.name, &ir::Port::name);
    if (found != program.end()) matched.push_back(static_cast<size_t>(found - program.begin()));
  }
  if (matched.size() == model.size()) return matched;
  if (program.size() != model.size()) {
    throw Error(ErrorKind::kUsage, fmt::format("the model has {} inputs and the program {}: it is another program",
                                               model.size(), program.size()));
  }
  matched.resize(model.size());
  for (size_t i = 0; i < matched.size(); ++i) matched[i] = i;
  return matched;
}

IValue AsInput(const ort::Tensor& given, const ir::Value& wanted) {
  const at::Tensor tensor = ToTorch(given);
  switch (wanted.kind) {
    case ir::ValueKind::kInt:
      return tensor.item().toLong();
    case ir::ValueKind::kFloat:
      return tensor.item().toDouble();
    case ir::ValueKind::kBool:
      return tensor.item().toBool();
    default:
      return ir::IsComplex(wanted.dtype) && !tensor.is_complex() ? at::view_as_complex(tensor) : tensor;
  }
}

class Pt2Reference : public Reference {
 public:
  Pt2Reference(const std::string& path, const Ports& model)
      : program_(pt2::ReadPt2(path, &remarks_)), matched_(Matched(program_.inputs, model.inputs)) {}

  ir::Ranges RangesOf(const std::vector<Port>& inputs) const override {
    ir::Ranges ranges;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto& dims = program_.value(*program_.inputs[matched_[i]].value.value()).dims;
      for (size_t axis = 0; dims && axis < std::min(dims->size(), inputs[i].dims.size()); ++axis) {
        const auto symbol = inputs[i].dims[axis].symbol();
        if (symbol) ranges.emplace(*symbol, (*dims)[axis].Bounds(program_.ranges));
      }
    }
    return ranges;
  }

  std::vector<ort::Tensor> Run(const std::vector<ort::Tensor>& inputs) override {
    const at::InferenceMode guard;
    Machine machine(program_);
    machine.LoadWeights();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ir::ValueId id = *program_.inputs[matched_[i]].value.value();
      machine.Set(id, AsInput(inputs[i], program_.value(id)));
    }
    machine.Run();
    std::vector<ort::Tensor> outputs;
    for (const ir::Port& output : program_.outputs) {
      auto tensor = AsOutput(machine.Make(output.value));
      if (!tensor) continue;
      tensor->name = output.name;
      outputs.push_back(*std::move(tensor));
    }
    return outputs;
  }

 private:
  pt2::Remarks remarks_;
  ir::Graph program_;
  std::vector<size_t> matched_;
};

}  // namespace

std::unique_ptr<Reference> OpenPt2(const std::string& path, const Ports& model) {
  return std::make_unique<Pt2Reference>(path, model);
}

}  // namespace onnxport::verify
