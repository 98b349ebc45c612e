#include "codegen/load/test_case.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "fmt/format.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

constexpr int64_t kMostElements = 1 << 22;
constexpr int kNewestOpset = 99;  // the generator knows the real range
constexpr int kDeepestList = 4;

// Reads a tensor's text from front to end.
class TensorText {
 public:
  TensorText(const PlacedText& text, Diagnostics* diagnostics) : text_(text), diagnostics_(diagnostics) {}

  std::optional<TestValue> Read() {
    TestValue value;
    value.kind = TestValue::Kind::kTensor;
    value.place = text_.At(0);
    if (!ReadDType(&value) || !ReadShape(&value) || !ReadValues(&value)) return std::nullopt;
    return value;
  }

 private:
  std::string_view rest() const { return std::string_view(text_.text()).substr(position_); }
  bool Accept(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    position_ += word.size();
    return true;
  }
  void SkipSpace() {
    while (rest().starts_with(' ')) ++position_;
  }
  bool Fail(std::string message) {
    diagnostics_->Error(text_.At(position_), std::move(message));
    return false;
  }

  bool ReadDType(TestValue* value) {
    const std::string word(rest().substr(0, rest().find('[')));
    const auto dtype = ir::ParseDType(word);
    if (!dtype || ir::ShortName(*dtype) != word) {
      return Fail(
          fmt::format("no dtype `{}`; write f32, f16, bf16, f64, i64, i32, i16, i8, u8 or bool", word.substr(0, 40)));
    }
    value->dtype = word;
    position_ += word.size();
    return true;
  }

  bool ReadShape(TestValue* value) {
    Accept("[");
    int64_t elements = 1;
    for (SkipSpace(); !Accept("]"); SkipSpace()) {
      if (!value->shape.empty() && !Accept(",")) return Fail("expected `,` or `]` in the shape");
      SkipSpace();
      int64_t size = 0;
      const auto [end, code] = std::from_chars(rest().data(), rest().data() + rest().size(), size);
      if (code != std::errc() || size < 0) return Fail("expected a size: a shape is `[2,3]`");
      elements *= std::min(size, kMostElements + 1);
      if (elements > kMostElements) return Fail(fmt::format("more than {} elements", kMostElements));
      position_ += end - rest().data();
      value->shape.push_back(size);
      if (value->shape.size() > 8) return Fail("more than 8 dimensions");
    }
    return true;
  }

  bool ReadValues(TestValue* value) {
    SkipSpace();
    if (rest().empty()) return true;
    if (Accept("in ")) return ReadBounds(value);
    if (Accept("of ")) return ReadContents(value);
    return Fail("expected the end, bounds (`f32[2,3] in -1..1`) or contents (`f32[2] of [0.5, nan]`)");
  }

  bool ReadBounds(TestValue* value) {
    SkipSpace();
    const auto low = ReadNumber();
    if (!low || !Accept("..")) return Fail("expected bounds: `in -1..1`");
    const auto high = ReadNumber();
    if (!high || !rest().empty()) return Fail("expected bounds: `in -1..1`");
    value->in = {*low, *high};
    return true;
  }

  bool ReadContents(TestValue* value) {
    const ExprPtr list = ParseExpression(text_.Part(position_, text_.text().size()), diagnostics_);
    if (list == nullptr) return false;
    const auto elements = std::accumulate(value->shape.begin(), value->shape.end(), int64_t{1}, std::multiplies<>());
    if (list->kind != ExprKind::kList || std::cmp_not_equal(list->operands.size(), elements))
      return Fail(fmt::format("expected a list of {} values, one for each element", elements));
    for (const ExprPtr& item : list->operands)
      if (!FitsDType(item->kind, value->dtype))
        return Fail(fmt::format("not all of these are values of {}", value->dtype));
    value->contents = list->operands;
    return true;
  }

  static bool FitsDType(ExprKind kind, const std::string& dtype) {
    if (dtype == "bool") return kind == ExprKind::kBool;
    const ir::DType type = *ir::ParseDType(dtype);
    return !ir::IsComplex(type) && (kind == ExprKind::kInt || (ir::IsFloat(type) && kind == ExprKind::kFloat));
  }

  // A number ends before `..`.
  std::optional<double> ReadNumber() {
    const size_t dots = rest().find("..");
    const std::string_view word = rest().substr(0, dots);
    double number = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || code != std::errc() || end != word.data() + word.size() || !std::isfinite(number))
      return std::nullopt;
    position_ += word.size();
    return number;
  }

  const PlacedText& text_;
  Diagnostics* diagnostics_;
  size_t position_ = 0;
};

bool LooksLikeTensor(const std::string& text) {
  return IsIdentifier(text.substr(0, text.find('['))) && text.find('[') != std::string::npos;
}

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
  if (LooksLikeTensor(text)) return TensorText(node.text, diagnostics).Read();
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
    if (text != nullptr) test->overload = text->text();
  } else if (key == "compare") {
    ReadCompare(node, test, diagnostics);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<TestValue> ReadTestValue(const YamlNode& node, Diagnostics* diagnostics) {
  return ReadValue(node, 0, diagnostics);
}

TestCase ReadTestCase(const YamlNode& node, Diagnostics* diagnostics) {
  TestCase test;
  test.place = node.place;
  if (node.kind != YamlKind::kMap) diagnostics->Error(node.place, "a test is a map `{argument: value}`");
  for (size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& key = node.keys[i].text.text();
    if (ReadReserved(key, node.items[i], &test, diagnostics)) continue;
    if (!IsIdentifier(key)) {
      diagnostics->Error(node.keys[i].place, fmt::format("`{}` is not the name of an argument", key.substr(0, 80)));
    } else if (auto value = ReadTestValue(node.items[i], diagnostics)) {
      test.args.emplace_back(key, std::move(*value));
    }
  }
  return test;
}

}  // namespace onnxport::codegen
