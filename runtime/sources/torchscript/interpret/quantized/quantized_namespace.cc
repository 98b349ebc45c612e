// Operators of the namespace quantized::, with packed parameters or without.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/sources/torchscript/interpret/quantized/packed.h"
#include "runtime/sources/torchscript/interpret/quantized/quantized.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace quantized_namespace {
namespace {

using Given = std::map<std::string, Value>;

std::pair<int64_t, int64_t> LimitsOf(ir::DType dtype) {
  if (dtype == ir::DType::kUInt8) return {0, 255};
  if (dtype == ir::DType::kInt8) return {-128, 127};
  return {INT32_MIN, INT32_MAX};
}

std::optional<ir::Arg> ArgOf(const Value& value) {
  if (value.is_none()) return ir::Arg{ir::None{}};
  if (value.As<Missing>()) return std::nullopt;
  if (IsLeaf(value)) return LeafArg(value);
  if (const auto* text = value.As<std::string>()) return ir::Arg{*text};
  if (const auto* dtype = value.As<ir::DType>()) return ir::Arg{*dtype};
  const ValueList* items = nullptr;
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

// The overload that takes as many arguments: `conv2d` of old archives spells the configuration out.
const ir::AtenSchema* OverloadOf(const std::string& op, size_t count) {
  const ir::AtenSchema* best = nullptr;
  for (const std::string_view overload : ir::OverloadsOf(op)) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(overload);
    const bool writes = schema && schema->FindArgument("out") >= 0;
    if (!schema || writes || count > schema->arguments.size()) continue;
    if (!best || best->arguments.size() > schema->arguments.size()) best = schema;
  }
  return best;
}

// The contents of packed parameters among the arguments: `weight` and `bias`, of several `w_ih_weight`.
Given Unpacked(const Given& given) {
  Given unpacked;
  for (const auto& [argument, value] : given) {
    const auto* cell = value.As<CellPtr>();
    if (!cell || (*cell)->kind != Cell::Kind::kObject) continue;
    for (const auto& [attribute, held] : (*cell)->attributes) {
      unpacked[attribute] = held;
      unpacked[argument + "_" + attribute] = held;
    }
  }
  return unpacked;
}

// LibTorch keeps the integers and moves the grid, and widens it where the zero point would leave its range.
void AddToGrid(double b, Grid* grid) {
  const double scale = *grid->scale.As<double>();
  const auto [low, high] = LimitsOf(grid->dtype);
  const int64_t moved = *grid->zero_point.As<int64_t>() - std::llrint(b / scale);
  const auto range = static_cast<double>(high - low);
  if (moved < low) {
    grid->scale = {static_cast<double>(high - moved) / range * scale};
    grid->zero_point = {low};
  } else if (moved > high) {
    grid->scale = {static_cast<double>(moved - low) / range * scale};
    grid->zero_point = {high};
  } else {
    grid->zero_point = {moved};
  }
}

void MultiplyGrid(double b, Grid* grid) {
  if (b == 0) {
    grid->scale = {1.0};
    grid->zero_point = {int64_t{0}};
    return;
  }
  const auto [low, high] = LimitsOf(grid->dtype);
  grid->scale = {*grid->scale.As<double>() * std::abs(b)};
  if (b < 0) grid->zero_point = {low + high - *grid->zero_point.As<int64_t>()};
}

// Operators with a number: the grid moves instead of the integers.
std::optional<Value> CallScalar(const CallSite& call, const std::string& name) {
  const bool adds = name == "add" || name == "add_relu" || name == "add_scalar" || name == "add_scalar_relu";
  const bool multiplies = name == "mul" || name == "mul_relu" || name == "mul_scalar" || name == "mul_scalar_relu";
  if ((!adds && !multiplies) || call.size() != 2) return std::nullopt;
  const bool swapped = !call.At(0).As<Tensor>();
  const Value& tensor = call.At(swapped ? 1 : 0);
  const Value& operand = call.At(swapped ? 0 : 1);
  const Grid* grid = call.grids->Of(tensor);
  const auto* integer = operand.As<int64_t>();
  const auto* number = operand.As<double>();
  if (!grid || !grid->scale.As<double>() || !grid->zero_point.As<int64_t>() || (!integer && !number))
    throw Refusal(onnxport::Code::kNoQuantizedForm, "needs a known number and a tensor with a known scale");
  const std::string op =
      std::string("qdq::") + (adds ? "add_scalar" : "mul_scalar") + (name.ends_with("_relu") ? "_relu" : "");
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (!schema) throw Refusal(onnxport::Code::kNoQuantizedForm, "is not supported");
  std::vector<ir::Arg> bound;
  for (const ir::AtenArgument& argument : schema->arguments) {
    if (argument.name == "dtype")
      bound.push_back({grid->dtype});
    else if (argument.name == "input_scale")
      bound.push_back(LeafArg(grid->scale));
    else if (argument.name == "input_zero_point")
      bound.push_back(LeafArg(grid->zero_point));
    else
      bound.push_back(LeafArg(argument.type.kind == ir::AtenKind::kTensor ? tensor : operand));
  }
  Grid made = *grid;
  const double b = integer ? static_cast<double>(*integer) : *number;
  adds ? AddToGrid(b, &made) : MultiplyGrid(b, &made);
  return call.grids->Remember(call.RunAll(op, std::move(bound)), made, *call.tracer);
}

// The arguments of the operator by their names, with its defaults.
Given GivenTo(const CallSite& call, const ir::AtenSchema& source) {
  Given given;
  for (size_t i = 0; i < source.arguments.size(); ++i) {
    const ir::AtenArgument& argument = source.arguments[i];
    if (i < call.size())
      given[argument.name] = call.At(i);
    else if (argument.default_value)
      given[argument.name] = LeafValue(*argument.default_value, *call.tracer);
  }
  for (const auto& [keyword, value] : call.keywords) given[keyword] = value;
  return given;
}

// With what packed parameters among them hold, which counts first, and the grids of these and of the input.
Given Known(const CallSite& call, const Given& given, const Grid* grid) {
  const Given unpacked = Unpacked(given);
  Given known = unpacked;
  for (const auto& [attribute, value] : unpacked) {
    const Grid* held = call.grids->Of(value);
    if (held == nullptr || held->integers == ir::ValueId::kNone) continue;
    known.insert({{attribute + "_integers", {Tensor{held->integers}}},
                  {attribute + "_scale", held->scale},
                  {attribute + "_zero_point", held->zero_point}});
  }
  known.insert(given.begin(), given.end());
  if (grid)
    known.insert({{"dtype", {grid->dtype}}, {"input_scale", grid->scale}, {"input_zero_point", grid->zero_point}});
  return known;
}

// That of the input, with what the call says of scale and zero point.
Grid ResultGrid(const Given& given, const Grid& input) {
  Grid result = input;
  const auto take = [&](const char* name, Value* part) {
    const auto found = given.find(name);
    if (found != given.end() && !found->second.is_none()) *part = found->second;
  };
  for (const char* scale : {"output_scale", "scale", "Y_scale_i"}) take(scale, &result.scale);
  for (const char* zero_point : {"output_zero_point", "zero_point", "Y_zero_point_i"})
    take(zero_point, &result.zero_point);
  return result;
}

// Others: the entry of the same name in spec/, whose arguments are those of the operator, of its packed parameters, and
// the grid of the input. Without such an entry and without quantized tensors it is an operator as others are.
std::optional<Value> CallEntry(const CallSite& call, const std::string& name) {
  const ir::AtenSchema* target = ir::FindAtenSchema("qdq::" + name);
  const Grid* grid = call.grids->First(call.args, call.keywords);
  if (!target && !grid) return std::nullopt;
  if (!target) throw Refusal(onnxport::Code::kNoQuantizedForm, "is not supported");
  const ir::AtenSchema* source = OverloadOf(call.op, call.size());
  if (!source) throw Refusal(onnxport::Code::kNoQuantizedForm, "has no overload that takes these arguments");
  const Given given = GivenTo(call, *source);
  const Given known = Known(call, given, grid);
  std::vector<ir::Arg> bound;
  for (const ir::AtenArgument& argument : target->arguments) {
    const auto found = known.find(argument.name);
    auto arg = found != known.end() ? ArgOf(found->second) : argument.default_value;
    if (!arg)
      throw Refusal(onnxport::Code::kArgumentIsNotKnown, fmt::format("its argument `{}` is not known", argument.name));
    bound.push_back(std::move(*arg));
  }
  const Value made = call.RunAll(target->name, std::move(bound));
  if (!grid || name.find("_dynamic") != std::string::npos || name.find("output_fp32") != std::string::npos) return made;
  return call.grids->Remember(made, ResultGrid(given, *grid), *call.tracer);
}

// A method of packed parameters that is called as an operator: `quantized::conv2d_stride(packed)`.
std::optional<Value> Ask(const CallSite& call, const std::string& name) {
  const auto* first = call.As<CellPtr>(0);
  if (call.size() != 1 || !first || (*first)->kind != Cell::Kind::kObject) return std::nullopt;
  const size_t dash = name.rfind('_');
  const std::string question = name.ends_with("_output_padding") ? "output_padding"
                               : name.ends_with("_unpack_fp16")  ? "unpack"
                                                                : name.substr(dash == std::string::npos ? 0 : dash + 1);
  return AskPacked(**first, question);
}

std::optional<Value> Any(const CallSite& call) {
  const std::string name(call.name());
  if (auto packed = Prepack(name, call.args, call.heap)) return packed;
  if (auto answer = Ask(call, name)) return answer;
  if (auto made = CallScalar(call, name)) return made;
  return CallEntry(call, name);
}

constexpr BuiltinRow kRows[] = {{"quantized::", Any, true}};

}  // namespace
}  // namespace quantized_namespace

std::span<const BuiltinRow> QuantizedNamespace() { return quantized_namespace::kRows; }

}  // namespace onnxport::torchscript
