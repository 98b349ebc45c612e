#include "codegen/emit/cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "codegen/check/fold.h"
#include "codegen/check/onnx_schemas.h"
#include "codegen/check/tests.h"
#include "codegen/emit/expression.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/emit/wrap.h"
#include "codegen/model/spec_text.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

std::string Expression(const Expr& expr) { return ExpressionWriter(LastOpset(), {}, {}).Value(expr, {}); }

std::string Items(const auto& items, auto&& text_of) {
  std::vector<std::string> texts;
  for (const auto& item : items) texts.push_back(text_of(item));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

// "{.kind = kInt, .integer = 2}"; a whole number for a float argument stays an int, as in Python.
std::string ConstantText(const Expr& constant) {
  switch (constant.kind) {
    case ExprKind::kBool:
      return fmt::format("{{.kind = kBool, .integer = {}}}", constant.bool_value ? 1 : 0);
    case ExprKind::kInt:
      return fmt::format("{{.kind = kInt, .integer = {}}}", Expression(constant));
    case ExprKind::kFloat:
      return fmt::format("{{.kind = kFloat, .number = {}}}", Expression(constant));
    case ExprKind::kString:
      return fmt::format("{{.kind = kText, .text = {}}}", CppString(constant.text));
    case ExprKind::kDType:
      return fmt::format("{{.kind = kDType, .dtype = {}}}", Expression(constant));
    case ExprKind::kList:
      return fmt::format("{{.kind = kList, .items = {}}}",
                         Items(constant.operands, [](const ExprPtr& item) { return ConstantText(*item); }));
    default:
      return "{}";
  }
}

std::string DTypeText(const std::string& word) {
  Expr dtype;
  dtype.kind = ExprKind::kDType;
  dtype.dtype = ir::ParseDType(word).value_or(ir::DType::kFloat32);
  return Expression(dtype);
}

std::string ValueText(const TestValue& value) {
  switch (value.kind) {
    case TestValue::Kind::kConstant:
      return ConstantText(*value.constant);
    case TestValue::Kind::kList:
      return fmt::format("{{.kind = kList, .items = {}}}", Items(value.items, ValueText));
    case TestValue::Kind::kTensor:
      break;
  }
  std::string text = fmt::format("{{.kind = kTensor, .dtype = {}, .shape = {{{}}}", DTypeText(value.dtype),
                                 fmt::join(value.shape, ", "));
  if (value.in)
    text += fmt::format(", .bounded = true, .low = {}, .high = {}", FloatText(value.in->first),
                        FloatText(value.in->second));
  if (!value.contents.empty())
    text +=
        fmt::format(", .items = {}", Items(value.contents, [](const ExprPtr& item) { return ConstantText(*item); }));
  return text + "}";
}

// Where the overload has code: the test's own choice, else the first opset of each epoch and the newest.
std::vector<int> OpsetsOf(const TestCase& test, const OverloadCode& overload) {
  if (!test.opsets.empty()) return test.opsets;
  std::vector<int> opsets = overload.epochs;
  if (!overload.rows.empty() && (opsets.empty() || opsets.back() != overload.rows.back().until))
    opsets.push_back(overload.rows.back().until);
  return opsets;
}

std::string CaseText(const TestCase& test, const OverloadCode& overload) {
  const std::string args = Items(ArgumentsFor(test, *overload.schema), [](const auto& arg) {
    return fmt::format("{{{}, {}}}", CppString(arg.first), ValueText(arg.second));
  });
  std::string text = fmt::format("{{.overload = \"{}\", .args = {}, .opsets = {{{}}}", overload.schema->name, args,
                                 fmt::join(OpsetsOf(test, overload), ", "));
  if (test.tolerance) text += fmt::format(", .tolerance = {}", FloatText(*test.tolerance));
  if (!test.refuses.empty()) text += fmt::format(", .refuses = {}", CppString(test.refuses));
  if (!test.compare) text += ", .compare = false";
  if (!test.special.empty()) text += fmt::format(", .special = {}", CppString(test.special));
  return text + fmt::format(", .spec = {}}},", CppString(PlaceText(test.place)));
}

// One line per case and run of opsets at which it can be taken.
std::string CaseIdsText(const OpEntry& entry, const std::set<std::string>& domains) {
  std::map<int, std::set<int>> opsets_of;
  for (const std::string& name : entry.names) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    for (int opset = FirstOpset(); schema && opset <= LastOpset(); ++opset)
      for (int number : FoldEntry(entry, *schema, {.opset = opset, .domains = domains}).case_numbers)
        opsets_of[number].insert(opset);
  }
  std::string text;
  for (const auto& [number, opsets] : opsets_of) {
    const Case& item = entry.cases[number - 1];
    text +=
        WrapStatement(fmt::format("{{{}, \"{}\", {}, {}, {}}},", CppString(CaseId(entry, number)), entry.names[0],
                                  CppString(item.when ? SpecText(*item.when) : ""), *opsets.begin(), *opsets.rbegin()),
                      4);
  }
  return text;
}

// An array that may be empty, and what to call it in an initializer.
struct Array {
  std::string text;
  std::string name;
};
Array ArrayOf(const std::string& type, const std::string& name, const std::string& lines) {
  if (lines.empty()) return {"", "{}"};
  return {fmt::format("constexpr {} {}[] = {{\n{}}};\n", type, name, lines), name};
}

}  // namespace

std::string CasesText(const SpecFile& spec, const FamilyCode& family, const std::set<std::string>& domains,
                      Templates* templates) {
  std::string cases;
  for (const OverloadCode& overload : family.overloads)
    for (const TestCase& test : overload.entry->tests)
      if (Misfit(test, *overload.schema).empty()) cases += WrapStatement(CaseText(test, overload), 4);
  std::string ids;
  for (const OpEntry& entry : spec.ops)
    if (entry.cases.size() > 1) ids += CaseIdsText(entry, domains);
  const Array cases_array = ArrayOf("Case", "kCases", cases);
  const Array ids_array = ArrayOf("CaseId", "kCaseIds", ids);
  return templates->Fill("cases.cc", {{"spec", spec.path},
                                      {"cases", cases_array.text},
                                      {"case_ids", ids_array.text},
                                      {"family", FamilyName(family.family)},
                                      {"name", family.family},
                                      {"cases_name", cases_array.name},
                                      {"case_ids_name", ids_array.name}});
}

}  // namespace onnxport::codegen
