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

// Every input spelled out, as far as it is a tensor.
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
          dims.emplace_back(inputs::FreeAxis{dim.symbol().value_or("size")});
      }
      spec.dims = std::move(dims);
    }
    specs.push_back(std::move(spec));
  }
  for (const InputSpec& spec : given)
    if (spec.fixed) specs.push_back(spec);
  return specs;
}

// Tries names on axes of a TorchScript program.
class Trial {
 public:
  Trial(LoadedModel* loaded, std::vector<InputSpec> specs) : loaded_(*loaded), specs_(std::move(specs)) {}

  std::vector<AxisReport> Run() {
    std::vector<AxisReport> reports;
    for (const Position& at : Axes()) reports.push_back(Try(at));
    return reports;
  }

 private:
  AxisReport Try(const Position& at) {
    AxisReport report;
    report.axis = NameOf(at);
    const auto* size = std::get_if<int64_t>(&DimAt(at));
    report.size = size != nullptr ? Dim(*size) : Sym(std::get<inputs::FreeAxis>(DimAt(at)).name);
    report.free = size == nullptr;  // it has a name, and the model was exported with it
    if (report.free) return report;
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
    loaded_.Describe(std::move(specs));
    try {
      loaded_.Trace();
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
};

using Shapes = std::vector<std::optional<ir::Dims>>;

Shapes ShapesOf(const ir::Graph& graph) {
  Shapes shapes;
  for (const ir::Port& port : graph.inputs) shapes.push_back(graph.value(*port.value.value()).dims);
  return shapes;
}

// A `.pt2` has decided already. `stated`: what it says, before the user's inputs.
std::vector<AxisReport> OfPt2(const ir::Graph& graph, const Shapes& stated) {
  std::vector<AxisReport> reports;
  const Shapes shapes = ShapesOf(graph);
  for (size_t input = 0; input < shapes.size(); ++input) {
    for (size_t axis = 0; shapes[input] && axis < shapes[input]->size(); ++axis) {
      const ir::Dim& dim = (*shapes[input])[axis];
      AxisReport& report = reports.emplace_back();
      report.axis = {graph.inputs[input].name, axis};
      report.size = DimOf(dim);
      report.free = !dim.is_number();
      if (report.free) continue;
      const ir::Dim& before = (*stated[input])[axis];
      report.fixed_by = before.is_number()
                            ? "the file: torch.export was not told that it is dynamic (dynamic_shapes)"
                            : fmt::format("the options: it is free in the file, as {}", before.ToString());
    }
  }
  return reports;
}

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
      return OfPt2(*graph, stated);
    }
    loaded.Describe(given);
    return Trial(&loaded, SpecsOf(loaded.Trace().onnx, given)).Run();
  });
}

}  // namespace onnxport
