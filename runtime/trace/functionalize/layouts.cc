#include "runtime/trace/functionalize/layouts.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "runtime/trace/functionalize/twins.h"
#include "runtime/trace/functionalize/views.h"
#include "runtime/trace/functionalize/write_back.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

using op_traits::Alias;
using op_traits::Layout;
using op_traits::OpTraits;

// Returns true for `memory_format=channels_last` and similar arguments.
bool AsksForFormat(const ir::Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [](const Arg& arg) {
    const ir::Word* word = std::get_if<ir::Word>(&arg.v);
    return word != nullptr && word->text.starts_with("channels_last");
  });
}

bool AsksForRowMajor(const ir::Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [](const Arg& arg) {
    const ir::Word* word = std::get_if<ir::Word>(&arg.v);
    return word != nullptr && word->text == "contiguous_format";
  });
}

std::optional<int64_t> Number(const ir::Node& node, int8_t position) {
  if (position < 0 || static_cast<size_t>(position) >= node.inputs.size()) return std::nullopt;
  const int64_t* number = std::get_if<int64_t>(&node.inputs[static_cast<size_t>(position)].v);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<size_t> FromFront(std::optional<int64_t> axis, size_t rank) {
  if (axis && *axis < 0) *axis += static_cast<int64_t>(rank);
  if (!axis || *axis < 0 || *axis >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(*axis);
}

// Returns the order of the base's axes in a view that exchanges two: the two that it names, or the last two.
std::optional<std::vector<size_t>> Swapped(const ir::Node& node, const OpTraits& traits, std::vector<size_t> order) {
  const size_t rank = order.size();
  const bool named = traits.axes[0] >= 0;
  const auto a = FromFront(named ? Number(node, traits.axes[0]) : -2, rank);
  const auto b = FromFront(named ? Number(node, traits.axes[1]) : -1, rank);
  if (!a || !b) return std::nullopt;
  std::swap(order[*a], order[*b]);
  return order;
}

std::optional<std::vector<size_t>> Permuted(const ir::Node& node, int8_t position, std::vector<size_t> order) {
  const ir::ArgList* dims = node.inputs[static_cast<size_t>(position)].list();
  if (dims == nullptr || dims->size() != order.size()) return std::nullopt;
  for (size_t i = 0; i < order.size(); ++i) {
    const int64_t* dim = std::get_if<int64_t>(&(*dims)[i].v);
    const auto axis = dim == nullptr ? std::nullopt : FromFront(*dim, order.size());
    if (!axis) return std::nullopt;
    order[i] = *axis;
  }
  return order;
}

// For a view that only reorders axes.
std::optional<std::vector<size_t>> AxisOrder(const ir::Node& node, const OpTraits& traits, size_t rank) {
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  switch (traits.alias) {
    case Alias::kReversed:
      std::ranges::reverse(order);
      return order;
    case Alias::kSwapped:
      return Swapped(node, traits, std::move(order));
    case Alias::kPermuted:
      return Permuted(node, traits.axes[0], std::move(order));
    default:
      return std::nullopt;
  }
}

// For a view of a part of one axis. Returns nothing for other views, and for a step known only at run time.
std::optional<int64_t> StepOf(const ir::Node& node, const OpTraits& traits) {
  if (traits.alias == Alias::kElement) return 1;
  if (traits.alias != Alias::kRange) return std::nullopt;
  return traits.axes[3] < 0 ? 1 : Number(node, traits.axes[3]);
}

std::optional<int64_t> Named(const ir::Node& node, const ir::AtenSchema& schema, std::string_view argument) {
  return Number(node, static_cast<int8_t>(schema.FindArgument(argument)));
}

// For a view of windows along an axis: the places in a window are a new last axis.
std::optional<ir::Dims> WindowStrides(const ir::Node& node, const ir::AtenSchema& schema, ir::Dims strides) {
  const auto axis = FromFront(Named(node, schema, "dimension"), strides.size());
  const auto step = Named(node, schema, "step");
  if (!axis || !step) return std::nullopt;
  strides.push_back(strides[*axis]);
  strides[*axis] = strides[*axis] * ir::Dim(*step);
  return strides;
}

// For a view that repeats elements. Other axes keep their strides. New axes, and those that are longer than in the
// base, have stride 0.
std::optional<ir::Dims> ExpandedStrides(const ir::Dims& base, const ir::Dims& strides, const ir::Dims& view) {
  if (view.size() < base.size()) return std::nullopt;
  const size_t added = view.size() - base.size();
  ir::Dims of_view(view.size(), ir::Dim(0));
  for (size_t i = 0; i < base.size(); ++i) {
    if (view[added + i] == base[i]) {
      of_view[added + i] = strides[i];
    } else if (!(base[i] == ir::Dim(1))) {
      return std::nullopt;
    }
  }
  return of_view;
}

// Returns true for an operator without tensor arguments, which creates a tensor.
bool IsFactory(const ir::AtenSchema& schema) {
  return std::ranges::none_of(schema.arguments,
                              [](const ir::AtenArgument& a) { return a.type.kind == ir::AtenKind::kTensor; });
}

}  // namespace

Layout LayoutOf(const ir::AtenSchema& schema) {
  const Layout stated = op_traits::TraitsOf(schema.name).layout;
  if (stated != Layout::kUnstated) return stated;
  if (IsFactory(schema)) return Layout::kContiguous;
  return HasInPlaceForm(schema) ? Layout::kAsInputs : Layout::kOther;
}

void Layouts::State(ValueId tensor, ir::Dims strides) {
  recorder_.SetStrides(tensor, std::move(strides));
  const ir::Value& value = graph().value(tensor);
  const bool row_major = value.dims && ir::AllKnown(*value.dims) && RowMajor(graph(), value).value_or(false);
  Mark(tensor, row_major);
  // The strides follow from the sizes. Nearly all tensors are of this kind.
  if (row_major) recorder_.SetStrides(tensor, std::nullopt);
}

void Layouts::Mark(ValueId tensor, bool row_major) {
  const auto at = static_cast<size_t>(tensor);
  if (at >= row_major_.size()) row_major_.resize(at + 1);
  row_major_[at] = row_major;
}

bool Layouts::IsMarked(ValueId tensor) const {
  const auto at = static_cast<size_t>(tensor);
  return at < row_major_.size() && row_major_[at];
}

bool Layouts::IsRowMajor(ValueId tensor) const {
  if (IsMarked(tensor)) return true;
  const ir::Value& value = graph().value(tensor);
  return (value.dims && value.dims->empty()) || RowMajor(graph(), value).value_or(false);
}

std::optional<bool> Layouts::IsContiguous(ValueId tensor, MemoryFormat format) {
  if (format == MemoryFormat::kContiguous && IsRowMajor(tensor)) return true;
  StateStrides(tensor);
  return functionalize::IsContiguous(graph(), graph().value(tensor), format);
}

std::optional<bool> Layouts::Overlaps(ValueId tensor) const {
  if (IsRowMajor(tensor)) return false;
  const ir::Value& value = graph().value(tensor);
  if (!value.dims || !value.strides) return std::nullopt;
  return functionalize::Overlaps(graph(), *value.dims, *value.strides);
}

void Layouts::StateStrides(ValueId tensor) {
  const ir::Value& value = graph().value(tensor);
  if (value.strides || !value.dims || !ir::AllKnown(*value.dims) || !IsMarked(tensor)) return;
  ir::Dims strides(value.dims->size());
  ir::Dim step = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = step;
    step = step * (*value.dims)[i];
  }
  recorder_.SetStrides(tensor, std::move(strides));
}

