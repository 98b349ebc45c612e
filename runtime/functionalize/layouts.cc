#include "runtime/functionalize/layouts.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/functionalize/write_back.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

// Names without `aten::`; sorted.
// Results are row-major whatever the arguments' layout is.
constexpr std::string_view kAlways[] = {
    "addmm",       "arange",    "baddbmm",    "bmm",      "bucketize", "contiguous",    "embedding",    "empty",
    "eye",         "full",      "layer_norm", "linear",   "linspace",  "logspace",      "matmul",       "mm",
    "multinomial", "new_empty", "new_full",   "new_ones", "new_zeros", "nonzero",       "normal",       "one_hot",
    "ones",        "rand",      "randint",    "randn",    "randperm",  "scalar_tensor", "tril_indices", "triu_indices",
    "zeros",
};
// Results are row-major when all tensor arguments are: elementwise operators, and those that keep the memory format.
constexpr std::string_view kAsInputs[] = {
    "__and__",
    "__or__",
    "__xor__",
    "_softmax",
    "abs",
    "acos",
    "acosh",
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_max_pool2d",
    "add",
    "addcdiv",
    "addcmul",
    "all",
    "alpha_dropout",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bernoulli",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "cat",
    "ceil",
    "celu",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clone",
    "concat",
    "constant_pad_nd",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "convolution",
    "copysign",
    "cos",
    "cosh",
    "cumprod",
    "cumsum",
    "deg2rad",
    "div",
    "dropout",
    "elu",
    "empty_like",
    "eq",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "flip",
    "floor",
    "floor_divide",
    "fmod",
    "frac",
    "full_like",
    "gather",
    "ge",
    "gelu",
    "group_norm",
    "gt",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_select",
    "instance_norm",
    "isfinite",
    "isinf",
    "isnan",
    "le",
    "leaky_relu",
    "lerp",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_sigmoid",
    "log_softmax",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logsumexp",
    "lt",
    "masked_fill",
    "masked_scatter",
    "max",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mish",
    "mul",
    "nan_to_num",
    "ne",
    "neg",
    "norm",
    "ones_like",
    "pad",
    "pow",
    "prelu",
    "prod",
    "rand_like",
    "randn_like",
    "reciprocal",
    "reflection_pad1d",
    "reflection_pad2d",
    "relu",
    "relu6",
    "remainder",
    "repeat",
    "replication_pad1d",
    "replication_pad2d",
    "roll",
    "round",
    "rsqrt",
    "rsub",
    "scatter",
    "scatter_add",
    "selu",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "sinh",
    "softmax",
    "softplus",
    "softshrink",
    "softsign",
    "sqrt",
    "square",
    "stack",
    "std",
    "sub",
    "sum",
    "tan",
    "tanh",
    "threshold",
    "to",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "type_as",
    "upsample_bilinear2d",
    "upsample_nearest2d",
    "var",
    "where",
    "zeros_like",
};
// Views that only take a part of one axis, or the axis away.
constexpr std::string_view kParts[] = {"chunk",  "narrow",       "select",      "slice", "split", "split_with_sizes",
                                       "unbind", "unsafe_chunk", "unsafe_split"};
constexpr std::string_view kSwaps[] = {"swapaxes", "swapdims", "transpose"};

template <size_t N>
bool Contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string PlainName(const ir::AtenSchema& schema) {
  const std::string name = schema.base_name();
  return name.substr(name.find("::") == std::string::npos ? 0 : name.find("::") + 2);
}

// `memory_format=channels_last` and the like.
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

std::optional<int64_t> Number(const ir::Node& node, const ir::AtenSchema& schema, std::string_view name) {
  const int position = schema.FindArgument(name);
  if (position < 0 || static_cast<size_t>(position) >= node.inputs.size()) return std::nullopt;
  const int64_t* number = std::get_if<int64_t>(&node.inputs[static_cast<size_t>(position)].v);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// An axis counted from the front.
std::optional<size_t> Axis(const ir::Node& node, const ir::AtenSchema& schema, std::string_view name, size_t rank) {
  auto axis = Number(node, schema, name);
  if (!axis) return std::nullopt;
  if (*axis < 0) *axis += static_cast<int64_t>(rank);
  if (*axis < 0 || *axis >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(*axis);
}

// The order of the base's axes in a view that only reorders them.
std::optional<std::vector<size_t>> AxisOrder(const ir::Node& node, const ir::AtenSchema& schema,
                                             const std::string& name, size_t rank) {
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = i;
  if (name == "t" || name == "numpy_T") {
    std::reverse(order.begin(), order.end());
    return order;
  }
  if (name == "mT" && rank >= 2) {
    std::swap(order[rank - 1], order[rank - 2]);
    return order;
  }
  if (Contains(kSwaps, name)) {
    const bool transpose = name == "transpose";
    const auto a = Axis(node, schema, transpose || name == "swapdims" ? "dim0" : "axis0", rank);
    const auto b = Axis(node, schema, transpose || name == "swapdims" ? "dim1" : "axis1", rank);
    if (!a || !b) return std::nullopt;
    std::swap(order[*a], order[*b]);
    return order;
  }
  if (name != "permute" || node.inputs.size() < 2 || node.inputs[1].list() == nullptr) return std::nullopt;
  const ir::ArgList& dims = *node.inputs[1].list();
  if (dims.size() != rank) return std::nullopt;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t* dim = std::get_if<int64_t>(&dims[i].v);
    if (dim == nullptr) return std::nullopt;
    const int64_t from_front = *dim < 0 ? *dim + static_cast<int64_t>(rank) : *dim;
    if (from_front < 0 || from_front >= static_cast<int64_t>(rank)) return std::nullopt;
    order[i] = static_cast<size_t>(from_front);
  }
  return order;
}

bool Known(const ir::Dims& dims) {
  return std::none_of(dims.begin(), dims.end(), [](const ir::Dim& d) { return d.is_unknown(); });
}

}  // namespace

