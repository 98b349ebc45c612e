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

[[noreturn]] void Fail(const std::string& where, std::string_view what) {
  throw Error(ErrorKind::kUsage, fmt::format("{}: {}", where, what));
}

inputs::InputDim SpecDimOf(const std::string& where, const Dim& dim) {
  if (dim.is_unknown()) return inputs::FreeAxis{};
  if (dim.is_number()) {
    if (dim.number() < 0) Fail(where, fmt::format("a dimension is not negative: {}", dim.number()));
    return dim.number();
  }
  if (!inputs::IsAxisName(dim.symbol()) && !inputs::IsAxisSum(dim.symbol())) {
    Fail(where, fmt::format("'{}' is no name of an axis (letters, digits and _, no digit first) nor a sum of such",
                            dim.symbol()));
  }
  return inputs::FreeAxis{dim.symbol(), dim.min(), dim.max()};
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

std::vector<inputs::InputDim> SpecDimsOf(const std::string& where, const std::vector<Dim>& dims) {
  if (dims.size() > inputs::kMaxRank) Fail(where, fmt::format("more than {} dimensions", inputs::kMaxRank));
  std::vector<inputs::InputDim> made;
  for (const Dim& dim : dims) made.push_back(SpecDimOf(where, dim));
  return made;
}

Dim DimOf(const inputs::InputDim& dim) {
  if (const auto* number = std::get_if<int64_t>(&dim)) return *number;
  const auto& axis = std::get<inputs::FreeAxis>(dim);
  return axis.name.empty() ? Dim() : Sym(axis.name).Between(axis.min, axis.max);
}

InputSpec SpecOf(const Input& input) {
  if (input.name.empty()) throw Error(ErrorKind::kUsage, "an input has no name");
  const std::string where = fmt::format("input '{}'", input.name);
  InputSpec spec;
  spec.name = input.name;
  if (input.fixed) {
    spec.fixed = ArgOf(*input.fixed);
    return spec;
  }
  spec.dtype = ir::DTypeOfNumber(static_cast<int64_t>(input.dtype));
  if (spec.dtype == ir::DType::kUndefined) Fail(where, "it has neither a dtype nor a value");
  spec.list = input.list;
  if (!input.dims) return spec;
  spec.dims = SpecDimsOf(where, *input.dims);
  return spec;
}

}  // namespace

std::vector<InputSpec> SpecsOf(const std::vector<Input>& inputs) {
  std::vector<InputSpec> specs;
  for (const Input& input : inputs) specs.push_back(SpecOf(input));
  return specs;
}

std::vector<inputs::OutputSpec> SpecsOf(const std::vector<Output>& outputs) {
  std::vector<inputs::OutputSpec> specs;
  for (const Output& output : outputs) {
    const std::string where = fmt::format("output '{}'", output.name);
    specs.push_back({.name = output.name, .dims = SpecDimsOf(where, output.dims)});
    for (const Dim& dim : output.dims) {
      if (dim.min() || dim.max()) Fail(where, "ranges are of inputs");
    }
  }
  return specs;
}

std::set<std::string> AxisNamesOf(const std::vector<Input>& inputs) {
  std::set<std::string> names;
  for (const Input& input : inputs) {
    for (const Dim& dim : input.dims.value_or(std::vector<Dim>())) {
      if (dim.is_symbolic()) names.insert(dim.symbol());
    }
  }
  return names;
}

Input InputOf(const InputSpec& spec) {
  Input input = {.name = spec.name, .dtype = static_cast<DType>(spec.dtype), .list = spec.list};
  if (spec.fixed) input.fixed = ValueOf(*spec.fixed);
  if (!spec.dims) return input;
  input.dims.emplace();
  for (const inputs::InputDim& dim : *spec.dims) input.dims->push_back(DimOf(dim));
  return input;
}

Dim DimOf(const ir::Dim& dim) {
  if (dim.is_number()) return dim.number();
  return dim.is_symbolic() ? Sym(dim.ToString()) : Dim();
}

Result<Input> ParseInput(std::string_view text) {
  return AtBorder([&] { return InputOf(inputs::ParseInputSpec(text)); });
}

Result<Output> ParseOutput(std::string_view text) {
  return AtBorder([&] {
    const inputs::OutputSpec spec = inputs::ParseOutputSpec(text);
    Output output{.name = spec.name, .dims = {}};
    for (const inputs::InputDim& dim : spec.dims) output.dims.push_back(DimOf(dim));
    return output;
  });
}

}  // namespace onnxport