bool Layouts::AllRowMajor(const std::vector<Arg>& args) const {
  return std::all_of(args.begin(), args.end(), [&](const Arg& arg) {
    if (const ValueId* id = arg.value()) {
      return graph().value(*id).kind != ir::ValueKind::kTensor || IsRowMajor(*id);
    }
    return arg.list() == nullptr || AllRowMajor(*arg.list());
  });
}

void Layouts::Deduce(const ir::Node& node, const ir::AtenSchema& schema, Aliasing aliasing, size_t argument) {
  if (aliasing == Aliasing::kNone) return DeduceFresh(node, schema);
  if (aliasing == Aliasing::kView) return DeduceView(node, schema, *node.inputs[argument].value());
  // It is unknown if this is a view or a copy: `reshape` and `contiguous` copy to row-major.
}

void Layouts::DeduceFresh(const ir::Node& node, const ir::AtenSchema& schema) {
  if (AsksForFormat(node)) return;
  const auto [known, is_new] = layouts_.try_emplace(&schema);
  if (is_new) known->second = LayoutOf(schema);
  const Layout layout = known->second;
  // If strides or layout require a copy, it is row-major.
  const op_traits::Copies copies = op_traits::TraitsOf(schema.name).copies;
  const bool copied = copies == op_traits::Copies::kStrides || copies == op_traits::Copies::kLayout;
  bool row_major = layout == Layout::kContiguous || copied || AsksForRowMajor(node);
  if (!row_major && layout == Layout::kAsInputs) row_major = AllRowMajor(node.inputs);
  for (const ValueId output : node.outputs) {
    const auto& dims = graph().value(output).dims;
    if (row_major || (dims && dims->size() <= 1)) SetRowMajor(output);
  }
}

