#include "codegen/check/tests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codegen/model/result_names.h"

namespace onnxport::codegen {
namespace {

using ir::AtenKind;

// The type of the elements of a list.
ir::AtenType ElementOf(const ir::AtenType& list) {
  ir::AtenType element = list;
  element.optional = list.optional_elements;
  // AtenType has one level of lists, these types have two; so the inner one is made here.
  element.list = list.text == "int[][]" || list.text == "SymInt[][]";
  if (element.list) {
    element.kind = AtenKind::kInt;
    element.text = "int[]";
  }
  return element;
}

bool FitsElement(const Expr& constant, const ir::AtenType& type) {
  switch (type.kind) {
    case AtenKind::kInt:
    case AtenKind::kSymInt:
      return constant.kind == ExprKind::kInt;
    case AtenKind::kFloat:
      return constant.kind == ExprKind::kFloat || constant.kind == ExprKind::kInt;
    case AtenKind::kBool:
      return constant.kind == ExprKind::kBool;
    case AtenKind::kScalar:
      return constant.kind == ExprKind::kInt || constant.kind == ExprKind::kFloat || constant.kind == ExprKind::kBool;
    case AtenKind::kScalarType:
      return constant.kind == ExprKind::kDType;
    case AtenKind::kString:
    case AtenKind::kDevice:
    case AtenKind::kLayout:
    case AtenKind::kMemoryFormat:
      return constant.kind == ExprKind::kString;
    case AtenKind::kTensor:
    case AtenKind::kGenerator:
    case AtenKind::kOther:
      return false;
  }
  return false;
}

bool FitsConstant(const Expr& constant, const ir::AtenType& type) {
  if (constant.kind == ExprKind::kNone) return type.optional || (type.list && type.optional_elements);
  if (!type.list) return FitsElement(constant, type);
  // `int[2] stride=1` takes one int for both; `int[] dims` needs a list.
  if (constant.kind != ExprKind::kList) return type.list_size.has_value() && FitsElement(constant, type);
  const ir::AtenType element = ElementOf(type);
  return std::ranges::all_of(constant.operands, [&](const ExprPtr& item) { return FitsConstant(*item, element); });
}

bool Fits(const TestValue& value, const ir::AtenType& type) {
  switch (value.kind) {
    case TestValue::Kind::kConstant:
      return FitsConstant(*value.constant, type);
    case TestValue::Kind::kTensor:
      return type.kind == AtenKind::kTensor && !type.list;
    case TestValue::Kind::kList:
      break;
  }
  const ir::AtenType element = ElementOf(type);
  return type.list && std::ranges::all_of(value.items, [&](const TestValue& item) { return Fits(item, element); });
}

// A name in a relation that is neither an argument nor a result; empty when there is none.
std::string UnknownIn(const Expr& relation, const ir::AtenSchema& schema) {
  bool known = relation.kind != ExprKind::kName || schema.FindArgument(relation.text) >= 0;
  for (size_t i = 0; i < schema.results.size(); ++i) known |= ResultName(schema, i) == relation.text;
  if (!known) return relation.text;
  for (const ExprPtr& operand : relation.operands)
    if (std::string name = UnknownIn(*operand, schema); !name.empty()) return name;
  return "";
}

}  // namespace

std::vector<std::pair<std::string, TestValue>> ArgumentsFor(const TestCase& test, const ir::AtenSchema& schema) {
  std::vector<std::pair<std::string, TestValue>> args = test.args;
  for (size_t i = 0; i < args.size() && args[i].first.empty(); ++i)
    // An argument behind the `*` of a schema has to be named, as in Python.
    if (i < schema.arguments.size() && !schema.arguments[i].keyword_only) args[i].first = schema.arguments[i].name;
  std::ranges::stable_sort(args, {}, [&](const auto& arg) {
    const int position = schema.FindArgument(arg.first);
    return position < 0 ? schema.arguments.size() : static_cast<size_t>(position);
  });
  return args;
}

std::string Misfit(const TestCase& test, const ir::AtenSchema& schema) {
  if (std::ranges::find(test.operators, schema.name.text()) == test.operators.end())
    return fmt::format("the test is one of {}", fmt::join(test.operators, ", "));
  const auto args = ArgumentsFor(test, schema);
  for (size_t i = 0; i < args.size(); ++i) {
    const auto& [name, value] = args[i];
    if (name.empty()) return fmt::format("{} does not take so many positional arguments", schema.name);
    if (i > 0 && name == args[i - 1].first) return fmt::format("`{}` of {} is given twice", name, schema.name);
    const int position = schema.FindArgument(name);
    if (position < 0) return fmt::format("{} has no argument `{}`", schema.name, name);
    const ir::AtenType& type = schema.arguments[position].type;
    if (!Fits(value, type)) return fmt::format("`{}` of {} is a {}", name, schema.name, type.text);
  }
  for (const ExprPtr& relation : test.holds)
    if (const std::string name = UnknownIn(*relation, schema); !name.empty())
      return fmt::format("{} has no argument or result `{}`", schema.name, name);
  for (const ir::AtenArgument& argument : schema.arguments) {
    const bool given = std::ranges::find(args, argument.name, &std::pair<std::string, TestValue>::first) != args.end();
    if (!given && !argument.default_value) return fmt::format("{} needs `{}`", schema.name, argument.name);
  }
  return "";
}

}  // namespace onnxport::codegen
