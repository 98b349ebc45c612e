#include "codegen/load/test_case.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "codegen/load/test_value.h"
#include "fmt/format.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

constexpr int kNewestOpset = 99;  // the generator knows the real range
constexpr int kDeepestList = 4;

// A text that starts like a literal of the expression language.
bool LooksLikeLiteral(const std::string& text) {
  static constexpr std::string_view kStarts = "0123456789\"'[";
  const std::string_view unsigned_text = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  return IsLiteralWord(unsigned_text) ||
         (!unsigned_text.empty() && kStarts.find(unsigned_text[0]) != std::string_view::npos) ||
         (unsigned_text.size() > 1 && unsigned_text[0] == '.' &&
          std::isdigit(static_cast<unsigned char>(unsigned_text[1])));
}

TestValue ConstantOf(ExprPtr expr) {
  TestValue value;
  value.place = expr->place;
  if (expr->kind == ExprKind::kList) {
    value.kind = TestValue::Kind::kList;
    for (const ExprPtr& item : expr->operands) value.items.push_back(ConstantOf(item));
  } else {
    value.constant = std::move(expr);
  }
  return value;
}

// Words without quotes: a dtype (`float32`), or a text (`none`-like words, `bij,bjk->bik`).
std::optional<TestValue> ReadWord(const PlacedText& text, Diagnostics* diagnostics) {
  const std::string& word = text.text();
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] >= 0x20 && word[i] < 0x7F && word[i] != '"' && word[i] != '\\') continue;
    diagnostics->Error(text.At(i), "a text has printable ASCII only, without `\\` and `\"`");
    return std::nullopt;
  }
  auto expr = std::make_shared<Expr>();
  expr->kind = IsDTypeWord(word) ? ExprKind::kDType : ExprKind::kString;
  if (expr->kind == ExprKind::kDType)
    expr->dtype = *ir::ParseDType(word);
  else
    expr->text = word;
  expr->place = text.At(0);
  return ConstantOf(std::move(expr));
}

std::optional<TestValue> ReadTextValue(const YamlNode& node, Diagnostics* diagnostics) {
  const std::string& text = node.text.text();
  if (LooksLikeTensor(text)) return ReadTensor(node.text, diagnostics);
  if (!LooksLikeLiteral(text)) return ReadWord(node.text, diagnostics);
  ExprPtr expr = ParseExpression(node.text, diagnostics, node.in_flow && !node.quoted);
  if (expr == nullptr) return std::nullopt;
  if (IsConstant(*expr)) return ConstantOf(std::move(expr));
  diagnostics->Error(expr->place, "a test value is a tensor (`f32[2,3]`), a constant, or a list of them");
  return std::nullopt;
}

std::optional<TestValue> ReadValue(const YamlNode& node, int depth, Diagnostics* diagnostics) {
  if (node.kind == YamlKind::kText) return ReadTextValue(node, diagnostics);
  if (node.kind == YamlKind::kNull) return ConstantOf(ReadExpression(node, "a test value", diagnostics));
  if (node.kind != YamlKind::kList || depth > kDeepestList) {
    diagnostics->Error(node.place, "a test value is a tensor (`f32[2,3]`), a constant, or a list of them");
    return std::nullopt;
  }
  TestValue list;
  list.kind = TestValue::Kind::kList;
  list.place = node.place;
  for (const YamlNode& item : node.items) {
    if (auto value = ReadValue(item, depth + 1, diagnostics)) list.items.push_back(std::move(*value));
  }
  return list;
}

void ReadTolerance(const YamlNode& node, TestCase* test, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, "`tol`", diagnostics);
  if (text == nullptr) return;
  const std::string& word = text->text();
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size() || !(value >= 0 && value <= 1)) {
    diagnostics->Error(text->At(0), fmt::format("`tol` is a number from 0 to 1, here is `{}`", word.substr(0, 40)));
    return;
  }
  test->tolerance = value;
}

void ReadCompare(const YamlNode& node, TestCase* test, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, "`compare`", diagnostics);
  if (text == nullptr) return;
  test->compare = text->text() != "shape";
  if (test->compare) diagnostics->Error(text->At(0), "`compare` can only be `shape`: dtype and shape, not the values");
}

// The words that are no arguments. Returns false for an argument's name.
bool ReadReserved(const std::string& key, const YamlNode& node, TestCase* test, Diagnostics* diagnostics) {
  if (key == "opset") {
    for (const YamlNode* item : ReadOneOrMore(node, "`opset`", diagnostics)) {
      if (auto opset = ReadInt(*item, "an opset", 1, kNewestOpset, diagnostics)) test->opsets.push_back(*opset);
    }
  } else if (key == "tol") {
    ReadTolerance(node, test, diagnostics);
  } else if (key == "refuses") {
    test->refuses = ReadSentence(node, "`refuses`", diagnostics);
  } else if (key == "overload") {
    const PlacedText* text = ReadText(node, "`overload`", diagnostics);
    if (text != nullptr) test->operators = {text->text()};
  } else if (key == "compare") {
    ReadCompare(node, test, diagnostics);
  } else {
    return false;
  }
  return true;
}

}  // namespace

TestCase ReadTestCase(const YamlNode& node, Diagnostics* diagnostics) {
  TestCase test;
  test.place = node.place;
  if (node.kind != YamlKind::kMap) diagnostics->Error(node.place, "a test is a map `{argument: value}`");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& key = node.keys[i].text.text();
    if (ReadReserved(key, node.items[i], &test, diagnostics)) continue;
    if (!IsIdentifier(key)) {
      diagnostics->Error(node.keys[i].place, fmt::format("`{}` is not the name of an argument", key.substr(0, 80)));
    } else if (auto value = ReadValue(node.items[i], 0, diagnostics)) {
      test.args.emplace_back(key, std::move(*value));
    }
  }
  return test;
}

}  // namespace onnxport::codegen