void Layouts::DeduceView(const ir::Node& node, const ir::AtenSchema& schema, ValueId base) {
  const OpTraits& traits = op_traits::TraitsOf(schema.name);
  if (traits.alias == Alias::kStrided) {
    // A failed call has no result.
    auto strides = StatedStrides(graph(), node);
    if (strides && node.outputs.size() == 1) State(node.outputs[0], std::move(*strides));
    return;
  }
  const bool row_major = IsRowMajor(base);
  const auto& base_dims = graph().value(base).dims;
  bool keeps = row_major && KeepsOrder(schema.name);
  const auto step = StepOf(node, traits);
  if (row_major && step == 1 && base_dims) {
    keeps = keeps || FromFront(Number(node, traits.axes[0]), base_dims->size()) == size_t{0};
  }
  for (const ValueId output : node.outputs) {
    // The real part of a complex tensor has gaps in memory.
    const bool same_elements =
        graph().value(output).dtype == graph().value(base).dtype || traits.alias == Alias::kReshaped;
    if (same_elements && keeps) SetRowMajor(output);
  }
  if (keeps || !base_dims || node.outputs.size() != 1) return;
  StateStrides(base);
  const auto& strides = graph().value(base).strides;
  if (!strides || strides->size() != base_dims->size()) return;
  if (const auto order = AxisOrder(node, traits, base_dims->size())) {
    ir::Dims of_view;
    for (const size_t axis : *order) of_view.push_back((*strides)[axis]);
    recorder_.SetStrides(node.outputs[0], std::move(of_view));
  } else if (step) {
    const auto axis = FromFront(Number(node, traits.axes[0]), base_dims->size());
    if (!axis) return;
    ir::Dims of_view = *strides;
    of_view[*axis] = of_view[*axis] * ir::Dim(*step);
    if (traits.alias == Alias::kElement) of_view.erase(of_view.begin() + static_cast<std::ptrdiff_t>(*axis));
    recorder_.SetStrides(node.outputs[0], std::move(of_view));
  } else if (traits.alias == Alias::kWindows) {
    auto of_view = WindowStrides(node, schema, *strides);
    if (of_view) recorder_.SetStrides(node.outputs[0], std::move(*of_view));
  } else if (traits.alias == Alias::kExpanded && graph().value(node.outputs[0]).dims) {
    auto of_view = ExpandedStrides(*base_dims, *strides, *graph().value(node.outputs[0]).dims);
    if (of_view) recorder_.SetStrides(node.outputs[0], std::move(*of_view));
  }
}

}  // namespace onnxport::functionalize
