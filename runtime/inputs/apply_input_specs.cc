#include <algorithm>
#include <map>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/inputs/input_spec.h"

namespace onnxport::inputs {
namespace {

// Letters to change, add or drop to get from one to the other.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

// Applies all specs and keeps what is wrong.
class Applier {
 public:
  explicit Applier(ir::Graph* graph) : graph_(graph) {}

  void Apply(const std::vector<InputSpec>& specs) {
    for (const InputSpec& spec : specs) ApplyOne(spec);
    CheckNames();
    if (mistakes_.empty()) Substitute();
    if (!mistakes_.empty()) throw Error(Report(kind_, std::move(mistakes_)));
  }

 private:
  // A symbol's new meaning, and the axis that said so.
  struct Meaning {
    ir::Dim dim;
    std::string where;
  };

  void Wrong(ErrorKind kind, const std::string& text) {
    kind_ = mistakes_.empty() || kind == ErrorKind::kUsage ? kind : kind_;
    const Report mistake(kind, text);
    mistakes_.push_back(mistake.diagnostics().front());
  }

  void ApplyOne(const InputSpec& spec) {
    const ir::Value* value = Find(spec.name);
    if (value == nullptr) return;
    if (!seen_.emplace(spec.name, true).second)
      return Wrong(ErrorKind::kUsage, "input '" + spec.name + "' is given twice");
    if (spec.fixed || spec.list) {
      return Wrong(ErrorKind::kUsage, "input '" + spec.name +
                                          "' of a .pt2 is a tensor: fixed values and list[...] are for TorchScript "
                                          "files, torch.export has decided them already");
    }
    if (value->dtype != spec.dtype) {
      Wrong(ErrorKind::kUsage, "input '" + spec.name + "' is " + std::string(ir::Name(value->dtype)) +
                                   " in the file, not " + std::string(ir::Name(spec.dtype)));
    }
    if (!spec.dims || !value->dims) return;
    if (spec.dims->size() != value->dims->size()) {
      return Wrong(ErrorKind::kUsage, "input '" + spec.name + "' has " + std::to_string(value->dims->size()) +
                                          " dimensions in the file, not " + std::to_string(spec.dims->size()));
    }
    for (size_t i = 0; i < spec.dims->size(); ++i) {
      ApplyAxis((*value->dims)[i], (*spec.dims)[i], "axis " + std::to_string(i) + " of input '" + spec.name + "'");
    }
  }

  const ir::Value* Find(const std::string& name) {
    const ir::Port* nearest = nullptr;
    std::string known;
    for (const ir::Port& input : graph_->inputs) {
      if (input.name == name) return &graph_->value(*input.value.value());
      if (nearest == nullptr || Distance(input.name, name) < Distance(nearest->name, name)) nearest = &input;
      known += (known.empty() ? "" : ", ") + input.name;
    }
    Wrong(ErrorKind::kUsage,
          "no input '" + name + "'" +
              (nearest == nullptr ? std::string("; the model has none")
                                  : "; did you mean '" + nearest->name + "'? The inputs are " + known));
    return nullptr;
  }

  void ApplyAxis(const ir::Dim& dim, const InputDim& wanted, const std::string& where) {
    const int64_t* number = std::get_if<int64_t>(&wanted);
    const auto* axis = std::get_if<FreeAxis>(&wanted);
    if (dim.is_number()) {
      if (axis != nullptr) {
        const std::string name = axis->name.empty() ? "size" : axis->name;
        Wrong(ErrorKind::kCannotExport,
              where + " is fixed to " + dim.ToString() + " in the file, it cannot be '" +
                  (axis->name.empty() ? "?" : axis->name) +
                  "': export it with this axis in dynamic_shapes, for example torch.export.export(model, args, "
                  "dynamic_shapes={...: {AXIS: torch.export.Dim(\"" +
                  name + "\")}})");
      } else if (*number != dim.number()) {
        Wrong(ErrorKind::kUsage,
              where + " is fixed to " + dim.ToString() + " in the file, not " + std::to_string(*number));
      }
      return;
    }
    if (axis != nullptr && axis->name.empty()) return;  // free it is, and the file has a name for it
    const auto symbol = dim.symbol();
    if (!symbol) {
      return Wrong(ErrorKind::kUsage,
                   where + " is " + dim.ToString() + " in the file: it follows from other axes, leave it to them");
    }
    const ir::Dim meaning = number != nullptr ? ir::Dim(*number) : ir::Dim::Symbol(axis->name);
    if (number != nullptr) CheckRange(*symbol, *number, *number, where);
    if (axis != nullptr && (axis->min || axis->max)) Narrow(*symbol, *axis, where);
    const auto [found, added] = meanings_.emplace(*symbol, Meaning{meaning, where});
    if (!added && !(found->second.dim == meaning)) {
      Wrong(ErrorKind::kUsage, where + " is the same size as " + found->second.where + " (" + *symbol +
                                   " in the file), but one is " + found->second.dim.ToString() + " and the other " +
                                   meaning.ToString());
    }
  }

