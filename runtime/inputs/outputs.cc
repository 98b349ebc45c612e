#include "runtime/inputs/outputs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/inputs/inputs.h"

namespace onnxport::inputs {
namespace {

// Reads an expression of names in the form that a model prints: `2*t`, `(n - 1)//2 + 1`, `Max(n, 3)`. Throws Error
// (kUsage).
ir::Dim Expression(const std::string& text) {
  std::string error;
  const std::optional<ir::Dim> size = ir::Dim::Parse(text, &error);
  if (!size) {
    throw Error(Code::kOutputDoesNotFit,
                fmt::format("'{}' is neither a number, a name, an expression of names nor ?: {}", text, error));
  }
  const std::vector<std::string> symbols = size->symbols();
  const auto wrong = std::ranges::find_if_not(symbols, IsAxisName);
  if (wrong != symbols.end()) {
    throw Error(Code::kOutputDoesNotFit,
                fmt::format("'{}' in '{}' is no name (letters, digits and _, no digit first)", *wrong, text));
  }
  if (size->is_number() && size->number() < 0) {
    throw Error(Code::kOutputDoesNotFit, fmt::format("a dimension is not negative: {}", text));
  }
  return *size;
}

Dim ParseSize(std::string_view text) {
  const bool simple = IsAxisName(text) || text == "?" || text.find('=') != std::string_view::npos;
  if (simple) return ParseDim(text);
  const ir::Dim size = Expression(std::string(text));
  return size.is_number() ? Dim(size.number()) : Sym(std::string(text));
}

// Splits at commas outside parentheses: `n,Max(n, 3)` has two parts.
std::vector<std::string_view> PartsOf(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    depth += list[i] == '(' ? 1 : list[i] == ')' ? -1 : 0;
    if (list[i] != ',' || depth > 0) continue;
    parts.push_back(Trim(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(Trim(list.substr(begin)));
  return parts;
}

std::vector<Dim> ParseSizes(std::string_view list) {
  std::vector<Dim> sizes;
  if (Trim(list).empty()) return sizes;
  for (const std::string_view part : PartsOf(list)) {
    sizes.push_back(ParseSize(part));
    if (sizes.size() > kMaxRank) throw Error(Code::kOutputDoesNotFit, fmt::format("more than {} dimensions", kMaxRank));
  }
  return sizes;
}

// Checks a size that a program gives.
void CheckSize(const std::string& where, const Dim& dim) {
  const auto wrong = [&](const std::string& what) {
    throw Error(Code::kOutputDoesNotFit, fmt::format("{}: {}", where, what));
  };
  if (dim.min() || dim.max()) wrong("ranges are of inputs");
  if (dim.is_number() && dim.number() < 0) wrong(fmt::format("a dimension is not negative: {}", dim.number()));
  if (!dim.is_symbolic() || IsAxisName(dim.symbol())) return;
  try {
    Expression(dim.symbol());
  } catch (const Error& error) {
    wrong(error.what());
  }
}

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

  // Takes the promised size if nothing else is known about it. Adds a remark.
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

  // An empty name accepts any free size.
  void ApplyName(const std::string& name, const std::string& where, ir::Dim* dim) {
    if (dim->is_number()) {
      return Wrong(Code::kAxisIsFixed,
                   fmt::format("{} is fixed to {}, it cannot be '{}': no free axis of an input leads there; "
                               "CheckAxes says which can be free",
                               where, dim->ToString(), name.empty() ? "?" : name));
    }
    if (name.empty() || *dim == ir::Dim::Symbol(name)) return;
    if (!IsAxisName(name)) return ApplyExpression(name, where, dim);
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

  // Applies `2*n + 1`, an expression of names in the model. A name that the model lacks may be the new name of the
  // size's only symbol.
  void ApplyExpression(const std::string& text, const std::string& where, ir::Dim* dim) {
    const ir::Dim said = Expression(text);
    if (dim->is_unknown()) return Believe("'" + text + "'", said, where, dim);
    if (dim->Substitute(names_) == said) return;
    const std::vector<std::string> in_model = dim->symbols();
    const std::vector<std::string> in_text = said.symbols();
    if (in_model.size() == 1 && in_text.size() == 1 && !symbols_.contains(in_text[0]) &&
        !given_.contains(in_model[0]) && !names_.contains(in_model[0]) &&
        said.Substitute({{in_text[0], ir::Dim::Symbol(in_model[0])}}) == *dim) {
      names_.emplace(in_model[0], ir::Dim::Symbol(in_text[0]));
      return;
    }
    Wrong(Code::kOutputDoesNotFit, fmt::format("{} is {}, not '{}'", where, dim->ToString(), text));
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
  std::set<std::string> symbols_;            // those of the model
  std::set<std::string> seen_;               // outputs so far
  std::map<std::string, ir::Dim> meanings_;  // sizes of new names
  std::map<std::string, ir::Dim> names_;     // names of symbols
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
    output.dims = ParseSizes(text.substr(bracket + 2, text.size() - bracket - 3));
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
    if (output.dims.size() > kMaxRank)
      throw Error(Code::kOutputDoesNotFit, fmt::format("{}: more than {} dimensions", where, kMaxRank));
    for (const Dim& dim : output.dims) CheckSize(where, dim);
  }
}

std::vector<std::string> ApplyOutputs(ir::Graph* graph, const std::vector<Output>& outputs,
                                      const std::set<std::string>& given) {
  if (outputs.empty()) return {};  // the applier would first read all values
  return OutputApplier(graph, given).Apply(outputs);
}

}  // namespace onnxport::inputs
