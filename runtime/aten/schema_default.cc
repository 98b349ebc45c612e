#include "runtime/aten/schema_default.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace onnxport::ir {
namespace {

struct DTypeName {
  std::string_view name;  // PyTorch's word
  int number;             // c10::ScalarType; some defaults are printed as this number
  DType dtype;
};
constexpr DTypeName kDTypes[] = {{"uint8", 0, DType::kUInt8},
                                 {"int8", 1, DType::kInt8},
                                 {"short", 2, DType::kInt16},
                                 {"int", 3, DType::kInt32},
                                 {"long", 4, DType::kInt64},
                                 {"half", 5, DType::kFloat16},
                                 {"float", 6, DType::kFloat32},
                                 {"double", 7, DType::kFloat64},
                                 {"cfloat", 9, DType::kComplex64},
                                 {"cdouble", 10, DType::kComplex128},
                                 {"bool", 11, DType::kBool},
                                 {"bfloat16", 15, DType::kBFloat16},
                                 {"float8_e5m2", 23, DType::kFloat8E5M2},
                                 {"float8_e4m3fn", 24, DType::kFloat8E4M3FN}};

// The words for c10::MemoryFormat and c10::Layout, by number.
constexpr std::string_view kMemoryFormats[] = {"contiguous_format", "preserve_format", "channels_last",
                                               "channels_last_3d"};
constexpr std::string_view kLayouts[] = {"strided", "sparse_coo", "sparse_csr", "_mkldnn"};

// Reads a text in double quotes, with C's escapes.
std::string Text(SchemaText& text) {
  text.Expect("\"");
  std::string value;
  while (!text.Accept("\"")) {
    if (text.done()) text.Fail("a closing quote");
    const bool escaped = text.Accept("\\");
    static constexpr std::string_view kEscapes = "n\nt\tr\rv\vf\fb\ba\a";
    const size_t escape = escaped ? kEscapes.find(text.current()) : std::string_view::npos;
    value += escape == std::string_view::npos || escape % 2 == 1 ? text.current() : kEscapes[escape + 1];
    text.Skip(1);
  }
  return value;
}

// `dtype=4` is int64: LibTorch's registry prints some enumerations as their numbers.
Arg Numbered(AtenKind kind, int64_t value, const SchemaText& text) {
  if (kind == AtenKind::kScalarType) {
    for (const DTypeName& row : kDTypes) {
      if (row.number == value) return {row.dtype};
    }
    text.Fail("a ScalarType");
  }
  const auto index = static_cast<size_t>(value);
  if (kind == AtenKind::kMemoryFormat && index < std::size(kMemoryFormats)) {
    return {Word{std::string(kMemoryFormats[index])}};
  }
  if (kind == AtenKind::kLayout && index < std::size(kLayouts)) return {Word{std::string(kLayouts[index])}};
  return {value};
}

Arg Number(AtenKind kind, SchemaText& text) {
  const std::string_view word = text.rest().substr(0, text.rest().find_first_of(",)]"));
  if (word.find_first_of(".en") == std::string_view::npos) {
    const int64_t value = text.Integer();
    // `float eps=0` is 0.0: generated code and ONNX's attributes tell them apart.
    if (kind == AtenKind::kFloat) return {static_cast<double>(value)};
    return Numbered(kind, value, text);
  }
  double value = 0;
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || stop != word.data() + word.size()) text.Fail("a number");
  text.Skip(word.size());
  return {value};
}

Arg Scalar(AtenKind kind, SchemaText& text) {
  const char c = text.current();
  if (c == '"') return {Text(text)};
  if (text.Accept("True")) return {true};
  if (text.Accept("False")) return {false};
  const bool is_word_number = text.rest().starts_with("inf") || text.rest().starts_with("nan");
  if (c == '-' || c == '.' || (c >= '0' && c <= '9') || is_word_number) return Number(kind, text);
  const std::string_view word = text.Identifier();
  if (word.empty()) text.Fail("a default value");
  for (const DTypeName& row : kDTypes) {
    if (kind == AtenKind::kScalarType && row.name == word) return {row.dtype};
  }
  return {Word{std::string(word)}};
}

Arg List(AtenKind kind, SchemaText& text) {
  text.Expect("[");
  ArgList elements;
  while (!text.Accept("]")) {
    if (!elements.empty()) text.Expect(", ");
    elements.push_back(Scalar(kind, text));
  }
  return {std::move(elements)};
}

}  // namespace

Arg ParseDefault(const AtenType& type, SchemaText* text) {
  if (text->Accept("None")) return {None{}};
  if (!type.list) return Scalar(type.kind, *text);
  if (text->current() == '[') return List(type.kind, *text);
  const Arg element = Scalar(type.kind, *text);  // `int[2] stride=1`
  // One number stands for all elements. No schema has lists of more than a few, and a forged size must not fill the
  // memory.
  return {ArgList(std::clamp(type.list_size.value_or(1), 1, 16), element)};
}

}  // namespace onnxport::ir
