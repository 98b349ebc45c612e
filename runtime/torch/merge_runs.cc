#include "runtime/torch/merge_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/fit/number_fit.h"
#include "runtime/ir/location.h"
#include "runtime/ir/same_bytes.h"

namespace onnxport::torch_export {
namespace {

using fit::Observed;
using ir::Arg;
using ir::ValueId;

// Parameters and buffers are where they were; a constant may be made anew in each run.
bool SameWeight(const ir::Weight& a, const ir::Weight& b) {
  if (a.name != b.name) return false;
  const bool registered = !a.name.starts_with(kConstantPrefix) && a.data->bytes->storage() == b.data->bytes->storage();
  return registered || ir::SameBytes(*a.data, *b.data);
}

// NaN is NaN.
bool Same(const Arg& a, const Arg& b) {
  if (a.v.index() != b.v.index()) return false;
  if (const ir::ArgList* list = a.list()) return std::ranges::equal(*list, *b.list(), Same);
  return std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        const Held& other = std::get<Held>(b.v);
        if constexpr (std::is_same_v<Held, double>) return held == other || (std::isnan(held) && std::isnan(other));
        if constexpr (std::is_same_v<Held, std::shared_ptr<const ir::TensorData>>) return ir::SameBytes(*held, *other);
        if constexpr (std::is_same_v<Held, ir::ArgList>)
          return false;
        else
          return held == other;
      },
      a.v);
}

