#include "runtime/torchscript/interpret/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "runtime/ir/aten_schema.h"
#include "runtime/torchscript/interpret/leaves.h"
#include "runtime/torchscript/interpret/packed.h"

namespace onnxport::torchscript {
namespace {

constexpr int64_t kSmall = 64;  // elements of a weight whose contents may be looked at

// c10::ScalarType of quantized tensors.
std::optional<ir::DType> IntegerType(const Value& dtype) {
  if (const auto* known = dtype.As<ir::DType>()) return *known;
  const auto* number = dtype.As<int64_t>();
  if (!number) return std::nullopt;
  switch (*number) {
    case 12:
      return ir::DType::kInt8;
    case 13:
      return ir::DType::kUInt8;
    case 14:
      return ir::DType::kInt32;
    default:
      return std::nullopt;
  }
}

int64_t ScalarTypeOf(ir::DType dtype) { return dtype == ir::DType::kInt8 ? 12 : dtype == ir::DType::kUInt8 ? 13 : 14; }

std::pair<int64_t, int64_t> LimitsOf(ir::DType dtype) {
  if (dtype == ir::DType::kUInt8) return {0, 255};
  if (dtype == ir::DType::kInt8) return {-128, 127};
  return {INT32_MIN, INT32_MAX};
}

int64_t ElementsOf(const ir::TensorData& data) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (size > kSmall || count > kSmall) return kSmall + 1;
    count *= size;
  }
  return count;
}

std::optional<ir::Arg> ArgOf(const Value& value) {
  if (value.is_none()) return ir::Arg{ir::None{}};
  if (value.As<Missing>()) return std::nullopt;
  if (IsLeaf(value)) return LeafArg(value);
  if (const auto* text = value.As<std::string>()) return ir::Arg{*text};
  if (const auto* dtype = value.As<ir::DType>()) return ir::Arg{*dtype};
  const std::vector<Value>* items = nullptr;
  if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->kind == Cell::Kind::kList && !(*cell)->is_dynamic())
    items = &(*cell)->items;
  if (const auto* tuple = value.As<TuplePtr>()) items = &(*tuple)->items;
  if (!items) return std::nullopt;
  ir::ArgList list;
  for (const Value& item : *items) {
    const auto arg = IsLeaf(item) ? std::optional(LeafArg(item)) : std::nullopt;
    if (!arg) return std::nullopt;
    list.push_back(*arg);
  }
  return ir::Arg{std::move(list)};
}

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Their results are values of the input's grid already.
constexpr std::array kOnGrid = std::to_array<std::string_view>({
    "relu",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "view",
    "reshape",
    "flatten",
    "unflatten",
    "transpose",
    "permute",
    "t",
    "select",
    "slice",
    "narrow",
    "chunk",
    "split",
    "unbind",
    "clone",
    "contiguous",
    "sort",
    "topk",
    "min",
    "max",
    "channel_shuffle",
    "pixel_shuffle",
    "dropout",
    "index_select",
    "gather",
    "squeeze",
    "unsqueeze",
    "expand",
    "expand_as",
    "detach",
    "alias",
    "view_as",
    "flip",
    "repeat",
    "movedim",
    "index",
    "amax",
    "amin",
    "maximum",
    "minimum",
    "split_with_sizes",
    "reshape_as",
    "numpy_T",
    "masked_select",
    "nan_to_num",
    "adaptive_max_pool2d",
    "feature_dropout",
    "dropout2d",
    "pixel_unshuffle",
    "swapaxes",
    "moveaxis",
    "tile",
    "stack",
});
// LibTorch rounds their results to the input's grid.
constexpr std::array kToInputGrid = std::to_array<std::string_view>({
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_bilinear2d",
    "upsample_linear1d",
    "__interpolate",
    "__upsample",
    "__upsample_nearest",
    "__upsample_bilinear",
    "mean",
    "leaky_relu",
    "elu",
    "hardtanh",
    "clamp",
    "clamp_min",
    "clamp_max",
    "hardswish",
    "relu6",
    "threshold",
    "prelu",
    "cat",
    "concat",
    "batch_norm",
    "instance_norm",
    "copy",
    "fill",
    "index_put",
    "masked_fill",
    "constant_pad_nd",
    "pad",
    "reflection_pad2d",
});
// Results are no quantized tensors.
constexpr std::array kPlain = std::to_array<std::string_view>({
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "size",
    "dim",
    "len",
    "numel",
    "shape",
    "is_floating_point",
    "device",
    "layout",
    "is_cuda",
    "is_contiguous",
    "equal",
    "argmax",
    "argmin",
    "stride",
    "is_mkldnn",
    "is_sparse",
    "requires_grad",
    "__is__",
    "__isnot__",
    "format",
    "ndim",
    "is_complex",
    "is_leaf",
    "is_cpu",
    "is_mps",
    "is_xpu",
});
// Rounded to a grid of their own.
struct OwnGrid {
  std::string_view name;
  double scale;
  int64_t unsigned_zero;
  int64_t signed_zero;
};
constexpr std::array kOwnGrid = std::to_array<OwnGrid>({
    {"sigmoid", 1.0 / 256, 0, -128},
    {"hardsigmoid", 1.0 / 256, 0, -128},
    {"softmax", 1.0 / 256, 0, -128},
    {"tanh", 2.0 / 256, 128, 0},
});

}  // namespace

