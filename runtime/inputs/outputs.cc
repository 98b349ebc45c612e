#include "runtime/inputs/outputs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/inputs/inputs.h"

namespace onnxport::inputs {
namespace {

class OutputApplier {
 public:
  OutputApplier(ir::Graph* graph, const std::set<std::string>& given) : graph_(*graph), given_(given) {
    for (const ir::Value& value : graph_.values) {
      for (const ir::Dim& dim : value.dims.value_or(ir::Dims())) {
        for (const std::string& symbol : dim.symbols()) symbols_.insert(symbol);
      }
    }
  }

  std::vector<std::string> Apply(const std::vector<Output>& outputs) {
    for (const Output& output : outputs) ApplyOne(output);
    if (mistakes_.empty()) Rename();
    if (mistakes_.empty()) return std::move(remarks_);
    throw Error(Report(usage_ ? ErrorKind::kUsage : ErrorKind::kCannotExport, std::move(mistakes_)));
  }

 private:
  void Wrong(Code code, const std::string& text) {
    usage_ = usage_ || InfoOf(code).kind == ErrorKind::kUsage;
    mistakes_.push_back(Report(code, text).marked().front());
  }

  void ApplyOne(const Output& output) {
    const auto found = std::ranges::find(graph_.outputs, output.name, &ir::Port::name);
    if (found == graph_.outputs.end()) {
      std::vector<std::string> known;
      for (const ir::Port& port : graph_.outputs) known.push_back(port.name);
      return Wrong(Code::kOutputDoesNotFit,
                   fmt::format("no output '{}'; they are {}", output.name, fmt::join(known, ", ")));
    }
    if (!seen_.insert(output.name).second)
      return Wrong(Code::kOutputDoesNotFit, fmt::format("output '{}' is given twice", output.name));
    std::optional<ir::Dims>& dims = graph_.value(*found->value.value()).dims;
    if (!dims) dims.emplace(output.dims.size());
    if (dims->size() != output.dims.size()) {
      return Wrong(Code::kOutputDoesNotFit,
                   fmt::format("output '{}' has {} axes, not {}", output.name, dims->size(), output.dims.size()));
    }
    for (size_t axis = 0; axis < dims->size(); ++axis) {
      const std::string where = fmt::format("axis {} of output '{}'", axis, output.name);
      const Dim& said = output.dims[axis];
      if (said.is_number()) {
        ApplyNumber(said.number(), where, &(*dims)[axis]);
      } else {
        ApplyName(said.symbol(), where, &(*dims)[axis]);
      }
    }
  }

  // Takes the promised size where nothing else is known of it, with a remark.
  void Believe(const std::string& promise, ir::Dim size, const std::string& where, ir::Dim* dim) {
    remarks_.push_back(
        fmt::format("{} is taken to be {}, as promised; nothing is known of it here, and a comparison with "
                    "the program (`exporter verify`) tries it",
                    where, promise));
    *dim = std::move(size);
  }

  void ApplyNumber(int64_t number, const std::string& where, ir::Dim* dim) {
    if (dim->is_unknown()) Believe(std::to_string(number), number, where, dim);
    if (*dim == ir::Dim(number)) return;
    Wrong(Code::kOutputDoesNotFit, fmt::format("{} is {}, not {}", where, dim->ToString(), number));
  }

  // An empty name: whatever it is called.
  void ApplyName(const std::string& name, const std::string& where, ir::Dim* dim) {
    if (dim->is_number()) {
      return Wrong(Code::kAxisIsFixed,
                   fmt::format("{} is fixed to {}, it cannot be '{}': no free axis of an input leads there; "
                               "CheckAxes says which can be free",
                               where, dim->ToString(), name.empty() ? "?" : name));
    }
    if (name.empty() || *dim == ir::Dim::Symbol(name)) return;
    if (IsAxisSum(name)) return ApplySum(name, where, dim);
    if (dim->is_unknown() && (symbols_.contains(name) || meanings_.contains(name))) {
      return Believe("'" + name + "'", ir::Dim::Symbol(name), where, dim);
    }
    const auto [meant, is_new] = meanings_.emplace(name, *dim);
    if (symbols_.contains(name) || (!is_new && !(meant->second == *dim) && !dim->is_unknown())) {
      return Wrong(Code::kOutputDoesNotFit,
                   fmt::format("{} is {}, not '{}', which is another size", where, dim->ToString(), name));
    }
    const auto symbol = dim->symbol();
    if (!symbol) {
      *dim = ir::Dim::Symbol(name);
      return;
    }
    const auto renamed = names_.emplace(*symbol, ir::Dim::Symbol(name)).first;
    if (given_.contains(*symbol) || renamed->second.symbol() != name) {
      Wrong(Code::kOutputDoesNotFit, fmt::format("{} is '{}'; it cannot be called '{}', too", where, *symbol, name));
    }
  }

