#include "codegen/load/test_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "fmt/format.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {
namespace {

constexpr int64_t kMostElements = 1 << 22;
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
      // Bounded before it is multiplied, so that no product overflows.
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
    if (Accept("from ")) return ReadSteps(value);
    if (Accept("of ")) return ReadContents(value);
    return Fail(
        "expected the end, bounds (`f32[2,3] in -1..1`), steps (`f32[4] from -1 to 1`) or contents (`f32[2] of [0.5, "
        "nan]`)");
  }

  bool ReadBounds(TestValue* value) {
    SkipSpace();
    const auto low = ReadNumber("..");
    if (!low || !Accept("..")) return Fail("expected bounds: `in -1..1`");
    const auto high = ReadNumber("..");
    if (!high || !rest().empty()) return Fail("expected bounds: `in -1..1`");
    if (*low > *high) return Fail(fmt::format("bounds do not fall; for values that do: `from {} to {}`", *low, *high));
    value->in = {*low, *high};
    return true;
  }

  bool ReadSteps(TestValue* value) {
    SkipSpace();
    const auto first = ReadNumber(" ");
    SkipSpace();
    if (!first || !Accept("to ")) return Fail("expected where values begin and end: `from -1 to 1`");
    SkipSpace();
    const auto last = ReadNumber(" ");
    if (!last || !rest().empty()) return Fail("expected where values begin and end: `from -1 to 1`");
    value->in = {*first, *last};
    value->evenly = true;
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

  // A number that ends before `end`: of `1..2`, from_chars alone would read "1.".
  std::optional<double> ReadNumber(std::string_view end_of_number) {
    const std::string_view word = rest().substr(0, rest().find(end_of_number));
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

// `f32[2]` and not `[2]`; whether the word before the bracket is a dtype is asked afterwards, so that `f33[2]` gets a
// message about dtypes.
bool LooksLikeTensor(const std::string& text) {
  return IsIdentifier(text.substr(0, text.find('['))) && text.find('[') != std::string::npos;
}

std::optional<TestValue> ReadValue(const PlacedText& text, int depth, Diagnostics* diagnostics);

std::optional<TestValue> ReadList(const PlacedText& text, int depth, Diagnostics* diagnostics) {
  if (depth > kDeepestList || text.text().back() != ']') {
    diagnostics->Error(text.At(0), depth > kDeepestList ? "a list nested too deep" : "the list has no closing `]`");
    return std::nullopt;
  }
  TestValue list;
  list.kind = TestValue::Kind::kList;
  list.place = text.At(0);
  const PlacedText inner = text.Part(1, text.text().size() - 1).Trimmed();
  if (inner.text().empty()) return list;
  for (const PlacedText& item : SplitArguments(inner)) {
    auto value = ReadValue(item, depth + 1, diagnostics);
    if (!value) return std::nullopt;
    list.items.push_back(std::move(*value));
  }
  return list;
}

std::optional<TestValue> ReadValue(const PlacedText& text, int depth, Diagnostics* diagnostics) {
  if (text.text().starts_with('[')) return ReadList(text, depth, diagnostics);
  if (LooksLikeTensor(text.text())) return TensorText(text, diagnostics).Read();
  ExprPtr expr = ParseExpression(text, diagnostics);
  if (expr == nullptr) return std::nullopt;
  if (!IsConstant(*expr)) {
    diagnostics->Error(expr->place, "a test value is a tensor (`f32[2,3]`), a constant, or a list of them");
    return std::nullopt;
  }
  TestValue value;
  value.place = expr->place;
  value.constant = std::move(expr);
  return value;
}

}  // namespace

std::vector<PlacedText> SplitArguments(const PlacedText& text) {
  std::vector<PlacedText> parts;
  const std::string& all = text.text();
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const char c = all[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.Part(begin, i).Trimmed());
      begin = i + 1;
    }
  }
  parts.push_back(text.Part(begin, all.size()).Trimmed());
  return parts;
}

std::optional<TestValue> ReadTestValue(const PlacedText& text, Diagnostics* diagnostics) {
  return ReadValue(text, 0, diagnostics);
}

}  // namespace onnxport::codegen