  // A missing bound is the file's.
  bool CheckRange(const std::string& symbol, std::optional<int64_t> min, std::optional<int64_t> max,
                  const std::string& where) {
    const auto found = graph_->ranges.find(symbol);
    if (found == graph_->ranges.end()) return true;
    const ir::Range& range = found->second;
    const auto fits = [&](std::optional<int64_t> size) {
      return !size || ((!range.min || *size >= *range.min) && (!range.max || *size <= *range.max));
    };
    if (fits(min) && fits(max)) return true;
    const std::string wanted = min && min == max ? std::to_string(*min) : RangeText(min, max);
    Wrong(ErrorKind::kUsage, where + " is " + RangeText(range.min, range.max) + " in the file, not " + wanted);
    return false;
  }

  static std::string RangeText(std::optional<int64_t> min, std::optional<int64_t> max) {
    return (min ? std::to_string(*min) : "") + ".." + (max ? std::to_string(*max) : "");
  }

  // The sizes that the user promises, which the file allows.
  void Narrow(const std::string& symbol, const FreeAxis& axis, const std::string& where) {
    if (CheckRange(symbol, axis.min, axis.max, where)) Intersect(&graph_->ranges[symbol], {axis.min, axis.max}, where);
  }

  // A name may not be that of a symbol which stays. Two symbols of one name: the user promises that they are equal.
  void CheckNames() {
    for (const auto& [symbol, meaning] : meanings_) {
      const auto name = meaning.dim.symbol();
      if (name && *name != symbol && graph_->ranges.contains(*name) && !meanings_.contains(*name)) {
        Wrong(ErrorKind::kUsage, meaning.where + ": the name '" + *name + "' is taken by another size in the file");
      }
    }
  }

  void Substitute() {
    std::map<std::string, ir::Dim> values;
    for (const auto& [symbol, meaning] : meanings_) values.emplace(symbol, meaning.dim);
    if (values.empty()) return;
    const auto replace = [&](std::optional<ir::Dims>* dims) {
      if (!*dims) return;
      for (ir::Dim& dim : **dims) dim = dim.Substitute(values);
    };
    for (ir::Value& value : graph_->values) {
      replace(&value.dims);
      if (value.dims) CheckSizes(value);
      replace(&value.contents);
      replace(&value.strides);
    }
    ir::Ranges ranges;
    for (const auto& [symbol, range] : graph_->ranges) {
      const auto found = values.find(symbol);
      if (found == values.end()) {
        ranges.emplace(symbol, range);
      } else if (const auto name = found->second.symbol()) {
        Intersect(&ranges[*name], range, meanings_.at(symbol).where);
      }
    }
    graph_->ranges = std::move(ranges);
  }

  void CheckSizes(const ir::Value& value) {
    for (const ir::Dim& dim : *value.dims) {
      if (dim.is_number() && dim.number() < 0) {
        return Wrong(ErrorKind::kUsage,
                     "with these sizes '" + value.name + "' would have an axis of " + dim.ToString());
      }
    }
  }

  void Intersect(ir::Range* range, const ir::Range& other, const std::string& where) {
    if (other.min) range->min = std::max(range->min.value_or(*other.min), *other.min);
    if (other.max) range->max = std::min(range->max.value_or(*other.max), *other.max);
    if (range->min && range->max && *range->min > *range->max)
      Wrong(ErrorKind::kUsage, where + " has no size that all axes of its name can have");
  }

  ir::Graph* graph_;
  std::map<std::string, Meaning> meanings_;
  std::map<std::string, bool> seen_;
  std::vector<Diagnostic> mistakes_;
  ErrorKind kind_ = ErrorKind::kUsage;
};

}  // namespace

void ApplyInputSpecs(ir::Graph* graph, const std::vector<InputSpec>& specs) { Applier(graph).Apply(specs); }

}  // namespace onnxport::inputs
