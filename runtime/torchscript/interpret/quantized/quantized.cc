#include "runtime/torchscript/interpret/quantized/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/op_traits.h"
#include "runtime/torchscript/interpret/quantized/packed.h"
#include "runtime/torchscript/interpret/values/leaves.h"

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

std::string BytesOf(const std::vector<double>& numbers, ir::DType dtype) {
  std::string bytes;
  const auto append = [&](auto number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof(number)); };
  for (const double number : numbers) {
    if (dtype == ir::DType::kFloat32)
      append(static_cast<float>(number));
    else
      append(static_cast<int32_t>(number));
  }
  return bytes;
}

int64_t ScalarTypeOf(ir::DType dtype) { return dtype == ir::DType::kInt8 ? 12 : dtype == ir::DType::kUInt8 ? 13 : 14; }

int64_t ElementsOf(const ir::TensorData& data) {
  int64_t count = 1;
  for (const int64_t size : data.shape) {
    if (size > kSmall || count > kSmall) return kSmall + 1;
    count *= size;
  }
  return count;
}

// Others pass what they get: questions, lists, casts.
bool GivesTensors(const std::string& base_name) {
  const auto is_tensor = [](const ir::AtenArgument& result) { return result.type.kind == ir::AtenKind::kTensor; };
  return std::ranges::any_of(ir::OverloadsOf(base_name), [&](std::string_view overload) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
    return schema && std::ranges::any_of(schema->results, is_tensor);
  });
}

}  // namespace

const Quantized::Grid* Quantized::GridOf(const Value& value) const {
  const auto* tensor = value.As<Tensor>();
  const auto found = tensor ? grids_.find(tensor->id) : grids_.end();
  return found == grids_.end() ? nullptr : &found->second;
}

const Quantized::Grid* Quantized::FirstGrid(const ValueList& args, const Keywords& keywords) const {
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
  auto tuple = MakeOwned<TupleValue>();
  for (const ir::Arg& result : results) tuple->items.push_back(LeafValue(result, tracer_));
  return {TuplePtr(std::move(tuple))};
}

Value Quantized::Refuse(const std::string& op, const std::string& why) { return {Tensor{tracer_.Fail(op, why)}}; }

Value Quantized::Requantize(const Value& value, const Grid& grid) {
  if (const auto* tuple = value.As<TuplePtr>()) {
    TupleValue made{{}, (*tuple)->type};
    for (const Value& item : (*tuple)->items) made.items.push_back(Requantize(item, grid));
    return {MakeOwned<const TupleValue>(std::move(made))};
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
    builtins_.NoteWeight(id, tensor.requires_grad);
    if (!tensor.data->bytes->absent() && ElementsOf(*tensor.data) <= kSmall) small_weights_[id] = tensor.data;
    return {Tensor{id}};
  }
  const QuantizerInfo& info = *tensor.quantizer;
  if (info.scales.empty() || info.scales.size() != info.zero_points.size())
    return {Missing{.reason = fmt::format("{} is quantized without a scale", name)}};
  if (info.per_byte > 1 && (info.axis != 0 || info.is_whole))
    return {Missing{.reason = fmt::format("{} has 4-bit elements and is no table of an embedding", name)}};
  Grid grid;
  grid.dtype = tensor.data->dtype;
  grid.per_byte = info.per_byte;
  grid.axis = info.axis;
  grid.integers = id;
  Value made;
  if (info.axis < 0) {
    const auto zero_point = static_cast<int64_t>(info.zero_points[0]);
    grid.scale = {info.scales[0]};
    grid.zero_point = {zero_point};
    made = Run("aten::_make_per_tensor_quantized_tensor", {{id}, {info.scales[0]}, {zero_point}});
  } else {
    made = ChannelWeight(name, info, &grid);
  }
  if (const auto* value = made.As<Tensor>()) grids_[value->id] = grid;
  return made;
}

