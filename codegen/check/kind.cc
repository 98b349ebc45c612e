#include "codegen/check/kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace onnxport::codegen {
namespace {

// In the order in which messages name them; None last: "a tensor or None".
constexpr std::pair<uint16_t, std::string_view> kNames[] = {
    {Kind::kTensor, "tensor"}, {Kind::kInt, "int"},   {Kind::kSize, "size"},
    {Kind::kFloat, "float"},   {Kind::kBool, "bool"}, {Kind::kText, "string"},
    {Kind::kDType, "dtype"},   {Kind::kList, "list"}, {Kind::kOther, "value that specs cannot use"},
    {Kind::kNone, "None"}};

// Ints, floats and bools together are numbers, and a size is an int.
std::vector<std::string_view> WordsOf(uint16_t bits) {
  std::vector<std::string_view> words;
  const bool number = (bits & Kind::kHostNumber) == Kind::kHostNumber;
  for (const auto& [bit, name] : kNames) {
    if ((bits & bit) == 0 || (bit == Kind::kSize && (bits & Kind::kInt))) continue;
    if (!number || (bit & Kind::kHostNumber) == 0) words.push_back(name);
    if (number && bit == Kind::kInt) words.push_back("number");
  }
  return words;
}

std::shared_ptr<const Kind> JoinElements(const Kind& a, const Kind& b) {
  // A kind that is no list says nothing about elements. If one of two lists has unknown elements, the joined list has,
  // too.
  if (!a.May(Kind::kList)) return b.element;
  if (!b.May(Kind::kList)) return a.element;
  if (!a.element || !b.element) return nullptr;
  return std::make_shared<const Kind>(Join(*a.element, *b.element));
}

uint16_t BitOf(ir::AtenKind kind) {
  switch (kind) {
    case ir::AtenKind::kTensor:
      return Kind::kTensor;
    case ir::AtenKind::kInt:
      return Kind::kInt;
    // A number where it is known, else computed by nodes.
    case ir::AtenKind::kSymInt:
      return Kind::kInt | Kind::kSize;
    case ir::AtenKind::kFloat:
      return Kind::kFloat;
    case ir::AtenKind::kBool:
      return Kind::kBool;
    case ir::AtenKind::kScalar:
      return Kind::kNumber;
    case ir::AtenKind::kScalarType:
      return Kind::kDType;
    case ir::AtenKind::kString:
    case ir::AtenKind::kDevice:
    case ir::AtenKind::kLayout:
    case ir::AtenKind::kMemoryFormat:
      return Kind::kText;
    case ir::AtenKind::kGenerator:
    case ir::AtenKind::kOther:
      return Kind::kOther;
  }
  return Kind::kOther;
}

}  // namespace

Kind Kind::Without(uint16_t which) const {
  Kind kind = *this;
  kind.bits &= static_cast<uint16_t>(~which);
  return kind;
}

Kind Kind::Element() const {
  if (element) return *element;
  if (items.empty()) return AnyKind();
  Kind joined = items[0];
  for (const Kind& item : items) joined = Join(joined, item);
  return joined;
}

Kind Of(uint16_t bits) { return {.bits = bits, .dtypes = {}, .element = nullptr, .items = {}}; }

// The result of a mistake can be anything, so the mistake is reported once and not at each use.
Kind AnyKind() {
  Kind kind = Of(Kind::kAnything);
  kind.dtypes = kTensorTypes | kComplexTypes;
  return kind;
}

Kind TensorKind(ir::DTypeSet dtypes) {
  Kind kind = Of(Kind::kTensor);
  kind.dtypes = dtypes;
  return kind;
}

Kind ListOf(Kind element) {
  Kind kind = Of(Kind::kList);
  kind.element = std::make_shared<const Kind>(std::move(element));
  return kind;
}

Kind ItemsOf(std::vector<Kind> items) {
  Kind kind = Of(Kind::kList);
  kind.items = std::move(items);
  kind.element = kind.items.empty() ? nullptr : std::make_shared<const Kind>(kind.Element());
  return kind;
}

Kind Join(const Kind& a, const Kind& b) {
  Kind kind = Of(a.bits | b.bits);
  kind.dtypes = a.dtypes | b.dtypes;
  kind.element = JoinElements(a, b);
  // Lists of one length are joined item by item; of two lengths only the common element is kept.
  if (a.items.size() == b.items.size())
    for (size_t i = 0; i < a.items.size(); ++i) kind.items.push_back(Join(a.items[i], b.items[i]));
  else if (!a.May(Kind::kList) || !b.May(Kind::kList))
    kind.items = a.items.empty() ? b.items : a.items;
  return kind;
}

bool Same(const Kind& a, const Kind& b) {
  const bool same_element = a.element && b.element ? Same(*a.element, *b.element) : !a.element && !b.element;
  return a.bits == b.bits && a.dtypes == b.dtypes && same_element && std::ranges::equal(a.items, b.items, Same);
}

Kind KindOfLiteral(const Expr& literal) {
  switch (literal.kind) {
    case ExprKind::kBool:
      return Of(Kind::kBool);
    case ExprKind::kInt:
      return Of(Kind::kInt);
    case ExprKind::kFloat:
      return Of(Kind::kFloat);
    case ExprKind::kString:
      return Of(Kind::kText);
    default:
      return Of(Kind::kNone);
  }
}

Kind KindOfArgument(const ir::AtenType& type) {
  Kind kind = Of(BitOf(type.kind));
  if (type.kind == ir::AtenKind::kTensor) kind.dtypes = kTensorTypes | kComplexTypes;
  if (type.list) {
    if (type.optional_elements) kind.bits |= Kind::kNone;
    kind = ListOf(kind);
  }
  if (type.optional) kind.bits |= Kind::kNone;
  return kind;
}

std::string ToText(const Kind& kind) {
  if (kind.bits == 0) return "nothing";
  if (kind.bits == Kind::kAnything) return "anything";
  std::vector<std::string> words;
  for (const std::string_view name : WordsOf(kind.bits)) {
    std::string word(name);
    if (name == "list" && kind.element && kind.element->bits != Kind::kAnything)
      word += fmt::format(" of {}", fmt::join(WordsOf(kind.element->bits), "/"));
    words.push_back(name == "None" ? word : (word[0] == 'i' ? "an " : "a ") + word);
  }
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

}  // namespace onnxport::codegen