class Merger {
 public:
  Merger(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims) : runs_(runs), graph_(runs[0].graph) {
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const ValueId id = *graph_.inputs[i].value.value();
      MergeType(id);
      graph_.value(id).dims = input_dims[i];
      NoteSizes(id);
    }
  }

  Merged Merge() {
    CompareCalls();
    CompareWeights();
    std::vector<ir::Node> nodes = std::move(graph_.body.nodes);
    graph_.body.nodes.clear();
    for (place_ = 0; place_ < nodes.size(); ++place_) MergeCall(std::move(nodes[place_]));
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      std::vector<const Arg*> seen;
      for (const Run& run : runs_) seen.push_back(&run.graph.outputs[i].value);
      graph_.outputs[i].value = MergeArg(seen, fmt::format("the output '{}'", graph_.outputs[i].name));
      graph_.body.outputs[i] = graph_.outputs[i].value;
    }
    return {.graph = std::move(graph_), .sure = sure_};
  }

 private:
  struct Known {
    ValueId tensor;
    int64_t axis;
  };

  // Where a run was; without named axes all have the same sizes.
  std::string At(const Run& run) const {
    if (!run.sizes.empty()) return SizesText(run.sizes);
    return &run == &runs_[0] ? "the values of the examples" : "other values";
  }
  const char* Head() const {
    return runs_[0].sizes.empty() ? "values of the inputs decide what the program does, or are read from their memory: "
                                  : "the axes cannot be free: ";
  }

  [[noreturn]] void Refuse(const std::string& what) const { throw Error(ErrorKind::kCannotExport, Head() + what); }

  std::string CallText(const Run& run, size_t i) const {
    const ir::Node& call = run.graph.body.nodes[i];
    const std::string_view module = ModulePath(run.graph.location(call.location));
    return fmt::format("call {} is {}{}", i, call.op, module.empty() ? "" : fmt::format(" (of '{}')", module));
  }

  // The same operators in the same order.
  void CompareCalls() const {
    const Run& first = runs_[0];
    for (const Run& run : runs_) {
      const auto& a = first.graph.body.nodes;
      const auto& b = run.graph.body.nodes;
      const auto same = [](const ir::Node& x, const ir::Node& y) {
        return x.op == y.op && x.outputs.size() == y.outputs.size();
      };
      const auto [x, y] = std::ranges::mismatch(a, b, same);
      if (x == a.end() && y == b.end() && run.graph.outputs.size() == first.graph.outputs.size()) continue;
      const auto place = static_cast<size_t>(x - a.begin());
      const auto text = [&](const Run& of) {
        return place < of.graph.body.nodes.size() ? CallText(of, place)
                                                  : fmt::format("there are {} calls", of.graph.body.nodes.size());
      };
      Refuse(fmt::format("the program does other things{}: at {} {}, at {} {}",
                         first.sizes.empty() ? "" : " at other sizes", At(first), text(first), At(run), text(run)));
    }
  }

  // Constants are the same ones.
  void CompareWeights() const {
    const auto& weights = runs_[0].graph.weights;
    for (const Run& run : runs_) {
      for (size_t i = 0; i < std::max(weights.size(), run.graph.weights.size()); ++i) {
        const bool both = i < weights.size() && i < run.graph.weights.size();
        if (both && SameWeight(weights[i], run.graph.weights[i])) continue;
        Refuse(
            fmt::format("'{}', which the program makes without operators or takes from outside, is another tensor at "
                        "{} than at {}; "
                        "make it with operators of the sizes of the inputs",
                        i < weights.size() ? weights[i].name : run.graph.weights[i].name, At(runs_[0]), At(run)));
      }
    }
  }

  // ---- types

  // What differs is left open.
  void MergeType(ValueId id) {
    ir::Value& type = graph_.value(id);
    for (const Run& run : runs_) {
      const ir::Value& other = run.graph.value(id);
      if (other.dtype != type.dtype || other.dims->size() != type.dims->size()) {
        Refuse(fmt::format("{} gives another dtype or rank at {} than at {}", type.name, At(runs_[0]), At(run)));
      }
      for (size_t axis = 0; axis < type.dims->size(); ++axis) {
        if ((*other.dims)[axis] != (*type.dims)[axis]) (*type.dims)[axis] = ir::Dim();
      }
      if (type.strides && other.strides != type.strides) type.strides.reset();
    }
  }

  // Sizes that differ are what numbers are computed of.
  void NoteSizes(ValueId id) {
    const size_t rank = graph_.value(id).dims->size();
    for (size_t axis = 0; axis < rank; ++axis) {
      Observed sizes;
      for (const Run& run : runs_) sizes.push_back((*run.graph.value(id).dims)[axis].number());
      const bool differ = std::ranges::any_of(sizes, [&](int64_t size) { return size != sizes[0]; });
      if (!differ || std::ranges::find(observed_, sizes) != observed_.end()) continue;
      observed_.push_back(std::move(sizes));
      known_.push_back({id, static_cast<int64_t>(axis)});
    }
  }

  // ---- calls

  void MergeCall(ir::Node call) {
    location_ = call.location;
    const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      std::vector<const Arg*> seen;
      for (const Run& run : runs_) seen.push_back(&run.graph.body.nodes[place_].inputs.at(i));
      const std::string name =
          schema != nullptr && i < schema->arguments.size() ? schema->arguments[i].name : std::to_string(i);
      call.inputs[i] = MergeArg(seen, fmt::format("argument '{}' of {}", name, call.op));
    }
    // How many pieces there are may depend on sizes: the first is always there.
    const bool pieces = schema != nullptr && !schema->results.empty() && schema->results[0].type.list;
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      if (call.outputs[i] == ValueId::kNone) continue;
      MergeType(call.outputs[i]);
      if (i == 0 || !pieces) NoteSizes(call.outputs[i]);
    }
    graph_.body.nodes.push_back(std::move(call));
  }

  Arg MergeArg(const std::vector<const Arg*>& seen, const std::string& what) {
    const Arg& first = *seen[0];
    const auto all = [&](auto&& holds) {
      return std::ranges::all_of(seen, [&](const Arg* arg) { return holds(*arg); });
    };
    if (const ir::ArgList* list = first.list()) {
      const auto is_such = [&](const Arg& arg) { return arg.list() != nullptr && arg.list()->size() == list->size(); };
      if (!all(is_such)) Refuse(what + " has another length at other sizes");
      ir::ArgList merged;
      for (size_t i = 0; i < list->size(); ++i) {
        std::vector<const Arg*> items;
        for (const Arg* arg : seen) items.push_back(&(*arg->list())[i]);
        merged.push_back(MergeArg(items, what));
      }
      return {std::move(merged)};
    }
    if (all([&](const Arg& arg) { return Same(arg, first); })) return first;
    if (all([](const Arg& arg) { return std::holds_alternative<int64_t>(arg.v); })) return MergeInts(seen, what);
    if (all([](const Arg& arg) { return std::holds_alternative<double>(arg.v); })) return MergeFloats(seen, what);
    Refuse(what + " is another value at other sizes");
  }

  Arg MergeInts(const std::vector<const Arg*>& seen, const std::string& what) {
    Observed numbers;
    for (const Arg* arg : seen) numbers.push_back(std::get<int64_t>(arg->v));
    if (const auto found = Compute(numbers)) return *found;
    RefuseNumber(what, numbers);
  }

  // n, 1/n, sqrt(n) and 1/sqrt(n) of a number n that is computed of sizes.
  Arg MergeFloats(const std::vector<const Arg*>& seen, const std::string& what) {
    struct Form {
      double (*make)(double);
      double (*undo)(double);
      std::vector<const char*> ops;
    };
    static const Form kForms[] = {
        {[](double n) { return n; }, [](double v) { return v; }, {"host::float"}},
        {[](double n) { return 1 / n; }, [](double v) { return 1 / v; }, {"host::truediv"}},
        {[](double n) { return std::sqrt(n); }, [](double v) { return v * v; }, {"host::sqrt"}},
        {[](double n) { return 1 / std::sqrt(n); },
         [](double v) { return 1 / (v * v); },
         {"host::sqrt", "host::truediv"}},
    };
    std::vector<double> values;
    for (const Arg* arg : seen) values.push_back(std::get<double>(arg->v));
    for (const Form& form : kForms) {
      Observed numbers;
      for (const double value : values) {
        const double number = std::round(form.undo(value));
        if (std::abs(number) > 1e15 || form.make(number) != value) break;
        numbers.push_back(static_cast<int64_t>(number));
      }
      if (numbers.size() != values.size()) continue;
      std::optional<Arg> result = Compute(numbers);
      if (!result) continue;
      for (const char* op : form.ops) {
        const bool divides = std::string_view(op) == "host::truediv";
        result = {HostCall(op, divides ? std::vector<Arg>{{1.0}, *result} : std::vector<Arg>{*result},
                           ir::ValueKind::kFloat)};
      }
      return *result;
    }
    if (const auto ratio = MergeRatios(values)) return *ratio;
    RefuseNumber(what, values);
  }

  // What is computed of sizes, divided by a size or a small number.
  std::optional<Arg> MergeRatios(const std::vector<double>& values) {
    constexpr int64_t kLargestDivisor = 64;
    const auto divided_by = [&](const Observed& divisors) -> std::optional<Arg> {
      Observed numbers;
      for (size_t i = 0; i < values.size(); ++i) {
        const double number = std::round(values[i] * static_cast<double>(divisors[i]));
        if (std::abs(number) > 1e15 || number / static_cast<double>(divisors[i]) != values[i]) return std::nullopt;
        numbers.push_back(static_cast<int64_t>(number));
      }
      const std::optional<Arg> above = Compute(numbers);
      const std::optional<Arg> below = above ? Compute(divisors) : std::nullopt;
      if (!below) return std::nullopt;
      return Arg{HostCall("host::truediv", {*above, *below}, ir::ValueKind::kFloat)};
    };
    for (int64_t divisor = 2; divisor <= kLargestDivisor; ++divisor) {
      if (const auto found = divided_by(Observed(values.size(), divisor))) return found;
    }
    const std::vector<Observed> sizes = observed_;
    for (const Observed& size : sizes) {
      if (const auto found = divided_by(size)) return found;
    }
    return std::nullopt;
  }

  template <typename Numbers>
  [[noreturn]] void RefuseNumber(const std::string& what, const Numbers& numbers) const {
    std::vector<std::string> seen;
    for (size_t i = 0; i < numbers.size(); ++i) {
      seen.push_back(fmt::format("{} at {}", numbers[i], At(runs_[i])));
    }
    const std::string_view module = ModulePath(graph_.location(location_));
    throw NoExpression(ErrorKind::kCannotExport,
                       fmt::format("{}{}{} was {}, and no expression of the sizes gives that", Head(), what,
                                   module.empty() ? "" : fmt::format(" (in '{}')", module), fmt::join(seen, ", ")));
  }

  // ---- numbers

  std::optional<Arg> Compute(const Observed& numbers) {
    if (const auto found = computed_.find(numbers); found != computed_.end()) return found->second;
    const std::optional<fit::Fitted> fitted = fit::Fit(numbers, observed_);
    if (!fitted) return std::nullopt;
    sure_ = sure_ && fitted->sure;
    const Arg result = fit::Fold<Arg>(
        fitted->formula,
        [&](size_t which) -> Arg {
          const Known& size = known_[which];
          return {HostCall("host::sym_size", {{size.tensor}, {size.axis}}, ir::ValueKind::kInt)};
        },
        [](int64_t number) { return Arg{number}; },
        [&](fit::Step::Kind kind, const Arg& a, const Arg& b) -> Arg {
          return {HostCall(fit::HostOperator(kind), {a, b}, ir::ValueKind::kInt)};
        });
    computed_.emplace(numbers, result);
    return result;
  }

  ValueId HostCall(const char* op, std::vector<Arg> args, ir::ValueKind kind) {
    ir::Value type;
    type.name = fmt::format("size_{}", graph_.values.size());
    type.kind = kind;
    type.dtype = kind == ir::ValueKind::kInt ? ir::DType::kInt64 : ir::DType::kFloat64;
    type.dims.emplace();
    ir::Node call;
    call.op = op;
    call.inputs = std::move(args);
    call.outputs = {graph_.AddValue(std::move(type))};
    call.location = location_;
    graph_.body.nodes.push_back(call);
    return call.outputs[0];
  }

  const std::vector<Run>& runs_;
  ir::Graph graph_;
  size_t place_ = 0;
  ir::LocationId location_ = ir::LocationId::kNone;
  std::vector<Observed> observed_;
  std::vector<Known> known_;
  std::map<Observed, Arg> computed_;
  bool sure_ = true;
};

}  // namespace

std::string SizesText(const std::map<std::string, int64_t>& sizes) {
  return sizes.empty() ? "other values of the inputs" : fit::SizesText(sizes);
}

Merged Merge(const std::vector<Run>& runs, const std::vector<ir::Dims>& input_dims) {
  return Merger(runs, input_dims).Merge();
}

bool AreSame(const ir::Graph& a, const ir::Graph& b) {
  const auto same_call = [](const ir::Node& x, const ir::Node& y) {
    return x.op == y.op && x.outputs == y.outputs && std::ranges::equal(x.inputs, y.inputs, Same);
  };
  const auto same_type = [](const ir::Value& x, const ir::Value& y) {
    return x.dtype == y.dtype && x.dims == y.dims && x.strides == y.strides;
  };
  const auto same_output = [](const ir::Port& x, const ir::Port& y) {
    return x.name == y.name && Same(x.value, y.value);
  };
  return std::ranges::equal(a.body.nodes, b.body.nodes, same_call) &&
         std::ranges::equal(a.values, b.values, same_type) && std::ranges::equal(a.weights, b.weights, SameWeight) &&
         std::ranges::equal(a.outputs, b.outputs, same_output);
}

}  // namespace onnxport::torch_export
