#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/sources/pt2/pt2.h"
#include "runtime/verify/cannot_compare.h"
#include "runtime/verify/machine.h"
#include "runtime/verify/results.h"
#include "runtime/verify/torch_reference.h"
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
  // By names, the model may have fewer inputs than the program; by order, it must have as many.
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
  // A model takes numbers as 0-d tensors, and complex tensors as their parts, with a last axis of 2.
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

// A number is no tensor of a model, nor is a None.
std::vector<ort::Tensor> TensorsOf(const Machine::Values& results) {
  std::vector<ort::Tensor> tensors;
  for (const IValue& result : results) {
    if (!result.isTensor()) continue;
    if (auto tensor = AsOutput(result)) tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

// Which step made a value.
class Makers {
 public:
  explicit Makers(const ir::Graph& program) : maker_(program.values.size(), kNone) {}

  std::vector<size_t> Of(const std::vector<ir::Arg>& args) const {
    std::set<size_t> steps;
    for (const ir::Arg& arg : args) Collect(arg, &steps);
    return {steps.begin(), steps.end()};
  }
  std::vector<size_t> Of(const ir::Node& call) const { return Of(call.inputs); }

  void Add(const ir::Node& call) {
    for (const ir::ValueId id : call.outputs) {
      if (id != ir::ValueId::kNone) maker_[static_cast<size_t>(id)] = steps_;
    }
    ++steps_;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  void Collect(const ir::Arg& arg, std::set<size_t>* steps) const {
    if (const ir::ArgList* list = arg.list()) {
      for (const ir::Arg& element : *list) Collect(element, steps);
    } else if (const ir::ValueId* id = arg.value(); id != nullptr && *id != ir::ValueId::kNone) {
      const size_t maker = maker_[static_cast<size_t>(*id)];
      if (maker != kNone) steps->insert(maker);
    }
  }

  std::vector<size_t> maker_;  // of each value
  size_t steps_ = 0;
};

class Pt2Reference : public StepwiseReference {
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
    Prepare(inputs, &machine);
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

  void Watch(const std::vector<ort::Tensor>& inputs, const std::function<void(Step)>& watcher) override {
    const at::InferenceMode guard;
    Machine machine(program_);
    Prepare(inputs, &machine);
    Makers makers(program_);
    machine.Run([&](const ir::Node& call, const Machine::Values& results) {
      watcher({.name = NameOf(call),
               .text = fmt::format("{} ({})", call.op, WhereOf(program_, call)),
               .takes = makers.Of(call),
               .results = TensorsOf(results)});
      makers.Add(call);
    });
    for (const ir::Port& output : program_.outputs) {
      if (!AsOutput(machine.Make(output.value))) continue;
      watcher({.name = output.name, .text = {}, .takes = makers.Of({output.value}), .results = {}, .is_output = true});
    }
  }

 private:
  void Prepare(const std::vector<ort::Tensor>& inputs, Machine* machine) const {
    machine->LoadWeights();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ir::ValueId id = *program_.inputs[matched_[i]].value.value();
      machine->Set(id, AsInput(inputs[i], program_.value(id)));
    }
  }

  // As the nodes of a model have it.
  std::string NameOf(const ir::Node& call) const {
    const std::string& name = program_.location(call.location).op_name;
    if (!name.empty() || call.outputs.empty() || call.outputs[0] == ir::ValueId::kNone) return name;
    return program_.value(call.outputs[0]).name;
  }

  pt2::Remarks remarks_;
  ir::Graph program_;
  std::vector<size_t> matched_;
};

}  // namespace

std::unique_ptr<StepwiseReference> OpenPt2(const std::string& path, const Ports& model) {
  return std::make_unique<Pt2Reference>(path, model);
}

}  // namespace onnxport::verify
