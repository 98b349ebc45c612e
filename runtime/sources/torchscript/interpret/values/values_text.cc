// Prints values as texts, as a program does, and names their kinds in messages.
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/ir/scalar_type.h"
#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxTextDepth = 64;  // of containers in containers
constexpr size_t kMostText = 1 << 20;

// Prints a double as LibTorch does: 17 digits, and `1.` for an integral number.
std::string DoubleText(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.17g", value);
  const bool is_integral = std::isfinite(value) && std::string_view(text).find_first_of(".e") == std::string_view::npos;
  return std::string(text) + (is_integral ? "." : "");
}

std::string NameOf(const EnumValue& member) {
  if (member.type == nullptr) return member.name;
  const std::string& type = member.type->qualified_name;
  return type.substr(type.rfind('.') + 1) + "." + member.name;
}

class Writer {
 public:
  void Add(const Value& value, int depth) {
    if (text_.size() > kMostText) return;
    if (depth > kMaxTextDepth)
      text_ += "...";
    else if (const auto* tuple = value.As<TuplePtr>())
      AddTuple(**tuple, depth + 1);
    else if (const auto* cell = value.As<CellPtr>())
      AddCell(**cell, depth + 1);
    else
      text_ += Plainly(value);
  }
  // A text that was cut off must not decide anything.
  std::string Take() { return text_.size() > kMostText ? text_ + std::string(kRunTimeText) : std::move(text_); }

 private:
  void AddItems(const ValueList& items, int depth) {
    for (size_t i = 0; i < items.size() && text_.size() <= kMostText; ++i) {
      if (i > 0) text_ += ", ";
      Add(items[i], depth);
    }
  }
  void AddTuple(const TupleValue& tuple, int depth) {
    text_ += '(';
    AddItems(tuple.items, depth);
    text_ += tuple.items.size() == 1 ? ",)" : ")";
  }
  void AddCell(const Cell& cell, int depth) {
    if (cell.kind == Cell::Kind::kObject) {
      text_ += "<" + cell.type_name + " object>";
    } else if (cell.is_dynamic()) {
      text_ += kRunTimeText;
    } else if (cell.kind == Cell::Kind::kList) {
      text_ += '[';
      AddItems(cell.items, depth);
      text_ += ']';
    } else {
      AddDict(cell, depth);
    }
  }
  void AddDict(const Cell& dict, int depth) {
    text_ += '{';
    for (size_t i = 0; i < dict.items.size() && text_.size() <= kMostText; ++i) {
      if (i > 0) text_ += ", ";
      Add(dict.keys[i], depth);
      text_ += ": ";
      Add(dict.items[i], depth);
    }
    text_ += '}';
  }
  static std::string Plainly(const Value& value) {
    if (value.is_none()) return "None";
    if (const auto* b = value.As<bool>()) return *b ? "True" : "False";
    if (const auto* i = value.As<int64_t>()) return std::to_string(*i);
    if (const auto* d = value.As<double>()) return DoubleText(*d);
    if (const auto* s = value.As<std::string>()) return *s;
    if (const auto* t = value.As<ir::DType>()) return std::to_string(ir::ScalarTypeOf(*t));
    if (const auto* w = value.As<ir::Word>()) return w->text;
    if (const auto* c = value.As<Complex>()) return "(" + DoubleText(c->real) + "+" + DoubleText(c->imaginary) + "j)";
    if (const auto* e = value.As<EnumValue>()) return NameOf(*e);
    return std::string(kRunTimeText);
  }

  std::string text_;
};

// Names the kind of a value. A new kind does not compile until it has a name here.
class Kinds {
 public:
  explicit Kinds(const trace::Tracer& tracer, int depth = 0) : tracer_(tracer), depth_(depth) {}

  std::string Of(const Value& value) const {
    constexpr int kMostLevels = 6;
    return depth_ > kMostLevels ? "..." : std::visit(*this, value.v);
  }

  std::string operator()(const None&) const { return "None"; }
  std::string operator()(bool) const { return "bool"; }
  std::string operator()(int64_t) const { return "int"; }
  std::string operator()(double) const { return "float"; }
  std::string operator()(const Text&) const { return "str"; }
  std::string operator()(const ir::DType&) const { return "int"; }  // as in the code
  std::string operator()(const ir::Word&) const { return "Device"; }
  std::string operator()(const Tensor&) const { return "Tensor"; }
  std::string operator()(const Number& number) const {
    const ir::ValueKind kind = tracer_.TypeOf(number.id).kind;
    return kind == ir::ValueKind::kFloat  ? "float (known only at run time)"
           : kind == ir::ValueKind::kBool ? "bool (known only at run time)"
                                          : "int (known only at run time)";
  }
  std::string operator()(const Complex&) const { return "complex"; }
  std::string operator()(const CellPtr& cell) const {
    if (cell->kind == Cell::Kind::kObject) return cell->type_name;
    if (cell->kind == Cell::Kind::kDict) return "Dict";
    const std::string length = cell->is_dynamic() ? " (of a length known only at run time)" : "";
    if (!cell->element.name.empty()) return "List[" + ToString(cell->element) + "]" + length;
    return cell->items.empty() ? "List" + length : "List[" + Inner(cell->items[0]) + "]";
  }
  std::string operator()(const TuplePtr& tuple) const {
    std::string text;
    for (const Value& item : tuple->items) text += (text.empty() ? "" : ", ") + Inner(item);
    return "Tuple[" + text + "]";
  }
  std::string operator()(const EnumValue&) const { return "enum"; }
  std::string operator()(const FunctionValue&) const { return "function"; }
  std::string operator()(const Missing&) const { return "a missing value"; }

 private:
  std::string Inner(const Value& value) const { return Kinds(tracer_, depth_ + 1).Of(value); }

  const trace::Tracer& tracer_;
  int depth_;
};

}  // namespace

std::string KindName(const Value& value, const trace::Tracer& tracer) { return Kinds(tracer).Of(value); }

std::string Str(const Value& value) {
  Writer writer;
  writer.Add(value, 0);
  return writer.Take();
}

bool IsOpen(std::string_view text) { return text.find(kRunTimeText) != std::string_view::npos; }

}  // namespace onnxport::torchscript
