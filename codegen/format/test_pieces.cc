#include "codegen/format/test_pieces.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/format/expression_pieces.h"
#include "codegen/load/test_call.h"
#include "codegen/model/spec_text.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

Piece Word(std::string text, bool space = false, Break after = Break::kNone) {
  return {.text = std::move(text), .space = space, .after = after, .inner = {}, .close = {}};
}

// The shortest that reads back: `1e-5`, `0.5`, `2`. fmt writes 1e-05; people write 1e-5, and the loader reads both.
std::string NumberText(double value) {
  std::string text = fmt::format("{}", value);
  const size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const bool negative = text[exponent + 1] == '-';
  const size_t digits = text.find_first_not_of("+-0", exponent + 1);
  return text.substr(0, exponent + 1) + (negative ? "-" : "") + text.substr(digits);
}

std::string FloatWord(double value) {
  const std::string text = NumberText(value);
  return text.find_first_of(".enai") == std::string::npos ? text + ".0" : text;
}

std::string ConstantText(const Expr& constant) {
  // A word stays one: `pi`, `-inf`.
  if (constant.kind != ExprKind::kString && !constant.text.empty()) return constant.text;
  switch (constant.kind) {
    case ExprKind::kBool:
      return constant.bool_value ? "True" : "False";
    case ExprKind::kInt:
      return fmt::format("{}", constant.int_value);
    case ExprKind::kFloat:
      return FloatWord(constant.float_value);
    case ExprKind::kString:
      return "\"" + constant.text + "\"";
    case ExprKind::kDType:
      return std::string(ir::Name(constant.dtype));
    default:
      return "None";
  }
}

bool IsNumber(const TestValue& value) {
  return value.kind == TestValue::Kind::kConstant &&
         (value.constant->kind == ExprKind::kInt || value.constant->kind == ExprKind::kFloat);
}

bool IsDense(const TestValue& list) {
  return std::ranges::all_of(list.items, [](const TestValue& item) {
    return IsNumber(item) || (item.kind == TestValue::Kind::kList && IsDense(item));
  });
}

Piece ContentsPiece(std::string open, const std::vector<ExprPtr>& contents) {
  Piece list{.text = std::move(open), .space = false, .after = Break::kNone, .inner = {}, .close = "]"};
  for (size_t i = 0; i < contents.size(); ++i) {
    if (i > 0) list.inner.push_back(Word(",", false, Break::kComma));
    list.inner.push_back(Word(ConstantText(*contents[i]), i > 0));
  }
  return list;
}

std::string RangeText(const TestValue& tensor) {
  const std::string first = NumberText(tensor.in->first);
  const std::string last = NumberText(tensor.in->second);
  return tensor.evenly ? fmt::format(" from {} to {}", first, last) : fmt::format(" in {}..{}", first, last);
}

// Lists of numbers are written as shapes are, without spaces.
Piece ValuePiece(const TestValue& value) {
  if (value.kind == TestValue::Kind::kTensor) {
    std::string text = fmt::format("{}[{}]", value.dtype, fmt::join(value.shape, ","));
    if (!value.contents.empty()) return ContentsPiece(text + " of [", value.contents);
    if (value.in) text += RangeText(value);
    return Word(std::move(text));
  }
  if (value.kind == TestValue::Kind::kConstant && value.constant->kind != ExprKind::kList)
    return Word(ConstantText(*value.constant));
  Piece list{.text = "[", .space = false, .after = Break::kNone, .inner = {}, .close = "]"};
  const bool dense = IsDense(value);
  for (size_t i = 0; i < value.items.size(); ++i) {
    if (i > 0) list.inner.push_back(Word(",", false, Break::kComma));
    list.inner.push_back(ValuePiece(value.items[i]));
    list.inner.back().space = i > 0 && !dense;
  }
  return list;
}

void AddNamed(const std::string& name, Piece value, Pieces* pieces) {
  if (!pieces->empty()) pieces->push_back(Word(",", false, Break::kComma));
  value.space = !pieces->empty();
  value.text = (name.empty() ? "" : name + "=") + value.text;
  pieces->push_back(std::move(value));
}

Piece OpsetsPiece(const std::vector<int>& opsets) {
  if (opsets.size() == 1) return Word(fmt::format("{}", opsets[0]));
  return Word(fmt::format("[{}]", fmt::join(opsets, ", ")));
}

Piece RelationsPiece(const std::vector<ExprPtr>& relations) {
  if (relations.size() == 1) return Word(SpecText(*relations[0]));
  Piece list{.text = "[", .space = false, .after = Break::kNone, .inner = {}, .close = "]"};
  for (const ExprPtr& relation : relations) {
    if (!list.inner.empty()) list.inner.push_back(Word(",", false, Break::kComma));
    Pieces pieces = ExpressionPieces(SpecText(*relation));
    pieces[0].space = !list.inner.empty();
    std::ranges::move(pieces, std::back_inserter(list.inner));
  }
  return list;
}

std::string ShortestName(const TestCase& test, const OpEntry& entry) {
  std::vector<std::string> candidates;
  for (const std::string& full : test.operators) {
    const std::string name = full.substr(full.find("::") + 2);
    candidates.push_back(name.substr(0, name.find('.')));
    candidates.push_back(name);
    candidates.push_back(full);
  }
  for (const std::string& name : candidates)
    // The first that means the same operators when it is read again: "add" where the entry has no other add, else
    // "add.Tensor", else "aten::add.Tensor".
    if (OperatorsNamed(name, entry.names) == test.operators) return name;
  return "each";
}

}  // namespace

Pieces TestPieces(const TestCase& test, const OpEntry& entry) {
  Piece call{.text = ShortestName(test, entry) + "(", .space = false, .after = Break::kNone, .inner = {}, .close = ")"};
  for (const auto& [name, value] : test.args) AddNamed(name, ValuePiece(value), &call.inner);
  Pieces words;
  if (!test.opsets.empty()) AddNamed("opset", OpsetsPiece(test.opsets), &words);
  if (test.tolerance) AddNamed("tol", Word(NumberText(*test.tolerance)), &words);
  if (test.compared == Compared::kDistribution) AddNamed("compare", Word("\"distribution\""), &words);
  if (test.compared == Compared::kRelations) AddNamed("holds", RelationsPiece(test.holds), &words);
  if (test.compared == Compared::kShape) AddNamed("compare", Word("\"shape\""), &words);
  if (!test.refuses.empty()) AddNamed("refuses", Word("\"" + test.refuses + "\""), &words);
  if (!test.special.empty()) AddNamed("special", Word("\"" + test.special + "\""), &words);
  if (!test.domain.empty()) AddNamed("domain", Word("\"" + test.domain + "\""), &words);
  if (!test.keep.empty()) AddNamed("keep", Word("\"" + test.keep + "\""), &words);
  if (test.training) AddNamed("training", Word("True"), &words);
  if (!test.why.empty()) AddNamed("why", Word("\"" + test.why + "\""), &words);
  Pieces pieces = {std::move(call)};
  if (words.empty()) return pieces;
  pieces[0].after = Break::kComma;
  pieces.push_back(Word("with", true));
  words[0].space = true;
  std::ranges::move(words, std::back_inserter(pieces));
  return pieces;
}

}  // namespace onnxport::codegen
