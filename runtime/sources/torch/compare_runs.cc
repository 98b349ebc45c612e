#include "runtime/sources/torch/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/ir/same_bytes.h"
#include "runtime/sources/fit/number_fit.h"

namespace onnxport::torch_export {
namespace {

using ir::Arg;

// Parameters and buffers keep their memory. A constant may be made again in each run.
bool SameWeight(const ir::Weight& a, const ir::Weight& b) {
  if (a.name != b.name) return false;
  // The memory is compared first, which costs nothing. Bytes of weights are hashed only if it differs.
  const bool registered = !a.name.starts_with(kConstantPrefix) && a.data->bytes->storage() == b.data->bytes->storage();
  return registered || ir::SameBytes(*a.data, *b.data);
}

std::string CallText(const Run& run, size_t i) {
  const ir::Node& call = run.graph.body.nodes[i];
  const std::string_view module = ModulePath(run.graph.location(call.location));
  return fmt::format("call {} is {}{}", i, call.op, module.empty() ? "" : fmt::format(" (of '{}')", module));
}

// Checks for the same operators in the same order. It compares operators and numbers of results. Merge compares the
// arguments, because numbers may differ.
void CompareCalls(const std::vector<Run>& runs) {
  const Run& first = runs[0];
  for (const Run& run : runs) {
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
    RefuseRuns(runs, fmt::format("the program does other things{}: at {} {}, at {} {}",
                                 first.sizes.empty() ? "" : " at other sizes", At(runs, first), text(first),
                                 At(runs, run), text(run)));
  }
}

// Checks that constants are equal.
void CompareWeights(const std::vector<Run>& runs) {
  const auto& weights = runs[0].graph.weights;
  for (const Run& run : runs) {
    for (size_t i = 0; i < std::max(weights.size(), run.graph.weights.size()); ++i) {
      const bool both = i < weights.size() && i < run.graph.weights.size();
      if (both && SameWeight(weights[i], run.graph.weights[i])) continue;
      RefuseRuns(
          runs,
          fmt::format("'{}', which the program makes without operators or takes from outside, is another tensor at "
                      "{} than at {}; "
                      "make it with operators of the sizes of the inputs",
                      i < weights.size() ? weights[i].name : run.graph.weights[i].name, At(runs, runs[0]),
                      At(runs, run)));
    }
  }
}

}  // namespace

std::string SizesText(const std::map<std::string, int64_t>& sizes) {
  return sizes.empty() ? "other values of the inputs" : fit::SizesText(sizes);
}

std::string At(const std::vector<Run>& runs, const Run& run) {
  // Without named axes all have the same sizes.
  if (!run.sizes.empty()) return SizesText(run.sizes);
  return &run == &runs[0] ? "the values of the examples" : "other values";
}

const char* Head(const std::vector<Run>& runs) {
  return runs[0].sizes.empty() ? "values of the inputs decide what the program does, or are read from their memory: "
                               : "the axes cannot be free: ";
}

void RefuseRuns(const std::vector<Run>& runs, const std::string& what) {
  throw Error(Code::kTracesDiffer, Head(runs) + what);
}

void CompareRuns(const std::vector<Run>& runs) {
  CompareCalls(runs);
  CompareWeights(runs);
}

bool Same(const Arg& a, const Arg& b) {
  if (a.v.index() != b.v.index()) return false;
  // Before the visit, because lists hold Args, which have no ==.
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
