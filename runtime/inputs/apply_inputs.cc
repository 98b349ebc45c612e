#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/nearest_name.h"
#include "runtime/inputs/inputs.h"

namespace onnxport::inputs {
namespace {

// Applies all specs and collects the mistakes.
class InputApplier {
 public:
  explicit InputApplier(ir::Graph* graph) : graph_(graph) {}

  std::vector<FreedAxis> Apply(const std::vector<Input>& inputs) {
    // First all inputs are checked, and the graph changes only if all are right. So every mistake is reported at once,
    // and no later step sees a graph that is half changed. Sums come last, as they are compared with the final sizes of
    // all other axes.
    for (const Input& input : inputs) ApplyOne(input);
    CheckNames();
    if (mistakes_.empty()) Substitute();
    if (mistakes_.empty()) FreeAxes();
    if (mistakes_.empty()) CheckSums();
    if (!mistakes_.empty()) throw Error(Report(ErrorKind::kUsage, std::move(mistakes_)));
    return std::move(freed_);
  }

 private:
  // The new meaning of a symbol, and the axis that gave it.
  struct Meaning {
    ir::Dim dim;
    std::string where;
  };

  // An axis of an input.
  struct Place {
    const ir::Port& input;
    size_t axis;
    std::string text() const { return "axis " + std::to_string(axis) + " of input '" + input.name + "'"; }
  };

  void Wrong(const std::string& text) {
    const Report mistake(Code::kInputDoesNotFit, text);
    mistakes_.push_back(mistake.marked().front());
  }

  void ApplyOne(const Input& spec) {
    const ir::Port* input = Find(spec.name);
    if (input == nullptr) return;
    const ir::Value* value = &graph_->value(*input->value.value());
    if (!seen_.emplace(spec.name, true).second) return Wrong("input '" + spec.name + "' is given twice");
    if (spec.fixed || spec.list) {
      return Wrong("input '" + spec.name +
                   "' of a .pt2 is a tensor: fixed values and list[...] are for TorchScript "
                   "files, torch.export has decided them already");
    }
    if (value->dtype != spec.dtype) {
      Wrong("input '" + spec.name + "' is " + std::string(ir::Name(value->dtype)) + " in the file, not " +
            std::string(ir::Name(spec.dtype)));
    }
    if (!spec.dims || !value->dims) return;
    if (spec.dims->size() != value->dims->size()) {
      return Wrong("input '" + spec.name + "' has " + std::to_string(value->dims->size()) +
                   " dimensions in the file, not " + std::to_string(spec.dims->size()));
    }
    for (size_t i = 0; i < spec.dims->size(); ++i) {
      ApplyAxis((*value->dims)[i], (*spec.dims)[i], {*input, i});
    }
  }

  const ir::Port* Find(const std::string& name) {
    const ir::Port* nearest = nullptr;
    std::string known;
    for (const ir::Port& input : graph_->inputs) {
      if (input.name == name) return &input;
      if (nearest == nullptr || EditDistance(input.name, name) < EditDistance(nearest->name, name)) nearest = &input;
      known += (known.empty() ? "" : ", ") + input.name;
    }
    Wrong("no input '" + name + "'" +
          (nearest == nullptr ? std::string("; the model has none")
                              : "; did you mean '" + nearest->name + "'? The inputs are " + known));
    return nullptr;
  }

  void ApplyAxis(const ir::Dim& dim, const Dim& wanted, const Place& place) {
    const std::string where = place.text();
    if (IsAxisSum(wanted.symbol())) return Follow(dim, wanted, place);
    if (dim.is_number() && !wanted.is_number()) return Free(dim.number(), wanted, place);
    if (dim.is_number()) {
      // Repeating the file's size is no mistake.
      if (wanted.number() == dim.number()) return;
      return Wrong(where + " is fixed to " + dim.ToString() + " in the file, not " + wanted.Text());
    }
    if (wanted.is_unknown()) return;  // it is free already, and the file has a name for it
    const auto symbol = dim.symbol();
    if (!symbol) {
      return Wrong(where + " is " + dim.ToString() + " in the file: it follows from other axes, leave it to them");
    }
    if (wanted.is_number()) {
      CheckRange(*symbol, wanted.number(), wanted.number(), where);
      return Mean(*symbol, wanted.number(), where);
    }
    if (wanted.min() || wanted.max()) Narrow(*symbol, wanted, where);
    Mean(*symbol, ir::Dim::Symbol(wanted.symbol()), where);
  }

  void Mean(const std::string& symbol, const ir::Dim& meaning, const std::string& where) {
    const auto [found, added] = meanings_.emplace(symbol, Meaning{meaning, where});
    if (!added && !(found->second.dim == meaning)) {
      Wrong(where + " is the same size as " + found->second.where + " (" + symbol + " in the file), but one is " +
            found->second.dim.ToString() + " and the other " + meaning.ToString());
    }
  }

  // Handles a sum of other axes, which the file may know already.
  void Follow(const ir::Dim& dim, const Dim& axis, const Place& place) {
    const ir::Dim sum = DimOfAxis(axis.symbol());
    if (dim.is_number()) {
      return Wrong(place.text() + " is " + dim.ToString() + " in the file, which is never " + sum.ToString());
    }
    if (const auto symbol = dim.symbol()) Mean(*symbol, sum, place.text());
    sums_.emplace_back(place, sum);
  }

