#include "onnxport/check_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/api/border/border.h"
#include "runtime/api/options/input_values.h"
#include "runtime/api/session.h"
#include "runtime/base/error.h"
#include "runtime/inputs/inputs.h"

namespace onnxport {
namespace {

// An axis of an input, by its position among the inputs.
struct Position {
  size_t input;
  size_t axis;
  friend bool operator==(const Position&, const Position&) = default;
};

using Shapes = std::vector<std::optional<ir::Dims>>;

Shapes ShapesOf(const ir::Graph& graph) {
  Shapes shapes;
  for (const ir::Port& port : graph.inputs) shapes.push_back(graph.value(*port.value.value()).dims);
  return shapes;
}

// Every input spelled out, as far as it is a tensor. An axis that follows from others has no name.
std::vector<Input> InputsOf(const ir::Graph& graph, const std::vector<Input>& given) {
  std::vector<Input> inputs;
  for (const ir::Port& port : graph.inputs) {
    const ir::Value& value = graph.value(*port.value.value());
    Input& input = inputs.emplace_back(TensorInput(port.name, value.dtype));
    input.list = value.kind == ir::ValueKind::kSequence;
    if (!value.dims) continue;
    input.dims.emplace();
    for (const ir::Dim& dim : *value.dims) input.dims->push_back(dim.is_number() || dim.symbol() ? DimOf(dim) : Dim());
  }
  // Fixed inputs are no ports of the graph any more, but the next trace has to be given them again.
  for (const Input& input : given)
    if (input.fixed) inputs.push_back(input);
  return inputs;
}

// Tries names on axes.
class Trial {
 public:
  // `graph`: the program as it is exported, with its inputs' sizes; `stated`: what a .pt2 says of them, before the
  // options.
  Trial(const LoadedModel& loaded, const ir::Graph& graph, const std::vector<Input>& given, Shapes stated)
      : loaded_(loaded), inputs_(InputsOf(graph, given)), shapes_(ShapesOf(graph)), stated_(std::move(stated)) {}

  std::vector<AxisReport> Run() {
    std::vector<AxisReport> reports;
    for (const Position& at : Axes()) reports.push_back(Try(at));
    return reports;
  }

 private:
  // The cheap answers come first: an axis that is free already, or would be without the options, needs no trial. A
  // trial is a whole trace, and at most two are made. One frees the axis alone. The other frees all axes of its size
  // under one name, because a program that adds two inputs accepts another size only for both.
  AxisReport Try(const Position& at) {
    AxisReport report;
    report.axis = NameOf(at);
    report.dtype = inputs_[at.input].dtype;
    report.size = DimOf((*shapes_[at.input])[at.axis]);
    const Dim& size = DimAt(at);
    report.free = !size.is_number();  // the model was exported with it
    if (report.free) return report;
    if (const ir::Dim before = StatedAt(at); before.is_symbolic()) {
      report.fixed_by = fmt::format("the options: it is free in the file, as {}", before.ToString());
      return report;
    }
    const std::optional<std::string> obstacle = Obstacle({at});
    report.free = !obstacle;
    if (report.free) return report;
    const std::vector<Position> equal = AxesOf(size.number());
    if (equal.size() > 1 && !Obstacle(equal)) {
      report.free = true;
      for (const Position& other : equal) {
        if (other != at) report.together.push_back(NameOf(other));
      }
    } else {
      report.fixed_by = *obstacle;
    }
    return report;
  }

  const Dim& DimAt(const Position& at) const { return (*inputs_[at.input].dims)[at.axis]; }
  ir::Dim StatedAt(const Position& at) const {
    const bool stated = at.input < stated_.size() && stated_[at.input];
    return stated ? (*stated_[at.input])[at.axis] : ir::Dim();
  }
  Axis NameOf(const Position& at) const { return {inputs_[at.input].name, at.axis}; }

  // Returns the axes of tensors; lists have none.
  std::vector<Position> Axes() const {
    std::vector<Position> axes;
    for (size_t input = 0; input < inputs_.size(); ++input) {
      if (inputs_[input].list || !inputs_[input].dims) continue;
      for (size_t axis = 0; axis < inputs_[input].dims->size(); ++axis) axes.push_back({input, axis});
    }
    return axes;
  }

  std::vector<Position> AxesOf(int64_t size) const {
    std::vector<Position> axes = Axes();
    std::erase_if(axes, [&](const Position& at) { return !(DimAt(at) == Dim(size)); });
    return axes;
  }

  // Why the axes cannot have one name; nothing when they can.
  std::optional<std::string> Obstacle(const std::vector<Position>& axes) {
    std::vector<Input> inputs = inputs_;
    for (const Position& at : axes) (*inputs[at.input].dims)[at.axis] = Sym(FreeName());
    try {
      loaded_.Try(inputs);
      return std::nullopt;
    } catch (const Error& error) {
      // Whatever else ends it, such as the deadline, says nothing of the axes.
      if (error.kind() != ErrorKind::kCannotExport) throw;
      return error.report().With(OptionAsKey).Text();
    }
  }

  // No name that the user gave.
  std::string FreeName() const {
    std::string name = "size";
    const auto taken = [&](const Input& input) {
      return input.dims && std::ranges::any_of(*input.dims, [&](const Dim& dim) { return dim.symbol() == name; });
    };
    while (std::ranges::any_of(inputs_, taken)) name += '_';
    return name;
  }

  const LoadedModel& loaded_;
  std::vector<Input> inputs_;
  Shapes shapes_;
  Shapes stated_;
};

}  // namespace

Result<std::vector<AxisReport>> CheckAxes(const Source& source, const ExportOptions& options) {
  return AtBorder([&] {
    if (!options.other_traces.empty())
      throw Error(Code::kOptionsConflict, "axes that traces leave free are told by an export; they are not tried here");
    const std::vector<Input>& given = options.inputs;
    inputs::Check(given);
    const Session session(source, options);
    LoadedModel loaded(archive::Archive::Open(session.bytes()), options);
    if (const ir::Graph* graph = loaded.pt2()) {
      // The sizes of the file are read before the options change them: the difference is what the options fixed.
      const Shapes stated = ShapesOf(*graph);
      loaded.Describe(given);
      loaded.Trace();  // the opset can keep what the file says
      return Trial(loaded, *graph, {}, stated).Run();
    }
    loaded.Describe(given);
    return Trial(loaded, loaded.Trace().onnx, given, {}).Run();
  });
}

}  // namespace onnxport
