#include "runtime/api/input_values.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/api/border.h"
#include "runtime/base/error.h"

namespace onnxport {
namespace {

using inputs::InputSpec;

[[noreturn]] void Fail(const Input& input, std::string_view what) {
  throw Error(ErrorKind::kUsage, fmt::format("input '{}': {}", input.name, what));
}

inputs::InputDim SpecDimOf(const Input& input, const Dim& dim) {
  if (dim.is_unknown()) Fail(input, "a dimension is a number or a name; give the free axis a name");
  if (dim.is_number()) {
    if (dim.number() < 0) Fail(input, fmt::format("a dimension is not negative: {}", dim.number()));
    return dim.number();
  }
  if (!inputs::IsAxisName(dim.symbol())) {
    Fail(input, fmt::format("'{}' is no name of an axis (letters, digits and _, no digit first)", dim.symbol()));
  }
  return dim.symbol();
}

ir::Arg ArgOf(const Value& value) {
  return std::visit(
      [](const auto& held) -> ir::Arg {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, None>) {
          return {ir::None{}};
        } else {
          return {held};
        }
      },
      value);
}

// The fixed value of a text form; it has no others.
Value ValueOf(const ir::Arg& arg) {
  if (const auto* flag = std::get_if<bool>(&arg.v)) return *flag;
  if (const auto* integer = std::get_if<int64_t>(&arg.v)) return *integer;
  if (const auto* number = std::get_if<double>(&arg.v)) return *number;
  if (const auto* text = std::get_if<std::string>(&arg.v)) return *text;
  return None{};
}

InputSpec SpecOf(const Input& input) {
  if (input.name.empty()) throw Error(ErrorKind::kUsage, "an input has no name");
  InputSpec spec;
  spec.name = input.name;
  if (input.fixed) {
    spec.fixed = ArgOf(*input.fixed);
    return spec;
  }
  spec.dtype = ir::DTypeOfNumber(static_cast<int64_t>(input.dtype));
  if (spec.dtype == ir::DType::kUndefined) Fail(input, "it has neither a dtype nor a value");
  spec.list = input.list;
  if (!input.dims) return spec;
  if (input.dims->size() > inputs::kMaxRank) Fail(input, fmt::format("more than {} dimensions", inputs::kMaxRank));
  spec.dims.emplace();
  for (const Dim& dim : *input.dims) spec.dims->push_back(SpecDimOf(input, dim));
  return spec;
}

}  // namespace

std::vector<InputSpec> SpecsOf(const std::vector<Input>& inputs) {
  std::vector<InputSpec> specs;
  for (const Input& input : inputs) specs.push_back(SpecOf(input));
  return specs;
}

Input InputOf(const InputSpec& spec) {
  Input input = {.name = spec.name, .dtype = static_cast<DType>(spec.dtype), .list = spec.list};
  if (spec.fixed) input.fixed = ValueOf(*spec.fixed);
  if (!spec.dims) return input;
  input.dims.emplace();
  for (const inputs::InputDim& dim : *spec.dims) {
    const auto* number = std::get_if<int64_t>(&dim);
    input.dims->push_back(number != nullptr ? Dim(*number) : Sym(std::get<std::string>(dim)));
  }
  return input;
}

Dim DimOf(const ir::Dim& dim) {
  if (dim.is_number()) return dim.number();
  return dim.is_symbolic() ? Sym(dim.ToString()) : Dim();
}

Result<Input> ParseInput(std::string_view text) {
  return AtBorder([&] { return InputOf(inputs::ParseInputSpec(text)); });
}

}  // namespace onnxport
