#include "runtime/sources/torchscript/interpret/boundary/input_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport::torchscript {
namespace {

constexpr int kMaxFormDepth = 16;  // of containers in containers

std::optional<Value> LiteralAt(const Expr& expr, Heap* heap, int depth) {
  if (depth > kMaxFormDepth) return std::nullopt;
  switch (expr.kind) {
    case ExprKind::kNone:
      return Value{None{}};
    case ExprKind::kBool:
      return Value{expr.boolean};
    case ExprKind::kInt:
      return Value{expr.integer};
    case ExprKind::kFloat:
      return Value{expr.number};
    case ExprKind::kString:
      return Value{expr.text};
    case ExprKind::kMinus: {
      const auto operand = LiteralAt(expr.operands[0], heap, depth + 1);
      if (!operand) return std::nullopt;
      // The smallest int64 has no positive counterpart.
      if (const auto* number = operand->As<int64_t>(); number && *number != INT64_MIN) return Value{-*number};
      if (const auto* number = operand->As<double>()) return Value{-*number};
      return std::nullopt;
    }
    case ExprKind::kList:
    case ExprKind::kTuple: {
      ValueList items;
      for (const Expr& item : expr.operands) {
        auto value = LiteralAt(item, heap, depth + 1);
        if (!value) return std::nullopt;
        items.push_back(std::move(*value));
      }
      if (expr.kind == ExprKind::kTuple)
        return Value{MakeOwned<const TupleValue>(TupleValue{.items = std::move(items)})};
      return Value{heap->NewList(std::move(items))};
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string Example(const std::string& name, const Type& type) {
  const auto form = [&](std::string_view rest) { return fmt::format("<<inputs: {}{}>>", name, rest); };
  const auto either = [&](std::string_view fixed, std::string_view given, std::string_view what) {
    return fmt::format("{}, or {} for a {} that each run gives", form(fixed), form(given), what);
  };
  if (type.Is("int")) return either("=5", "=i64[]", "number");
  if (type.Is("float")) return either("=0.5", "=f64[]", "number");
  if (type.Is("bool")) return either("=true", "=bool[]", "value");
  if (type.Is("str")) return form("=text");
  if (type.Is("Device")) return form("=cpu");
  if (type.Is("Optional")) return form("=none") + ", or " + Example(name, type.args[0]);
  if (type.Is("List") && type.args[0].Is("Tensor")) {
    return fmt::format("{}, or {}, {} for a list of known length", form("=list[f32[n,4]]"), form(".0=f32[4]"),
                       form(".1=..."));
  }
  if (type.Is("Dict")) return form(".KEY=f32[batch,4]") + " for each key";
  if (type.Is("List") || type.Is("Tuple")) return form(".0=...") + ", " + form(".1=...");
  return form("=f32[batch,3,224,224]");
}

std::optional<Value> Literal(const Expr& expr, Heap* heap) { return LiteralAt(expr, heap, 0); }

bool Fits(const Input& spec, const Type& type) {
  // It fits if it fits one of the members.
  if (type.Is("Optional") || type.Is("Union"))
    return std::ranges::any_of(type.args, [&](const Type& option) { return Fits(spec, option); });
  if (spec.list) return type.Is("List");
  if (!spec.fixed) {
    // A number given at run time is a 0-d tensor of the model. Its dtype says which kind of number it is in the
    // program.
    const bool is_scalar = spec.dims && spec.dims->empty();
    return type.Is("Tensor") || (is_scalar && type.Is("int") && spec.dtype == kInt64) ||
           (is_scalar && type.Is("float") && spec.dtype == kFloat64) ||
           (is_scalar && type.Is("bool") && spec.dtype == kBool);
  }
  const auto& fixed = *spec.fixed;
  return (std::holds_alternative<int64_t>(fixed) && (type.Is("int") || type.Is("number"))) ||
         (std::holds_alternative<double>(fixed) && (type.Is("float") || type.Is("number"))) ||
         (std::holds_alternative<bool>(fixed) && type.Is("bool")) ||
         (std::holds_alternative<std::string>(fixed) && type.Is("str"));
}

std::optional<ir::Dims> SpecDims(const Input& spec) {
  if (!spec.dims) return std::nullopt;
  ir::Dims dims;
  for (const Dim& dim : *spec.dims) {
    if (dim.is_number()) {
      dims.emplace_back(dim.number());
    } else {
      dims.push_back(inputs::DimOfAxis(dim.is_unknown() ? inputs::AxisName(spec.name, dims.size()) : dim.symbol()));
    }
  }
  return dims;
}

inputs::Form FormOf(const Type& type, const Program& program) {
  using inputs::Form;
  if (type.Is("Optional")) return FormOf(type.args[0], program);
  const auto form = [&](Form::Kind kind, std::vector<std::string> fields, std::vector<Type> elements) {
    const auto element = [elements = std::move(elements), &program](size_t i) { return FormOf(elements[i], program); };
    return Form{.kind = kind, .fields = std::move(fields), .element = element};
  };
  if (type.Is("List")) return form(Form::Kind::kList, {}, {type.args[0]});
  if (type.Is("Dict")) return form(Form::Kind::kDict, {}, {type.args[1]});
  std::vector<std::string> fields;
  if (type.Is("Tuple")) {
    for (size_t i = 0; i < type.args.size(); ++i) fields.push_back(fmt::format("{}", i));
    return form(Form::Kind::kTuple, std::move(fields), type.args);
  }
  const auto named = program.classes.find(type.name);
  if (named == program.classes.end() || named->second.kind != ClassKind::kNamedTuple) return {};
  std::vector<Type> elements;
  for (const auto& field : named->second.fields) {
    fields.push_back(field.name);
    elements.push_back(ToType(field.type));
  }
  return form(Form::Kind::kTuple, std::move(fields), std::move(elements));
}

}  // namespace onnxport::torchscript
