#include "runtime/trace/unrolled.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/aten/op_traits.h"

namespace onnxport::trace {
namespace {

std::optional<int64_t> IntAt(const std::vector<ir::Arg>& args, int8_t position) {
  const bool given = position >= 0 && static_cast<size_t>(position) < args.size();
  const int64_t* number = given ? std::get_if<int64_t>(&args[static_cast<size_t>(position)].v) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

// The elements [first, end) of the axis that a call reads with constant indices.
struct Read {
  int64_t axis;
  int64_t first;
  int64_t end;
};

std::optional<Read> ReadOf(const ir::Operator& op, const std::vector<ir::Arg>& args) {
  const op_traits::OpTraits& traits = op_traits::TraitsOf(op);
  const bool element = traits.alias == op_traits::Alias::kElement;
  if (!element && traits.alias != op_traits::Alias::kRange) return std::nullopt;
  const auto axis = IntAt(args, traits.axes[0]);
  const auto first = IntAt(args, traits.axes[1]);
  if (!axis || !first || *first == INT64_MAX) return std::nullopt;
  const auto end = element ? *first + 1 : IntAt(args, traits.axes[2]);
  return end && *end != INT64_MAX ? std::optional(Read{*axis, *first, *end}) : std::nullopt;
}

}  // namespace

std::optional<std::string> WhyUnrolled(const TracedSizes& traced, const ir::Operator& op,
                                       const std::vector<ir::Arg>& args, const ir::Dims& dims) {
  auto read = ReadOf(op, args);
  const auto rank = static_cast<int64_t>(dims.size());
  if (!read || read->first < 1 || read->axis < -rank || read->axis >= rank) return std::nullopt;
  const ir::Dim& dim = dims[static_cast<size_t>(read->axis < 0 ? read->axis + rank : read->axis)];
  if (!dim.is_symbolic()) return std::nullopt;
  std::map<std::string, ir::Dim> sizes;
  for (const auto& [symbol, size] : traced) sizes.emplace(symbol, ir::Dim(size));
  if (dim.Substitute(sizes) != ir::Dim(read->end)) return std::nullopt;
  std::string text;
  for (const ir::Dim& d : dims) text += (text.empty() ? "" : ", ") + d.ToString();
  return fmt::format(
      "element {} of axis {} of [{}] is read by its number, and it was the last one when the model was traced: a loop "
      "over `{}` is unrolled in a trace; give the size itself instead of a name, script the loop, or trace with "
      "another size if there is no loop",
      read->end - 1, read->axis < 0 ? read->axis + rank : read->axis, text, dim.ToString());
}

}  // namespace onnxport::trace