const Quantized::Grid* Quantized::GridOf(const Value& value) const {
  const auto* tensor = value.As<Tensor>();
  const auto found = tensor ? grids_.find(tensor->id) : grids_.end();
  return found == grids_.end() ? nullptr : &found->second;
}

const Quantized::Grid* Quantized::FirstGrid(const std::vector<Value>& args, const Keywords& keywords) const {
  const auto of = [&](const Value& value) -> const Grid* {
    const auto* cell = value.As<CellPtr>();
    if (!cell || (*cell)->kind != Cell::Kind::kList) return GridOf(value);
    for (const Value& item : (*cell)->items) {
      if (const Grid* grid = GridOf(item)) return grid;
    }
    return nullptr;
  };
  for (const Value& value : args) {
    if (const Grid* grid = of(value)) return grid;
  }
  for (const auto& [name, value] : keywords) {
    if (const Grid* grid = of(value)) return grid;
  }
  return nullptr;
}

Value Quantized::Remember(Value made, const Grid& grid) {
  if (const auto* tensor = made.As<Tensor>()) {
    if (tracer_.TypeOf(tensor->id).dtype == ir::DType::kFloat32) {
      Grid known = grid;
      known.integers = ir::ValueId::kNone;
      grids_[tensor->id] = std::move(known);
    }
  } else if (const auto* tuple = made.As<TuplePtr>()) {
    for (const Value& item : (*tuple)->items) Remember(item, grid);
  } else if (const auto* cell = made.As<CellPtr>()) {
    for (const Value& item : (*cell)->items) Remember(item, grid);
  }
  return made;
}

Value Quantized::Run(const std::string& op, std::vector<ir::Arg> args) {
  const std::vector<ir::Arg> results = tracer_.Call(op, std::move(args));
  if (results.empty()) return {None{}};
  if (results.size() == 1) return LeafValue(results[0], tracer_);
  auto tuple = std::make_shared<TupleValue>();
  for (const ir::Arg& result : results) tuple->items.push_back(LeafValue(result, tracer_));
  return {TuplePtr(std::move(tuple))};
}

Value Quantized::Refuse(const std::string& op, const std::string& why) { return {Tensor{tracer_.Fail(op, why)}}; }

Value Quantized::Requantize(const Value& value, const Grid& grid) {
  if (const auto* tuple = value.As<TuplePtr>()) {
    TupleValue made{{}, (*tuple)->type};
    for (const Value& item : (*tuple)->items) made.items.push_back(Requantize(item, grid));
    return {std::make_shared<const TupleValue>(std::move(made))};
  }
  if (!value.As<Tensor>() || tracer_.IsFailed(value.As<Tensor>()->id)) return value;
  if (grid.axis >= 0) return Refuse("", "an operator on a tensor that is quantized per channel");
  return Remember(
      Run("aten::quantize_per_tensor", {LeafArg(value), LeafArg(grid.scale), LeafArg(grid.zero_point), {grid.dtype}}),
      grid);
}