bool Layouts::IsRowMajor(ValueId tensor) const {
  if (row_major_.contains(tensor)) return true;
  const ir::Value& value = graph_.value(tensor);
  return (value.dims && value.dims->empty()) || RowMajor(graph_, value).value_or(false);
}

std::optional<bool> Layouts::IsContiguous(ValueId tensor, MemoryFormat format) {
  if (format == MemoryFormat::kContiguous && IsRowMajor(tensor)) return true;
  StateStrides(tensor);
  return functionalize::IsContiguous(graph_, graph_.value(tensor), format);
}

void Layouts::StateStrides(ValueId tensor) {
  ir::Value& value = graph_.value(tensor);
  if (value.strides || !value.dims || !Known(*value.dims) || !row_major_.contains(tensor)) return;
  ir::Dims strides(value.dims->size());
  ir::Dim step = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = step;
    step = step * (*value.dims)[i];
  }
  value.strides = std::move(strides);
}

bool Layouts::AllRowMajor(const std::vector<Arg>& args) const {
  return std::all_of(args.begin(), args.end(), [&](const Arg& arg) {
    if (const ValueId* id = arg.value()) {
      return graph_.value(*id).kind != ir::ValueKind::kTensor || IsRowMajor(*id);
    }
    return arg.list() == nullptr || AllRowMajor(*arg.list());
  });
}

void Layouts::Deduce(const ir::Node& node, const ir::AtenSchema& schema, Aliasing aliasing, size_t argument) {
  if (aliasing == Aliasing::kNone) return DeduceFresh(node, schema);
  if (aliasing == Aliasing::kView) return DeduceView(node, schema, *node.inputs[argument].value());
  // A view or a copy: `reshape` and `contiguous` copy to row-major, and a view of what is row-major would be certain.
}

void Layouts::DeduceFresh(const ir::Node& node, const ir::AtenSchema& schema) {
  if (AsksForFormat(node)) return;
  const std::string name = PlainName(schema);
  const bool reshape = name == "reshape" || name == "flatten" || name == "reshape_as" || name == "ravel";
  bool row_major = Contains(kAlways, name) || reshape || AsksForRowMajor(node);
  if (!row_major && Contains(kAsInputs, name)) row_major = AllRowMajor(node.inputs);
  for (const ValueId output : node.outputs) {
    if (output == ValueId::kNone) continue;
    const auto& dims = graph_.value(output).dims;
    if (row_major || (dims && dims->size() <= 1)) SetRowMajor(output);
  }
}

void Layouts::DeduceView(const ir::Node& node, const ir::AtenSchema& schema, ValueId base) {
  const std::string name = PlainName(schema);
  const bool row_major = IsRowMajor(base);
  const auto& base_dims = graph_.value(base).dims;
  bool keeps = row_major && KeepsOrder(node.op);
  if (row_major && Contains(kParts, name) && base_dims && Number(node, schema, "step").value_or(1) == 1) {
    keeps = keeps || Axis(node, schema, "dim", base_dims->size()) == size_t{0};
  }
  for (const ValueId output : node.outputs) {
    if (output != ValueId::kNone && keeps) SetRowMajor(output);
  }
  if (keeps || !base_dims || node.outputs.size() != 1) return;
  StateStrides(base);
  ir::Value& view = graph_.value(node.outputs[0]);
  const auto& strides = graph_.value(base).strides;
  if (!strides || strides->size() != base_dims->size()) return;
  if (const auto order = AxisOrder(node, schema, name, base_dims->size())) {
    view.strides = ir::Dims();
    for (const size_t axis : *order) view.strides->push_back((*strides)[axis]);
  } else if (name == "select" || name == "slice" || name == "narrow") {
    const auto axis = Axis(node, schema, "dim", base_dims->size());
    if (!axis) return;
    ir::Dims of_view = *strides;
    if (name == "slice") of_view[*axis] = of_view[*axis] * ir::Dim(Number(node, schema, "step").value_or(1));
    if (name == "select") of_view.erase(of_view.begin() + static_cast<std::ptrdiff_t>(*axis));
    view.strides = std::move(of_view);
  }
}

}  // namespace onnxport::functionalize
