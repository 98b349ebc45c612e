#include "onnxport/check_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/api/border.h"
#include "runtime/api/input_values.h"
#include "runtime/api/session.h"
#include "runtime/base/error.h"

namespace onnxport {
namespace {

using inputs::InputSpec;

// An axis of an input, by its position among the specs.
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
std::vector<InputSpec> SpecsOf(const ir::Graph& graph, const std::vector<InputSpec>& given) {
  std::vector<InputSpec> specs;
  for (const ir::Port& port : graph.inputs) {
    const ir::Value& value = graph.value(*port.value.value());
    InputSpec spec{.name = port.name, .dtype = value.dtype, .dims = std::nullopt, .list = false, .fixed = std::nullopt};
    spec.list = value.kind == ir::ValueKind::kSequence;
    if (value.dims) {
      std::vector<inputs::InputDim> dims;
      for (const ir::Dim& dim : *value.dims) {
        if (dim.is_number())
          dims.emplace_back(dim.number());
        else
          dims.emplace_back(inputs::FreeAxis{dim.symbol().value_or("")});
      }
      spec.dims = std::move(dims);
    }
    specs.push_back(std::move(spec));
  }
  for (const InputSpec& spec : given)
    if (spec.fixed) specs.push_back(spec);
  return specs;
}

// Tries names on axes.
class Trial {
 public:
  // `graph`: the program as it is exported, with its inputs' sizes; `stated`: what a .pt2 says of them, before the
  // options.
  Trial(LoadedModel* loaded, const ir::Graph& graph, const std::vector<InputSpec>& given, Shapes stated)
      : loaded_(*loaded), specs_(SpecsOf(graph, given)), shapes_(ShapesOf(graph)), stated_(std::move(stated)) {}

  std::vector<AxisReport> Run() {
    std::vector<AxisReport> reports;
    for (const Position& at : Axes()) reports.push_back(Try(at));
    return reports;
  }

 private:
  AxisReport Try(const Position& at) {
    AxisReport report;
    report.axis = NameOf(at);
    report.size = DimOf((*shapes_[at.input])[at.axis]);
    const auto* size = std::get_if<int64_t>(&DimAt(at));
    report.free = size == nullptr;  // the model was exported with it
    if (report.free) return report;
    if (const ir::Dim before = StatedAt(at); before.is_symbolic()) {
      report.fixed_by = fmt::format("the options: it is free in the file, as {}", before.ToString());
      return report;
    }
    const std::optional<std::string> obstacle = Obstacle({at});
    report.free = !obstacle;
    if (report.free) return report;
    const std::vector<Position> equal = AxesOf(*size);
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

  const inputs::InputDim& DimAt(const Position& at) const { return (*specs_[at.input].dims)[at.axis]; }
  ir::Dim StatedAt(const Position& at) const {
    const bool stated = at.input < stated_.size() && stated_[at.input];
    return stated ? (*stated_[at.input])[at.axis] : ir::Dim();
  }
  Axis NameOf(const Position& at) const { return {specs_[at.input].name, at.axis}; }

  // Of tensors.
  std::vector<Position> Axes() const {
    std::vector<Position> axes;
    for (size_t input = 0; input < specs_.size(); ++input) {
      if (specs_[input].list || !specs_[input].dims) continue;
      for (size_t axis = 0; axis < specs_[input].dims->size(); ++axis) axes.push_back({input, axis});
    }
    return axes;
  }

  std::vector<Position> AxesOf(int64_t size) const {
    std::vector<Position> axes = Axes();
    std::erase_if(axes, [&](const Position& at) { return DimAt(at) != inputs::InputDim(size); });
    return axes;
  }

  // Why the axes cannot have one name; nothing when they can.
  std::optional<std::string> Obstacle(const std::vector<Position>& axes) {
    std::vector<InputSpec> specs = specs_;
    for (const Position& at : axes) (*specs[at.input].dims)[at.axis] = inputs::FreeAxis{FreeName()};
    try {
      loaded_.Try(std::move(specs));
      return std::nullopt;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCannotExport) throw;
      return error.what();
    }
  }

  // No name that the user gave.
  std::string FreeName() const {
    std::string name = "size";
    const auto taken = [&](const InputSpec& spec) {
      return spec.dims && std::ranges::any_of(*spec.dims, [&](const inputs::InputDim& dim) {
               const auto* free = std::get_if<inputs::FreeAxis>(&dim);
               return free && free->name == name;
             });
    };
    while (std::ranges::any_of(specs_, taken)) name += '_';
    return name;
  }

  LoadedModel& loaded_;
  std::vector<InputSpec> specs_;
  Shapes shapes_;
  Shapes stated_;
};

}  // namespace

Result<std::vector<AxisReport>> CheckAxes(const Source& source, const ExportOptions& options) {
  return AtBorder([&] {
    if (!options.other_traces.empty())
      throw Error(ErrorKind::kUsage, "axes that traces leave free are told by an export; they are not tried here");
    const std::vector<InputSpec> given = SpecsOf(options.inputs);
    const Session session(source, options);
    LoadedModel loaded(archive::Archive::Open(session.bytes()), options);
    if (const ir::Graph* graph = loaded.pt2()) {
      const Shapes stated = ShapesOf(*graph);
      loaded.Describe(given);
      loaded.Trace();  // the opset can keep what the file says
      return Trial(&loaded, *graph, {}, stated).Run();
    }
    loaded.Describe(given);
    return Trial(&loaded, loaded.Trace().onnx, given, {}).Run();
  });
}

}  // namespace onnxport