Value Quantized::Weight(const std::string& name, const Pickled::Tensor& tensor) {
  const ir::ValueId id = tracer_.AddWeight(name, tensor.data);
  if (!tensor.quantizer) {
    if (ElementsOf(*tensor.data) <= kSmall) small_weights_[id] = tensor.data;
    return {Tensor{id}};
  }
  const QuantizerInfo& info = *tensor.quantizer;
  if (info.scales.empty() || info.scales.size() != info.zero_points.size())
    return {Missing{.reason = fmt::format("{} is quantized without a scale", name)}};
  Grid grid{.dtype = tensor.data->dtype, .scale = {}, .zero_point = {}, .axis = info.axis, .integers = id};
  Value made;
  if (info.axis < 0) {
    grid.scale = {info.scales[0]};
    grid.zero_point = {info.zero_points[0]};
    made = Run("aten::_make_per_tensor_quantized_tensor", {{id}, {info.scales[0]}, {info.zero_points[0]}});
  } else {
    const auto count = static_cast<int64_t>(info.scales.size());
    std::string scales;
    std::string zero_points;
    for (size_t i = 0; i < info.scales.size(); ++i) {
      const auto scale = static_cast<float>(info.scales[i]);
      const auto zero_point = static_cast<int32_t>(info.zero_points[i]);
      scales.append(reinterpret_cast<const char*>(&scale), sizeof(scale));
      zero_points.append(reinterpret_cast<const char*>(&zero_point), sizeof(zero_point));
    }
    const ir::ValueId scale = tracer_.AddWeight(name + ".scale", ir::MakeTensor(ir::DType::kFloat32, {count}, scales));
    const ir::ValueId zero_point =
        tracer_.AddWeight(name + ".zero_point", ir::MakeTensor(ir::DType::kInt32, {count}, zero_points));
    grid.scale = {Tensor{scale}};
    grid.zero_point = {Tensor{zero_point}};
    made = Run("aten::_make_per_channel_quantized_tensor", {{id}, {scale}, {zero_point}, {info.axis}});
  }
  if (const auto* value = made.As<Tensor>()) grids_[value->id] = grid;
  return made;
}

void Quantized::SetState(const CellPtr& object) {
  const auto found = object->attributes.find("state");
  const auto* state = found == object->attributes.end() ? nullptr : found->second.As<TuplePtr>();
  if (!state) return;
  const std::vector<Value> items = (*state)->items;
  if (object->type_name.ends_with(".LinearPackedParamsBase") && items.size() == 2) {
    heap_.Edit(object).attributes = {{"weight", items[0]}, {"bias", items[1]}};
    return;
  }
  if (object->type_name.find(".Conv") == std::string::npos || items.size() != 3) return;
  // ("2", [configuration, weight], [bias]) or (3, configuration, [None, weight, bias]).
  const auto* second = items[1].As<CellPtr>();
  const auto* third = items[2].As<CellPtr>();
  if (!second || !third) return;
  std::vector<int64_t> numbers;
  Value weight;
  Value bias;
  if (items[0].As<std::string>() && (*second)->items.size() == 2 && (*third)->items.size() == 1) {
    const auto* configuration = (*second)->items[0].As<Tensor>();
    const auto known = configuration ? small_weights_.find(configuration->id) : small_weights_.end();
    if (known == small_weights_.end()) return;
    for (const double number : ReadNumbers(*known->second)) numbers.push_back(static_cast<int64_t>(number));
    weight = (*second)->items[1];
    bias = (*third)->items[0];
  } else if (items[0].As<int64_t>() && (*third)->items.size() == 3) {
    for (const Value& item : (*second)->items) {
      if (const auto* number = item.As<int64_t>()) numbers.push_back(*number);
    }
    weight = (*third)->items[1];
    bias = (*third)->items[2];
  }
  if (!SetConvConfiguration(numbers, object, &heap_)) return;
  heap_.Edit(object).attributes["weight"] = weight;
  heap_.Edit(object).attributes["bias"] = bias;
}

std::optional<Value> Quantized::CallMethod(const CellPtr& object, const std::string& method) const {
  if (object->type_name.find(".classes.quantized.") == std::string::npos) return std::nullopt;
  return AskPacked(*object, method);
}

bool Quantized::Join(ir::ValueId a, ir::ValueId b, ir::ValueId joined) {
  const auto first = grids_.find(a);
  const auto second = grids_.find(b);
  if (first == grids_.end() && second == grids_.end()) return true;
  if (first == grids_.end() || second == grids_.end()) return false;
  const Grid& x = first->second;
  const Grid& y = second->second;
  if (x.dtype != y.dtype || x.axis != y.axis || !Same(x.scale, y.scale) || !Same(x.zero_point, y.zero_point))
    return false;
  Grid grid = x;
  grid.integers = ir::ValueId::kNone;
  grids_[joined] = std::move(grid);
  return true;
}

