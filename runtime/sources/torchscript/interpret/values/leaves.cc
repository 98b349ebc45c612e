// Converts leaves between a value of the program that a graph can hold, and a value of the graph that the program can
// use. Joiner and PatternMaker take containers apart before.
#include "runtime/sources/torchscript/interpret/values/leaves.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "runtime/sources/torchscript/interpret/values/values.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxLeafDepth = 64;    // of tuples in tuples
constexpr int kMostLeaves = 10'000;  // leaves compared at most

bool SameAt(const Value& a, const Value& b, int depth, int* left);

struct SameHeld {
  int depth;
  int* left;

  bool operator()(const None&, const None&) const { return true; }
  bool operator()(bool a, bool b) const { return a == b; }
  bool operator()(int64_t a, int64_t b) const { return a == b; }
  // Bit by bit: NaN equals itself, and -0 differs from 0.
  bool operator()(double a, double b) const { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }
  bool operator()(const Text& a, const Text& b) const { return a == b; }
  bool operator()(const ir::DType& a, const ir::DType& b) const { return a == b; }
  bool operator()(const ir::Word& a, const ir::Word& b) const { return a == b; }
  bool operator()(const Tensor& a, const Tensor& b) const { return a.id == b.id; }
  bool operator()(const Number& a, const Number& b) const { return a.id == b.id; }
  bool operator()(const Complex& a, const Complex& b) const {
    return (*this)(a.real, b.real) && (*this)(a.imaginary, b.imaginary);
  }
  // Two lists with equal elements are still different: one may be appended to.
  bool operator()(const CellPtr& a, const CellPtr& b) const { return a == b; }
  bool operator()(const TuplePtr& a, const TuplePtr& b) const {
    if (a == b) return true;
    if (a->type != b->type || a->items.size() != b->items.size() || depth > kMaxLeafDepth) return false;
    for (size_t i = 0; i < a->items.size(); ++i) {
      // Tuples may share parts so often that a walk over all would not end. "Different" is the safe answer: it costs an
      // output of the If.
      if (--*left < 0 || !SameAt(a->items[i], b->items[i], depth + 1, left)) return false;
    }
    return true;
  }
  bool operator()(const EnumValue& a, const EnumValue& b) const { return a.type == b.type && a.name == b.name; }
  bool operator()(const FunctionValue& a, const FunctionValue& b) const {
    return a.function == b.function && a.closure == b.closure && a.captured == b.captured;
  }
  bool operator()(const Missing& a, const Missing& b) const {
    return a.reason.text == b.reason.text && a.reported == b.reported;
  }
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

bool SameAt(const Value& a, const Value& b, int depth, int* left) {
  return std::visit(SameHeld{depth, left}, a.v, b.v);
}

}  // namespace

bool Same(const Value& a, const Value& b) {
  int left = kMostLeaves;
  return SameAt(a, b, 0, &left);
}

bool SameKeys(const Cell& a, const Cell& b) { return std::ranges::equal(a.keys, b.keys, Same); }

const Value& IsPresent(const Cell& dict, size_t at) {
  static const Value kAlways = {true};
  return dict.present.empty() ? kAlways : dict.present[at];
}

std::optional<size_t> PlaceOf(const Value& key, const Cell& dict) {
  for (size_t at = 0; at < dict.keys.size(); ++at) {
    const std::optional<bool> equal = Equal(dict.keys[at], key);
    if (!equal) return std::nullopt;
    if (*equal) return at;
  }
  return dict.keys.size();
}

bool IsLeaf(const Value& value) {
  const auto* missing = value.As<Missing>();
  return IsKnown(value) || value.As<Tensor>() || value.As<Number>() || (missing && missing->unset);
}

ir::Arg LeafArg(const Value& value) {
  if (const auto* boolean = value.As<bool>()) return {*boolean};
  if (const auto* number = value.As<int64_t>()) return {*number};
  if (const auto* number = value.As<double>()) return {*number};
  if (const auto* tensor = value.As<Tensor>()) return {tensor->id};
  if (const auto* number = value.As<Number>()) return {number->id};
  return {ir::None{}};
}

Value LeafValue(const ir::Arg& arg, const trace::Tracer& tracer) {
  if (const auto* id = arg.value()) {
    const ir::ValueKind kind = tracer.TypeOf(*id).kind;
    if (kind == ir::ValueKind::kTensor) return {Tensor{*id}};
    return {Number{*id}};
  }
  if (const auto* boolean = std::get_if<bool>(&arg.v)) return {*boolean};
  if (const auto* number = std::get_if<int64_t>(&arg.v)) return {*number};
  if (const auto* number = std::get_if<double>(&arg.v)) return {*number};
  return {None{}};
}

Value LeafValues(const std::vector<ir::Arg>& results, const trace::Tracer& tracer) {
  if (results.empty()) return {None{}};
  if (results.size() == 1) return LeafValue(results[0], tracer);
  ValueList items;
  for (const ir::Arg& result : results) items.push_back(LeafValue(result, tracer));
  return TupleOf(std::move(items));
}

std::optional<ir::Value> LeafType(const Value& value, const trace::Tracer& tracer) {
  const auto constant = [](ir::ValueKind kind, ir::DType dtype) {
    ir::Value type;
    type.kind = kind;
    type.dtype = dtype;
    type.dims = ir::Dims{};
    return type;
  };
  if (value.As<bool>()) return constant(ir::ValueKind::kBool, ir::DType::kBool);
  if (value.As<int64_t>()) return constant(ir::ValueKind::kInt, ir::DType::kInt64);
  if (value.As<double>()) return constant(ir::ValueKind::kFloat, ir::DType::kFloat64);
  const ir::Arg arg = LeafArg(value);
  if (!arg.value()) return std::nullopt;
  ir::Value type = tracer.TypeOf(*arg.value());
  type.name.clear();
  // Contents, strides and name belong to this value, not to its type.
  type.contents.reset();
  type.strides.reset();
  return type;
}

std::string KindOf(const Value& value) {
  struct Names {
    std::string operator()(const None&) const { return "None"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(int64_t) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const Text&) const { return "str"; }
    std::string operator()(const ir::DType&) const { return "dtype"; }
    std::string operator()(const ir::Word&) const { return "device or layout"; }
    std::string operator()(const Tensor&) const { return "Tensor"; }
    std::string operator()(const Number&) const { return "a number given at run time"; }
    std::string operator()(const Complex&) const { return "complex"; }
    std::string operator()(const CellPtr& cell) const {
      if (cell->kind == Cell::Kind::kObject) return cell->type_name;
      const char* name = cell->kind == Cell::Kind::kList ? "list" : "dict";
      return cell->is_dynamic() ? "list of a length given at run time"
                                : fmt::format("{} of {}", name, cell->items.size());
    }
    std::string operator()(const TuplePtr& tuple) const { return fmt::format("tuple of {}", tuple->items.size()); }
    std::string operator()(const EnumValue& value) const { return value.name; }
    std::string operator()(const FunctionValue&) const { return "function"; }
    std::string operator()(const Missing&) const { return "nothing"; }
  };
  return std::visit(Names{}, value.v);
}

}  // namespace onnxport::torchscript