Value Quantized::ChannelWeight(const std::string& name, const QuantizerInfo& info, Grid* grid) {
  const auto weight = [&](const char* part, const std::vector<double>& numbers, ir::DType dtype) {
    const auto count = static_cast<int64_t>(numbers.size());
    return tracer_.AddWeight(name + part, ir::MakeTensor(dtype, {count}, BytesOf(numbers, dtype)));
  };
  const ir::ValueId scale = weight(".scale", info.scales, ir::DType::kFloat32);
  const ir::ValueId zero_point =
      weight(".zero_point", info.zero_points, info.is_whole ? ir::DType::kInt32 : ir::DType::kFloat32);
  grid->scale = {Tensor{scale}};
  grid->zero_point = {Tensor{zero_point}};
  if (info.per_byte > 1) return Run("qdq::dequantize_4bit", {{grid->integers}, {scale}, {zero_point}});
  return Run("aten::_make_per_channel_quantized_tensor", {{grid->integers}, {scale}, {zero_point}, {info.axis}});
}

void Quantized::SetState(const CellPtr& object) {
  const auto found = object->attributes.find("state");
  const auto* state = found == object->attributes.end() ? nullptr : found->second.As<TuplePtr>();
  if (!state) return;
  const ValueList items = (*state)->items;
  if (object->type_name.ends_with(".LinearPackedParamsBase") && items.size() == 2) {
    heap_.Edit(object).attributes = {{"weight", items[0]}, {"bias", items[1]}};
    return;
  }
  // (version, [weight], [], [bits])
  if (object->type_name.ends_with(".EmbeddingPackedParamsBase") && items.size() == 4) {
    const auto* weights = items[1].As<CellPtr>();
    if (weights && (*weights)->items.size() == 1) heap_.Edit(object).attributes = {{"weight", (*weights)->items[0]}};
    return;
  }
  // ("quantized_dynamic", [bias_ih, bias_hh], [], [reduce_range], [packed_ih, packed_hh])
  if (object->type_name.ends_with(".rnn.CellParamsBase") && items.size() == 5) {
    const auto* kind = items[0].As<std::string>();
    const auto* flags = items[3].As<CellPtr>();
    const auto* packed = items[4].As<CellPtr>();
    if (!kind || *kind != "quantized_dynamic" || !flags || !packed) return;
    if ((*flags)->items.size() != 1 || (*packed)->items.size() != 2) return;
    const auto* reduce_range = (*flags)->items[0].As<int64_t>();
    if (!reduce_range) return;
    heap_.Edit(object).attributes = {
        {"w_ih", (*packed)->items[0]}, {"w_hh", (*packed)->items[1]}, {"reduce_range", {*reduce_range != 0}}};
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

std::optional<Value> Quantized::Call(const std::string& op, const ValueList& args, const Keywords& keywords) {
  if (op.starts_with("quantized::")) return CallPacked(op.substr(11), args, keywords);
  if (auto made = CallRecurrent(op, args)) return made;
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

std::optional<Value> Quantized::Make(const std::string& op, const ValueList& args) {
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
  if (grid->per_byte > 1 && name != "is_quantized") return Refuse(op, "is not exported of 4-bit elements");
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

Value Quantized::CallFloat(const std::string& op, const ValueList& args, const Keywords& keywords, const Grid& grid) {
  const bool in_place = op.ends_with('_') && !op.ends_with("__");
  const std::string name = in_place ? op.substr(0, op.size() - 1) : op;
  if (!GivesTensors(name)) return builtins_.Call(op, args, keywords);
  const op_traits::OpTraits& traits = op_traits::QuantizedTraitsOf(name);
  if (traits.quantized == op_traits::Quantized::kUnsupported)
    return Refuse(op, "is not supported on quantized tensors; dequantize before it");
  if (traits.quantized == op_traits::Quantized::kKept) return Remember(builtins_.Call(op, args, keywords), grid);
  Grid target = grid;
  if (traits.quantized == op_traits::Quantized::kGrid) {
    target.scale = {traits.grid.scale};
    target.zero_point = {grid.dtype == ir::DType::kInt8 ? traits.grid.qint8_zero_point : traits.grid.quint8_zero_point};
  }
  const Value made = Requantize(builtins_.Call(name, args, keywords), target);
  return in_place ? Remember(builtins_.Call("aten::copy_", {args[0], made}, {}), target) : made;
}

}  // namespace onnxport::torchscript
