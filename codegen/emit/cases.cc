#include "codegen/emit/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "codegen/check/tests.h"
#include "codegen/emit/cpp_printer.h"
#include "codegen/emit/expression.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/model/spec_text.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

cpp::Expr OfKind(const char* kind, const char* field, cpp::Expr value) {
  return cpp::Braces({cpp::Field("kind", cpp::Name(kind)), cpp::Field(field, std::move(value))});
}

template <typename Item, typename Write>
cpp::Expr Items(const std::vector<Item>& items, const Write& write) {
  cpp::Exprs list;
  for (const Item& item : items) list.push_back(write(item));
  return cpp::Braces(std::move(list));
}

cpp::Expr Numbers(const auto& numbers) {
  cpp::Exprs list;
  for (const auto number : numbers) list.push_back(cpp::Int(number));
  return cpp::Braces(std::move(list));
}

// {.kind = kInt, .integer = 2}; a whole number for a float argument stays an int, as in Python.
cpp::Expr OfConstant(const Expr& constant) {
  const cpp::Expr value = Constant(constant).code;
  switch (constant.kind) {
    case ExprKind::kBool:
      return OfKind("kBool", "integer", cpp::Int(constant.bool_value));
    case ExprKind::kInt:
      return OfKind("kInt", "integer", value);
    case ExprKind::kFloat:
      return OfKind("kFloat", "number", value);
    case ExprKind::kString:
      return OfKind("kText", "text", value);
    case ExprKind::kDType:
      return OfKind("kDType", "dtype", value);
    case ExprKind::kList:
      return OfKind("kList", "items", Items(constant.operands, [](const ExprPtr& item) { return OfConstant(*item); }));
    default:
      return cpp::Braces({});
  }
}

cpp::Expr OfDType(const std::string& word) {
  Expr dtype;
  dtype.kind = ExprKind::kDType;
  dtype.dtype = ir::ParseDType(word).value_or(ir::DType::kFloat32);
  return Constant(dtype).code;
}

cpp::Expr OfValue(const TestValue& value) {
  if (value.kind == TestValue::Kind::kConstant) return OfConstant(*value.constant);
  if (value.kind == TestValue::Kind::kList) return OfKind("kList", "items", Items(value.items, OfValue));
  cpp::Exprs fields = {cpp::Field("kind", cpp::Name("kTensor")), cpp::Field("dtype", OfDType(value.dtype)),
                       cpp::Field("shape", Numbers(value.shape))};
  if (value.in) {
    fields.push_back(cpp::Field("bounded", cpp::Name("true")));
    fields.push_back(cpp::Field("low", cpp::Float(value.in->first)));
    fields.push_back(cpp::Field("high", cpp::Float(value.in->second)));
    if (value.evenly) fields.push_back(cpp::Field("evenly", cpp::Name("true")));
  }
  if (!value.contents.empty())
    fields.push_back(cpp::Field("items", Items(value.contents, [](const ExprPtr& item) { return OfConstant(*item); })));
  return cpp::Braces(std::move(fields));
}

// {.name = "matmul", .operands = {{.name = "U"}, {.name = "Vh"}}}
cpp::Expr OfTerm(const Expr& term) {
  if (term.kind == ExprKind::kInt) return cpp::Braces({cpp::Field("number", cpp::Int(term.int_value))});
  if (term.kind == ExprKind::kFloat) return cpp::Braces({cpp::Field("number", cpp::Float(term.float_value))});
  const bool named = term.kind == ExprKind::kName || term.kind == ExprKind::kCall;
  cpp::Exprs fields = {cpp::Field("name", cpp::Text(named ? term.text : InfoOf(term.op).text))};
  if (!term.operands.empty())
    fields.push_back(
        cpp::Field("operands", Items(term.operands, [](const ExprPtr& operand) { return OfTerm(*operand); })));
  return cpp::Braces(std::move(fields));
}