std::optional<Value> Quantized::Call(const std::string& op, const std::vector<Value>& args, const Keywords& keywords) {
  if (op.starts_with("quantized::")) return CallPacked(op.substr(11), args, keywords);
  if (auto number = KnownNumber(op, args)) return number;
  if (op.starts_with("aten::") || op.starts_with("prim::")) {
    if (auto made = Make(op, args)) return made;
  }
  const Grid* grid = grids_.empty() ? nullptr : FirstGrid(args, keywords);
  if (!grid) return std::nullopt;
  if (args.size() == 1) {
    if (auto answer = Ask(op, args[0])) return answer;
  }
  return CallFloat(op, args, keywords, Grid(*grid));
}

// `float(self.scale)`: what a weight holds does not change in a model, unless the program writes to it.
std::optional<Value> Quantized::KnownNumber(const std::string& op, const std::vector<Value>& args) {
  const auto* tensor = args.empty() ? nullptr : args[0].As<Tensor>();
  const auto weight = tensor ? small_weights_.find(tensor->id) : small_weights_.end();
  if (weight == small_weights_.end()) return std::nullopt;
  if (op.ends_with("_") && !op.ends_with("__")) small_weights_.erase(weight);
  const bool is_float = op == "aten::Float" || op == "aten::FloatImplicit";
  const bool is_int = op == "aten::Int" || op == "aten::IntImplicit";
  if ((!is_float && !is_int) || ElementsOf(*weight->second) != 1) return std::nullopt;
  const std::vector<double> numbers = ReadNumbers(*weight->second);
  if (numbers.size() != 1 || !std::isfinite(numbers[0]) || std::abs(numbers[0]) > 1e15) return std::nullopt;
  return is_float ? Value{numbers[0]} : Value{static_cast<int64_t>(numbers[0])};
}

std::optional<Value> Quantized::Make(const std::string& op, const std::vector<Value>& args) {
  if (op == "aten::quantize_per_tensor" && args.size() == 4) {
    const auto dtype = IntegerType(args[3]);
    if (!dtype || !args[0].As<Tensor>()) return Refuse(op, "only to qint8, quint8 and qint32, one tensor at a time");
    const char* overload =
        args[1].As<Tensor>() ? "aten::quantize_per_tensor.tensor_qparams" : "aten::quantize_per_tensor";
    return Remember(Run(overload, {LeafArg(args[0]), LeafArg(args[1]), LeafArg(args[2]), {*dtype}}),
                    {.dtype = *dtype, .scale = args[1], .zero_point = args[2]});
  }
  if (op == "aten::quantize_per_channel" && args.size() == 5) {
    const auto dtype = IntegerType(args[4]);
    const auto* axis = args[3].As<int64_t>();
    if (!dtype || !axis) return Refuse(op, "only to qint8, quint8 and qint32, with a known axis");
    return Remember(Run(op, {LeafArg(args[0]), LeafArg(args[1]), LeafArg(args[2]), {*axis}, {*dtype}}),
                    {.dtype = *dtype, .scale = args[1], .zero_point = args[2], .axis = *axis});
  }
  if (op != "aten::dequantize" || args.size() != 1) return std::nullopt;
  if (!args[0].As<Tensor>() || !GridOf(args[0])) return std::nullopt;
  const Value plain = Run("aten::dequantize.self", {LeafArg(args[0])});
  return GridOf(plain) ? Run("aten::alias", {LeafArg(args[0])}) : plain;
}

std::optional<Value> Quantized::Ask(const std::string& op, const Value& tensor) {
  const Grid* grid = GridOf(tensor);
  if (!grid) return std::nullopt;
  const std::string_view name = std::string_view(op).substr(op.find("::") + 2);
  if (name == "q_scale" || name == "q_per_channel_scales") return grid->scale;
  if (name == "q_zero_point" || name == "q_per_channel_zero_points") return grid->zero_point;
  if (name == "q_per_channel_axis") return Value{grid->axis};
  if (name == "is_quantized") return Value{true};
  if (name == "dtype") return Value{ScalarTypeOf(grid->dtype)};
  if (name == "int_repr") return Integers(tensor, Grid(*grid));
  return std::nullopt;
}

