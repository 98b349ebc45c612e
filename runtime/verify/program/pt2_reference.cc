#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/sources/pt2/pt2.h"
#include "runtime/verify/program/machine.h"
#include "runtime/verify/program/results.h"
#include "runtime/verify/program/torch_reference.h"
#include "runtime/verify/program/torch_values.h"
#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

using c10::IValue;

// For each of these inputs of the model that of the program: by its name, and where names were changed by their order.
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

// The program's own values that are state of the model, by the names of the model's inputs: buffers and parameters.
std::map<std::string, ir::ValueId> KeptValues(const ir::Graph& program, const Ports& model) {
  std::map<std::string, ir::ValueId> kept;
  for (const State& state : model.state) {
    const auto found = std::ranges::find(program.weights, state.input, &ir::Weight::name);
    if (found != program.weights.end()) kept.emplace(state.input, found->value);
  }
  return kept;
}

// For each input of the model the value of the program.
std::vector<ir::ValueId> ValuesOf(const ir::Graph& program, const Ports& model,
                                  const std::map<std::string, ir::ValueId>& kept) {
  std::vector<Port> own;
  std::ranges::copy_if(model.inputs, std::back_inserter(own),
                       [&](const Port& input) { return !kept.contains(input.name); });
  const std::vector<size_t> matched = Matched(program.inputs, own);
  std::vector<ir::ValueId> values;
  for (size_t next = 0; const Port& input : model.inputs) {
    const auto found = kept.find(input.name);
    values.push_back(found != kept.end() ? found->second : *program.inputs[matched[next++]].value.value());
  }
  return values;
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
      : model_(model),
        program_(
            pt2::ReadPt2(archive::Archive::Open(path), &remarks_, nullptr, model.state.empty() ? nullptr : &writes_)),
        kept_(KeptValues(program_, model)),
        values_(ValuesOf(program_, model, kept_)) {}

  ir::Ranges RangesOf(const std::vector<Port>& inputs) const override {
    ir::Ranges ranges;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto& dims = program_.value(values_[i]).dims;
      for (size_t axis = 0; dims && axis < std::min(dims->size(), inputs[i].dims.size()); ++axis) {
        const auto symbol = inputs[i].dims[axis].symbol();
        if (symbol) ranges.emplace(*symbol, (*dims)[axis].Bounds(program_.ranges));
      }
    }
    return ranges;
  }

  std::vector<ort::Tensor> FirstState() const override {
    const at::InferenceMode guard;
    Machine machine(program_);
    machine.LoadWeights();
    std::vector<ort::Tensor> state;
    for (const auto& [name, value] : kept_) AddOutput(name, machine.Get(value), &state);
    return state;
  }

  std::vector<ort::Tensor> Run(const std::vector<ort::Tensor>& inputs) override {
    const at::InferenceMode guard;
    Machine machine(program_);
    Prepare(inputs, &machine);
    machine.Run();
    std::vector<ort::Tensor> outputs;
    for (size_t i = 0; i + writes_.size() < program_.outputs.size(); ++i)
      AddOutput(program_.outputs[i].name, machine.Make(program_.outputs[i].value), &outputs);
    for (const State& state : model_.state) {
      const auto input = Find(model_.inputs, state.input) - model_.inputs.begin();
      AddOutput(state.output, NextOf(values_.at(static_cast<size_t>(input)), machine), &outputs);
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
      const ir::ValueId id = values_[i];
      const IValue given = AsInput(inputs[i], program_.value(id));
      // State into the tensor that is there, as others may share its memory.
      if (kept_.contains(model_.inputs[i].name)) {
        machine->Get(id).toTensor().copy_(given.toTensor());
      } else {
        machine->Set(id, given);
      }
    }
  }

  // The value that was written in place, or the one that the file names as the value after a run.
  IValue NextOf(ir::ValueId kept, const Machine& machine) const {
    const auto write = std::ranges::find(writes_, kept, &pt2::Write::target);
    return write == writes_.end() ? machine.Get(kept) : machine.Make(program_.outputs[write->output].value);
  }

  // None is left out.
  static void AddOutput(const std::string& name, const IValue& value, std::vector<ort::Tensor>* outputs) {
    auto tensor = AsOutput(value);
    if (!tensor) return;
    tensor->name = name;
    outputs->push_back(*std::move(tensor));
  }

  // As the nodes of a model have it.
  std::string NameOf(const ir::Node& call) const {
    const std::string& name = program_.location(call.location).op_name;
    if (!name.empty() || call.outputs.empty() || call.outputs[0] == ir::ValueId::kNone) return name;
    return program_.value(call.outputs[0]).name;
  }

  const Ports& model_;
  pt2::Remarks remarks_;
  std::vector<pt2::Write> writes_;  // of a model with state: the program's last outputs
  ir::Graph program_;
  std::map<std::string, ir::ValueId> kept_;
  std::vector<ir::ValueId> values_;
};

}  // namespace

std::unique_ptr<StepwiseReference> OpenPt2(const std::string& path, const Ports& model) {
  return std::make_unique<Pt2Reference>(path, model);
}

}  // namespace onnxport::verify