  void Free(int64_t size, const Dim& axis, const Place& place) {
    const std::string name = axis.is_unknown() ? AxisName(place.input.name, place.axis) : axis.symbol();
    for (const FreedAxis& other : freed_) {
      if (other.symbol != name || other.size == size) continue;
      return Wrong(place.text() + " is " + std::to_string(size) + " in the file and " + other.where + " is " +
                   std::to_string(other.size) + ": they cannot both be '" + name + "'");
    }
    if ((axis.min() && size < *axis.min()) || (axis.max() && size > *axis.max())) {
      return Wrong(place.text() + " is " + std::to_string(size) + " in the file, outside " +
                   RangeText(axis.min(), axis.max()));
    }
    freed_.push_back({name, size, place.text()});
    freed_places_.push_back(place);
    freed_ranges_.push_back({axis.min(), axis.max()});
  }

  // A missing bound is that of the file.
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
    Wrong(where + " is " + RangeText(range.min, range.max) + " in the file, not " + wanted);
    return false;
  }

  static std::string RangeText(std::optional<int64_t> min, std::optional<int64_t> max) {
    return (min ? std::to_string(*min) : "") + ".." + (max ? std::to_string(*max) : "");
  }

  // Applies the sizes that the user promises. The file must allow them.
  void Narrow(const std::string& symbol, const Dim& axis, const std::string& where) {
    if (CheckRange(symbol, axis.min(), axis.max(), where))
      Intersect(&graph_->ranges[symbol], {axis.min(), axis.max()}, where);
  }

  // A name must not be that of a symbol that stays. If two symbols get one name, the user promises that they are equal.
  void CheckNames() {
    for (const auto& [symbol, meaning] : meanings_) {
      const auto name = meaning.dim.symbol();
      if (name && *name != symbol && graph_->ranges.contains(*name) && !meanings_.contains(*name)) {
        Wrong(meaning.where + ": the name '" + *name + "' is taken by another size in the file");
      }
    }
    for (const FreedAxis& axis : freed_) {
      if (graph_->ranges.contains(axis.symbol) && !meanings_.contains(axis.symbol))
        Wrong(axis.where + ": the name '" + axis.symbol + "' is taken by another size in the file");
    }
  }

  void Substitute() {
    std::map<std::string, ir::Dim> values;
    for (const auto& [symbol, meaning] : meanings_) values.emplace(symbol, meaning.dim);
    if (values.empty()) return;
    const auto replace = [&](auto* dims) {
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
        // Two symbols with one name are one size from now on, which both must allow.
        Intersect(&ranges[*name], range, meanings_.at(symbol).where);
      }
    }
    graph_->ranges = std::move(ranges);
  }

  void FreeAxes() {
    for (size_t i = 0; i < freed_.size(); ++i) {
      ir::Value& value = graph_->value(*freed_places_[i].input.value.value());
      (*value.dims)[freed_places_[i].axis] = ir::Dim::Symbol(freed_[i].symbol);
      // The strides were numbers for the size that is free now.
      value.strides.reset();
      Intersect(&graph_->ranges[freed_[i].symbol], freed_ranges_[i], freed_[i].where);
    }
  }

  void CheckSums() {
    std::set<std::string> known;
    for (const ir::Port& input : graph_->inputs) {
      for (const ir::Dim& dim : graph_->value(*input.value.value()).dims.value_or(ir::Dims())) {
        if (const auto symbol = dim.symbol()) known.insert(*symbol);
      }
    }
    for (const auto& [place, sum] : sums_) {
      const ir::Dim& dim = (*graph_->value(*place.input.value.value()).dims)[place.axis];
      if (!(dim == sum)) Wrong(place.text() + " is " + dim.ToString() + ", not " + sum.ToString());
      for (const std::string& name : sum.symbols()) {
        if (!known.contains(name)) Wrong(place.text() + " is " + sum.ToString() + ", but no axis is '" + name + "'");
      }
    }
  }

  void CheckSizes(const ir::Value& value) {
    for (const ir::Dim& dim : *value.dims) {
      if (dim.is_number() && dim.number() < 0) {
        return Wrong("with these sizes '" + value.name + "' would have an axis of " + dim.ToString());
      }
    }
  }

  void Intersect(ir::Range* range, const ir::Range& other, const std::string& where) {
    if (other.min) range->min = std::max(range->min.value_or(*other.min), *other.min);
    if (other.max) range->max = std::min(range->max.value_or(*other.max), *other.max);
    if (range->min && range->max && *range->min > *range->max)
      Wrong(where + " has no size that all axes of its name can have");
  }

  ir::Graph* graph_;
  std::map<std::string, Meaning> meanings_;
  std::map<std::string, bool> seen_;
  std::vector<FreedAxis> freed_;
  std::vector<Place> freed_places_;  // one for each freed axis
  std::vector<ir::Range> freed_ranges_;
  std::vector<std::pair<Place, ir::Dim>> sums_;  // axes that follow from others
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

std::vector<FreedAxis> ApplyInputs(ir::Graph* graph, const std::vector<Input>& inputs) {
  return InputApplier(graph).Apply(inputs);
}

}  // namespace onnxport::inputs