Value Quantized::Integers(const Value& tensor, const Grid& grid) {
  if (grid.integers != ir::ValueId::kNone) return {Tensor{grid.integers}};
  if (grid.axis < 0)
    return Run("qdq::int_repr", {LeafArg(tensor), LeafArg(grid.scale), LeafArg(grid.zero_point), {grid.dtype}});
  return Run("qdq::int_repr_per_channel",
             {LeafArg(tensor), LeafArg(grid.scale), LeafArg(grid.zero_point), {grid.axis}, {grid.dtype}});
}

Value Quantized::CallPacked(const std::string& name, const std::vector<Value>& args, const Keywords& keywords) {
  if (auto packed = Prepack(name, args, &heap_)) return *packed;
  const auto* first = args.empty() ? nullptr : args[0].As<CellPtr>();
  if (args.size() == 1 && first && (*first)->kind == Cell::Kind::kObject) {
    const size_t dash = name.rfind('_');
    const std::string question = name.ends_with("_output_padding") ? "output_padding"
                                 : name.ends_with("_unpack_fp16")
                                     ? "unpack"
                                     : name.substr(dash == std::string::npos ? 0 : dash + 1);
    if (auto answer = AskPacked(**first, question)) return *answer;
  }
  if (auto made = CallScalar(name, args)) return *made;
  return CallGeneric(name, args, keywords);
}

// Operators with a number: the grid moves instead of the integers.
std::optional<Value> Quantized::CallScalar(const std::string& name, const std::vector<Value>& args) {
  const bool adds = name == "add" || name == "add_relu" || name == "add_scalar" || name == "add_scalar_relu";
  const bool multiplies = name == "mul" || name == "mul_relu" || name == "mul_scalar" || name == "mul_scalar_relu";
  if ((!adds && !multiplies) || args.size() != 2) return std::nullopt;
  const bool swapped = !args[0].As<Tensor>();
  const Value& tensor = args[swapped ? 1 : 0];
  const Value& operand = args[swapped ? 0 : 1];
  const Grid* grid = GridOf(tensor);
  const auto* integer = operand.As<int64_t>();
  const auto* number = operand.As<double>();
  const auto* scale = grid ? grid->scale.As<double>() : nullptr;
  const auto* zero_point = grid ? grid->zero_point.As<int64_t>() : nullptr;
  if (!scale || !zero_point || (!integer && !number))
    return Refuse("quantized::" + name, "needs a known number and a tensor with a known scale");
  const double b = integer ? static_cast<double>(*integer) : *number;
  const auto [low, high] = LimitsOf(grid->dtype);
  Grid made = *grid;
  if (adds) {
    const int64_t moved = *zero_point - std::llrint(b / *scale);
    const auto range = static_cast<double>(high - low);
    if (moved < low) {
      made.scale = {static_cast<double>(high - moved) / range * *scale};
      made.zero_point = {low};
    } else if (moved > high) {
      made.scale = {static_cast<double>(moved - low) / range * *scale};
      made.zero_point = {high};
    } else {
      made.zero_point = {moved};
    }
  } else if (b == 0) {
    made.scale = {1.0};
    made.zero_point = {int64_t{0}};
  } else {
    made.scale = {*scale * std::abs(b)};
    if (b < 0) made.zero_point = {low + high - *zero_point};
  }
  const std::string op =
      std::string("qdq::") + (adds ? "add_scalar" : "mul_scalar") + (name.ends_with("_relu") ? "_relu" : "");
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (!schema) return Refuse("quantized::" + name, "is not supported");
  std::vector<ir::Arg> bound;
  for (const ir::AtenArgument& argument : schema->arguments) {
    if (argument.name == "dtype")
      bound.push_back({grid->dtype});
    else if (argument.name == "input_scale")
      bound.push_back(LeafArg(grid->scale));
    else if (argument.name == "input_zero_point")
      bound.push_back(LeafArg(grid->zero_point));
    else if (argument.type.kind == ir::AtenKind::kTensor)
      bound.push_back(LeafArg(tensor));
    else
      bound.push_back(LeafArg(operand));
  }
  return Remember(Run(op, std::move(bound)), made);
}