bool IsComplex(const TestValue& value) {
  switch (value.kind) {
    case TestValue::Kind::kTensor:
      return ir::IsComplex(ir::ParseDType(value.dtype).value_or(ir::DType::kUndefined));
    case TestValue::Kind::kList:
      return std::ranges::any_of(value.items, IsComplex);
    case TestValue::Kind::kConstant:
      return value.constant->kind == ExprKind::kDType && ir::IsComplex(value.constant->dtype);
  }
  return false;
}

// The test's own choice, else the first opset of each epoch; of complex tensors from where they are exported.
std::vector<int> OpsetsOf(const TestCase& test, const OverloadCode& overload) {
  if (!test.opsets.empty()) return test.opsets;
  const bool complex = std::ranges::any_of(test.args, [](const auto& arg) { return IsComplex(arg.second); });
  // Epochs that begin before it are tested as one, at this opset.
  const int first = complex ? ir::kComplexOpset : 1;
  std::vector<int> opsets;
  for (const Epoch& epoch : overload.epochs) {
    if (!opsets.empty() && epoch.since <= first) opsets.clear();
    opsets.push_back(std::max(epoch.since, first));
  }
  return opsets;
}

cpp::Expr OfCase(const TestCase& test, const OverloadCode& overload) {
  cpp::Exprs fields = {cpp::Field("overload", cpp::Text(overload.schema->name)),
                       cpp::Field("args", Items(ArgumentsFor(test, *overload.schema),
                                                [](const auto& arg) {
                                                  return cpp::Braces({cpp::Text(arg.first), OfValue(arg.second)});
                                                })),
                       cpp::Field("opsets", Numbers(OpsetsOf(test, overload)))};
  if (test.opsets.empty() && !overload.rows.empty())
    fields.push_back(cpp::Field("until", cpp::Int(overload.rows.back().until)));
  if (test.tolerance) fields.push_back(cpp::Field("tolerance", cpp::Float(*test.tolerance)));
  if (!test.refuses.empty()) fields.push_back(cpp::Field("refuses", cpp::Text(test.refuses)));
  if (test.compared != Compared::kValues) {
    const char* compared = test.compared == Compared::kShape       ? "Compared::kShape"
                           : test.compared == Compared::kRelations ? "Compared::kRelations"
                                                                   : "Compared::kDistribution";
    fields.push_back(cpp::Field("compared", cpp::Name(compared)));
    if (!test.holds.empty())
      fields.push_back(
          cpp::Field("holds", Items(test.holds, [](const ExprPtr& relation) { return OfTerm(*relation); })));
  }
  if (!test.special.empty()) fields.push_back(cpp::Field("special", cpp::Text(test.special)));
  if (!test.domain.empty()) fields.push_back(cpp::Field("domain", cpp::Text(test.domain)));
  if (!test.keep.empty()) fields.push_back(cpp::Field("keep", cpp::Text(test.keep)));
  if (test.training) fields.push_back(cpp::Field("training", cpp::Name("true")));
  fields.push_back(cpp::Field("spec", cpp::Text(LineText(test.place))));
  return cpp::Braces(std::move(fields));
}

}  // namespace

std::string CasesText(const CheckedSpec& spec, const FamilyCode& family, Templates* templates) {
  std::string cases;
  for (const OverloadCode& overload : family.overloads)
    for (const TestCase& test : overload.entry->tests)
      // One line may be a call of several overloads: then it is a test of each.
      if (Misfit(test, *overload.schema).empty()) cases += cpp::ToText(OfCase(test, overload), 4, ",");
  // An array must not be empty.
  if (!cases.empty()) cases = fmt::format("constexpr Case kCases[] = {{\n{}}};\n", cases);
  return templates->Fill("cases.cc", {{"spec", spec->path},
                                      {"family", FamilyName(family.family)},
                                      {"name", family.family},
                                      {"cases_name", cases.empty() ? "{}" : "kCases"},
                                      {"cases", cases}});
}

}  // namespace onnxport::codegen