  // `n+1`, of names that the model has. One that it does not have may be what the one symbol of the size is called.
  void ApplySum(const std::string& sum, const std::string& where, ir::Dim* dim) {
    const ir::Dim said = DimOfAxis(sum);
    if (dim->is_unknown()) return Believe("'" + sum + "'", said, where, dim);
    if (dim->Substitute(names_) == said) return;
    const std::vector<std::string> in_model = dim->symbols();
    const std::vector<std::string> in_sum = said.symbols();
    if (in_model.size() == 1 && in_sum.size() == 1 && !symbols_.contains(in_sum[0]) && !given_.contains(in_model[0]) &&
        !names_.contains(in_model[0]) && said.Substitute({{in_sum[0], ir::Dim::Symbol(in_model[0])}}) == *dim) {
      names_.emplace(in_model[0], ir::Dim::Symbol(in_sum[0]));
      return;
    }
    Wrong(Code::kOutputDoesNotFit, fmt::format("{} is {}, not '{}'", where, dim->ToString(), sum));
  }

  void Rename() {
    if (names_.empty()) return;
    const auto rename = [this](auto* dims) {
      if (!*dims) return;
      for (ir::Dim& dim : **dims) dim = dim.Substitute(names_);
    };
    for (ir::Value& value : graph_.values) {
      rename(&value.dims);
      rename(&value.contents);
    }
    for (const auto& [symbol, name] : names_) {
      if (auto range = graph_.ranges.extract(symbol)) {
        range.key() = *name.symbol();
        graph_.ranges.insert(std::move(range));
      }
    }
  }

  ir::Graph& graph_;
  const std::set<std::string>& given_;
  std::set<std::string> symbols_;            // of the model
  std::set<std::string> seen_;               // outputs
  std::map<std::string, ir::Dim> meanings_;  // of new names
  std::map<std::string, ir::Dim> names_;     // of symbols
  std::vector<Diagnostic> mistakes_;
  std::vector<std::string> remarks_;
  bool usage_ = false;
};

}  // namespace

Output ParseOutput(std::string_view text) {
  const auto usage = [&](const std::string& what) {
    throw Error(Code::kOutputDoesNotFit,
                fmt::format("<<outputs: {}>>: {}; write NAME=[d0,d1,...], for example y=[batch,classes]", text, what));
  };
  const size_t bracket = text.find("=[");
  if (bracket == std::string_view::npos || bracket == 0 || text.back() != ']') usage("no 'NAME=[...]' (a file is -o)");
  Output output{.name = std::string(text.substr(0, bracket)), .dims = {}};
  try {
    output.dims = ParseDims(text.substr(bracket + 2, text.size() - bracket - 3));
  } catch (const Error& error) {
    usage(error.what());
  }
  for (const Dim& dim : output.dims) {
    if (dim.min() || dim.max()) usage("ranges are of inputs");
  }
  return output;
}

void Check(const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    const std::string where = fmt::format("output '{}'", output.name);
    CheckDims(where, output.dims);
    for (const Dim& dim : output.dims) {
      if (dim.min() || dim.max()) throw Error(Code::kOutputDoesNotFit, fmt::format("{}: ranges are of inputs", where));
    }
  }
}

std::vector<std::string> ApplyOutputs(ir::Graph* graph, const std::vector<Output>& outputs,
                                      const std::set<std::string>& given) {
  if (outputs.empty()) return {};  // the applier looks at all values first
  return OutputApplier(graph, given).Apply(outputs);
}

}  // namespace onnxport::inputs