Value Quantized::CallGeneric(const std::string& name, const std::vector<Value>& args, const Keywords& keywords) {
  const std::string op = "quantized::" + name;
  const ir::AtenSchema* target = ir::FindAtenSchema("qdq::" + name);
  if (!target) return Refuse(op, "is not supported");
  // The overload whose arguments are as many: `conv2d` of old archives spells the configuration out.
  const ir::AtenSchema* source = nullptr;
  for (const std::string_view overload : ir::OverloadsOf(op)) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
    const bool writes = schema && schema->FindArgument("out") >= 0;
    if (!schema || writes || args.size() > schema->arguments.size()) continue;
    if (!source || source->arguments.size() > schema->arguments.size()) source = schema;
  }
  if (!source) return Refuse(op, "has no overload that takes these arguments");

  std::map<std::string, Value> given;
  for (size_t i = 0; i < source->arguments.size(); ++i) {
    const ir::AtenArgument& argument = source->arguments[i];
    if (i < args.size())
      given[argument.name] = args[i];
    else if (argument.default_value)
      given[argument.name] = LeafValue(*argument.default_value, tracer_);
  }
  for (const auto& [keyword, value] : keywords) given[keyword] = value;
  const Grid* grid = FirstGrid(args, keywords);
  std::map<std::string, Value> packed;
  for (const auto& [argument, value] : given) {
    const auto* cell = value.As<CellPtr>();
    if (!cell || (*cell)->kind != Cell::Kind::kObject) continue;
    for (const auto& [attribute, held] : (*cell)->attributes) packed[attribute] = held;
  }
  std::vector<ir::Arg> bound;
  for (const ir::AtenArgument& argument : target->arguments) {
    const auto known = given.find(argument.name);
    const auto unpacked = packed.find(argument.name);
    std::optional<ir::Arg> arg;
    if (unpacked != packed.end())
      arg = ArgOf(unpacked->second);
    else if (known != given.end())
      arg = ArgOf(known->second);
    else if (grid && argument.name == "dtype")
      arg = ir::Arg{grid->dtype};
    else if (grid && argument.name == "input_scale")
      arg = ArgOf(grid->scale);
    else if (grid && argument.name == "input_zero_point")
      arg = ArgOf(grid->zero_point);
    else if (argument.default_value)
      arg = *argument.default_value;
    if (!arg) return Refuse(op, fmt::format("its argument `{}` is not known", argument.name));
    bound.push_back(std::move(*arg));
  }
  const Value made = Run(target->name, std::move(bound));
  if (!grid || name.find("_dynamic") != std::string::npos || name.find("output_fp32") != std::string::npos) return made;
  Grid result = *grid;
  for (const char* scale : {"output_scale", "scale", "Y_scale_i"}) {
    if (given.contains(scale) && !given[scale].is_none()) result.scale = given[scale];
  }
  for (const char* zero_point : {"output_zero_point", "zero_point", "Y_zero_point_i"}) {
    if (given.contains(zero_point) && !given[zero_point].is_none()) result.zero_point = given[zero_point];
  }
  return Remember(made, result);
}

Value Quantized::CallFloat(const std::string& op, const std::vector<Value>& args, const Keywords& keywords,
                           const Grid& grid) {
  std::string name = op.substr(op.find("::") + 2);
  const bool in_place = name.ends_with("_") && !name.ends_with("__");
  if (in_place) name.pop_back();
  if (Contains(kPlain, name)) return builtins_.Call(op, args, keywords);
  if (Contains(kOnGrid, name)) return Remember(builtins_.Call(op, args, keywords), grid);
  std::optional<Grid> target;
  if (Contains(kToInputGrid, name)) target = grid;
  for (const OwnGrid& own : kOwnGrid) {
    if (own.name != name) continue;
    target = grid;
    target->scale = {own.scale};
    target->zero_point = {grid.dtype == ir::DType::kInt8 ? own.signed_zero : own.unsigned_zero};
  }
  const bool is_list_operation = op == "aten::append" || op == "aten::extend" || op == "aten::__getitem__" ||
                                 op == "aten::_set_item" || op == "prim::unchecked_cast" || op == "aten::list";
  if (is_list_operation) return builtins_.Call(op, args, keywords);
  if (!target) return Refuse(op, "is not supported on quantized tensors; dequantize before it");
  if (!in_place || name == "copy" || name == "fill") {
    const Value made = Requantize(builtins_.Call(op, args, keywords), *target);
    return in_place ? builtins_.Call("aten::copy_", {args[0], made}, {}) : made;
  }
  const Value made = Requantize(builtins_.Call("aten::" + name, args, keywords), *target);
  return Remember(builtins_.Call("aten::copy_", {args[0], made}, {}), *target);
}

}  // namespace onnxport::torchscript
