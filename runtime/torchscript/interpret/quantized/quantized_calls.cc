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
#include "runtime/torchscript/interpret/quantized/packed.h"
#include "runtime/torchscript/interpret/quantized/quantized.h"
#include "runtime/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
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

// What packed parameters among the arguments hold: `weight` and `bias`, of several `w_ih_weight`.
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

}  // namespace

Value Quantized::CallPacked(const std::string& name, const ValueList& args, const Keywords& keywords) {
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

// LibTorch keeps the integers and moves the grid, and widens it where the zero point would leave its range.
void Quantized::AddToGrid(double b, Grid* grid) {
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

void Quantized::MultiplyGrid(double b, Grid* grid) {
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
std::optional<Value> Quantized::CallScalar(const std::string& name, const ValueList& args) {
  const bool adds = name == "add" || name == "add_relu" || name == "add_scalar" || name == "add_scalar_relu";
  const bool multiplies = name == "mul" || name == "mul_relu" || name == "mul_scalar" || name == "mul_scalar_relu";
  if ((!adds && !multiplies) || args.size() != 2) return std::nullopt;
  const bool swapped = !args[0].As<Tensor>();
  const Value& tensor = args[swapped ? 1 : 0];
  const Value& operand = args[swapped ? 0 : 1];
  const Grid* grid = GridOf(tensor);
  const auto* integer = operand.As<int64_t>();
  const auto* number = operand.As<double>();
  if (!grid || !grid->scale.As<double>() || !grid->zero_point.As<int64_t>() || (!integer && !number))
    return Refuse("quantized::" + name, "needs a known number and a tensor with a known scale");
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
    else
      bound.push_back(LeafArg(argument.type.kind == ir::AtenKind::kTensor ? tensor : operand));
  }
  Grid made = *grid;
  const double b = integer ? static_cast<double>(*integer) : *number;
  adds ? AddToGrid(b, &made) : MultiplyGrid(b, &made);
  return Remember(Run(op, std::move(bound)), made);
}

// Others: the entry of the same name in spec/, whose arguments are those of the operator, of its packed parameters, and
// the grid of the input.
Value Quantized::CallGeneric(const std::string& name, const ValueList& args, const Keywords& keywords) {
  const std::string op = "quantized::" + name;
  const ir::AtenSchema* target = ir::FindAtenSchema("qdq::" + name);
  // Without quantized tensors it is an operator as others are.
  if (!target) return FirstGrid(args, keywords) ? Refuse(op, "is not supported") : builtins_.Call(op, args, keywords);
  const ir::AtenSchema* source = OverloadOf(op, args.size());
  if (!source) return Refuse(op, "has no overload that takes these arguments");

  Given given;
  for (size_t i = 0; i < source->arguments.size(); ++i) {
    const ir::AtenArgument& argument = source->arguments[i];
    if (i < args.size())
      given[argument.name] = args[i];
    else if (argument.default_value)
      given[argument.name] = LeafValue(*argument.default_value, tracer_);
  }
  for (const auto& [keyword, value] : keywords) given[keyword] = value;
  Given known = Unpacked(given);
  for (const auto& [attribute, value] : Unpacked(given)) {
    const Grid* held = GridOf(value);
    if (held == nullptr || held->integers == ir::ValueId::kNone) continue;
    known.insert({{attribute + "_integers", {Tensor{held->integers}}},
                  {attribute + "_scale", held->scale},
                  {attribute + "_zero_point", held->zero_point}});
  }
  known.insert(given.begin(), given.end());
  const Grid* grid = FirstGrid(args, keywords);
  if (grid)
    known.insert({{"dtype", {grid->dtype}}, {"input_scale", grid->scale}, {"input_zero_point", grid->zero_point}});

  std::vector<ir::Arg> bound;
  for (const ir::AtenArgument& argument : target->arguments) {
    const auto found = known.find(argument.name);
    auto arg = found != known.end() ? ArgOf(found->second) : argument.default_value;
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

}  // namespace onnxport::torchscript
