#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/border.h"
#include "runtime/exporter.h"
#include "runtime/inputs/input_spec.h"
#include "runtime/pt2/pt2.h"
#include "runtime/torchscript/archive/program.h"
#include "runtime/torchscript/torchscript.h"

namespace onnxport {
namespace {

using inputs::InputSpec;

// An axis of an input, by its position among the specs.
struct Axis {
  size_t input;
  size_t axis;
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
          dims.emplace_back(dim.symbol().value_or("size"));
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
  Trial(const torchscript::Program& program, const ExportOptions& options, std::vector<InputSpec> specs)
      : program_(program), options_(options), specs_(std::move(specs)) {}

  std::vector<AxisReport> Run() {
    std::vector<AxisReport> reports;
    for (size_t input = 0; input < specs_.size(); ++input) {
      if (specs_[input].list || !specs_[input].dims) continue;
      for (size_t axis = 0; axis < specs_[input].dims->size(); ++axis) reports.push_back(Try({input, axis}));
    }
    return reports;
  }

 private:
  AxisReport Try(Axis at) {
    const inputs::InputDim& dim = (*specs_[at.input].dims)[at.axis];
    AxisReport report;
    report.input = specs_[at.input].name;
    report.axis = at.axis;
    const auto* size = std::get_if<int64_t>(&dim);
    report.size = size ? fmt::format("{}", *size) : std::get<std::string>(dim);
    report.free = size == nullptr;  // it has a name, and the model was exported with it
    if (report.free) return report;
    const std::optional<std::string> obstacle = Obstacle({at});
    report.free = !obstacle;
    if (report.free) return report;
    const std::vector<Axis> equal = AxesOf(*size);
    if (equal.size() > 1 && !Obstacle(equal)) {
      report.free = true;
      for (const Axis& other : equal) {
        if (other.input == at.input && other.axis == at.axis) continue;
        report.together +=
            fmt::format("{}{} axis {}", report.together.empty() ? "" : ", ", specs_[other.input].name, other.axis);
      }
    } else {
      report.fixed_by = *obstacle;
    }
    return report;
  }

  std::vector<Axis> AxesOf(int64_t size) const {
    std::vector<Axis> axes;
    for (size_t input = 0; input < specs_.size(); ++input) {
      if (specs_[input].list || !specs_[input].dims) continue;
      for (size_t axis = 0; axis < specs_[input].dims->size(); ++axis) {
        const auto* number = std::get_if<int64_t>(&(*specs_[input].dims)[axis]);
        if (number && *number == size) axes.push_back({input, axis});
      }
    }
    return axes;
  }

  // Why the axes cannot have one name; nothing when they can.
  std::optional<std::string> Obstacle(const std::vector<Axis>& axes) const {
    std::vector<InputSpec> specs = specs_;
    for (const Axis& axis : axes) (*specs[axis.input].dims)[axis.axis] = FreeName();
    try {
      torchscript::Interpret(program_, {.opset = options_.opset, .method = options_.method, .inputs = specs});
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
               const auto* text = std::get_if<std::string>(&dim);
               return text && *text == name;
             });
    };
    while (std::ranges::any_of(specs_, taken)) name += "_";
    return name;
  }

  const torchscript::Program& program_;
  const ExportOptions& options_;
  std::vector<InputSpec> specs_;
};

// A `.pt2` has decided already.
std::vector<AxisReport> OfPt2(const ir::Graph& graph) {
  std::vector<AxisReport> reports;
  for (const ir::Port& port : graph.inputs) {
    const ir::Value& value = graph.value(*port.value.value());
    for (size_t axis = 0; value.dims && axis < value.dims->size(); ++axis) {
      const ir::Dim& dim = (*value.dims)[axis];
      AxisReport report;
      report.input = port.name;
      report.axis = axis;
      report.size = dim.ToString();
      report.free = !dim.is_number();
      if (!report.free) report.fixed_by = "the file: torch.export was not told that it is dynamic (dynamic_shapes)";
      reports.push_back(std::move(report));
    }
  }
  return reports;
}

}  // namespace

std::vector<AxisReport> CheckAxes(const std::string& model, const ExportOptions& options) {
  return AtBorder([&] {
    std::vector<InputSpec> given;
    for (const std::string& text : options.inputs) given.push_back(inputs::ParseInputSpec(text));
    const auto archive = archive::Archive::Open(model);
    const MemoryBudget budget(model, archive->size());
    if (!torchscript::IsTorchScript(*archive)) return OfPt2(pt2::ReadPt2(archive, nullptr));
    const torchscript::Program program = torchscript::ReadProgram(archive, {.trust_source = options.trust_source});
    const trace::Traced plain =
        torchscript::Interpret(program, {.opset = options.opset, .method = options.method, .inputs = given});
    return Trial(program, options, SpecsOf(plain.onnx, given)).Run();
  });
}

}  // namespace onnxport
