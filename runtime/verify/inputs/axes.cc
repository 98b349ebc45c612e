#include "runtime/verify/inputs/axes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "runtime/base/error.h"

namespace onnxport::verify {
namespace {

constexpr size_t kRuns = 2;  // of a model with free axes

// "batch=1,7,33" -> {1, 7, 33}
std::vector<int64_t> ParseSizes(std::string_view text, std::string* name) {
  const std::string_view all = text;
  const auto fail = [&] {
    throw Error(ErrorKind::kUsage, fmt::format("--sizes '{}': write NAME=SIZE,..., for example batch=1,7,33", all));
  };
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) fail();
  *name = text.substr(0, equals);
  text.remove_prefix(equals + 1);
  std::vector<int64_t> sizes;
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    int64_t& size = sizes.emplace_back();
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || stop != part.data() + part.size() || size < 0) fail();
    if (end == text.size()) return sizes;
    text.remove_prefix(end + 1);
  }
}

std::set<std::string> FreeAxes(const std::vector<Port>& inputs) {
  std::set<std::string> names;
  for (const Port& input : inputs) {
    for (const ir::Dim& dim : input.dims)
      for (const std::string& name : dim.symbols()) names.insert(name);
  }
  return names;
}

// Neither 0 nor 1, which torch.export takes as other programs.
int64_t SmallSize(const ir::Range& range, size_t axis, size_t run) {
  // Axes a, b, c (by name) have 2, 3, 4 in the first run and 5, 6, 7 in the second. All differ, so a model that takes
  // one axis for another shows it.
  const auto ordinary = static_cast<int64_t>(2 + axis + 3 * run);
  const int64_t least = range.min.value_or(0);
  const int64_t size = std::max(ordinary, least > 2 ? least + static_cast<int64_t>(run) : least);
  return std::min(size, range.max.value_or(size));
}

}  // namespace

std::vector<Sizes> SizesOfRuns(const std::vector<Port>& inputs, const ir::Ranges& ranges,
                               const std::vector<std::string>& texts) {
  const std::set<std::string> axes = FreeAxes(inputs);
  std::map<std::string, std::vector<int64_t>> given;
  for (const std::string& text : texts) {
    std::string name;
    std::vector<int64_t> sizes = ParseSizes(text, &name);
    if (!axes.contains(name)) {
      throw Error(ErrorKind::kUsage,
                  axes.empty() ? fmt::format("--sizes '{}': no input of the model has a free axis", text)
                               : fmt::format("--sizes '{}': the free axes are {}", text, fmt::join(axes, ", ")));
    }
    given[name] = std::move(sizes);
  }
  // One run where the user says sizes: he gets those that he says, and no others.
  size_t runs = axes.empty() || !given.empty() ? 1 : kRuns;
  for (const auto& [name, sizes] : given) runs = std::max(runs, sizes.size());
  std::vector<Sizes> all(runs);
  for (size_t run = 0; run < runs; ++run) {
    size_t number = 0;
    for (const std::string& axis : axes) {
      const auto said = given.find(axis);
      const auto range = ranges.find(axis);
      all[run][axis] = said != given.end()
                           ? said->second[std::min(run, said->second.size() - 1)]
                           : SmallSize(range == ranges.end() ? ir::Range() : range->second, number, run);
      ++number;
    }
  }
  return all;
}

Sizes SizesOf(const std::vector<Port>& inputs, const std::vector<ort::Tensor>& given) {
  Sizes sizes;
  for (size_t i = 0; i < std::min(inputs.size(), given.size()); ++i) {
    const ir::Dims& dims = inputs[i].dims;
    if (inputs[i].sequence || dims.size() != given[i].shape.size()) continue;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      if (const auto symbol = dims[axis].symbol()) sizes.emplace(*symbol, given[i].shape[axis]);
    }
  }
  return sizes;
}

std::string AgainstType(const Port& output, const std::vector<int64_t>& shape, const Sizes& sizes) {
  if (output.sequence || output.dims.empty()) return "";
  if (output.dims.size() != shape.size()) {
    return fmt::format("`{}` has {} axes, and the model says {}", output.name, shape.size(), output.dims.size());
  }
  std::map<std::string, ir::Dim> known;
  for (const auto& [name, size] : sizes) known.emplace(name, size);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const ir::Dim said = output.dims[axis].Substitute(known);
    if (!said.is_number() || said.number() == shape[axis]) continue;
    return fmt::format("axis {} of `{}` is {}, and the model says {}{}", axis, output.name, shape[axis],
                       output.dims[axis].ToString(),
                       output.dims[axis].is_number() ? "" : fmt::format(", which is {} here", said.number()));
  }
  return "";
}

std::vector<int64_t> ShapeAt(const Port& port, const Sizes& sizes) {
  std::map<std::string, ir::Dim> known;
  for (const auto& [name, size] : sizes) known.emplace(name, size);
  std::vector<int64_t> shape;
  for (const ir::Dim& dim : port.dims) {
    // An axis may be an expression: an input [2*batch, 3] has 4 rows where batch is 2. One such as batch - 3 may have
    // no size here.
    const ir::Dim at = dim.Substitute(known);
    if (!at.is_number() || at.number() < 0) {
      throw Error(ErrorKind::kUsage, fmt::format("axis {} of `{}` is {}, which is no size here; give --sizes",
                                                 shape.size(), port.name, dim.ToString()));
    }
    shape.push_back(at.number());
  }
  return shape;
}

}  // namespace onnxport::verify
