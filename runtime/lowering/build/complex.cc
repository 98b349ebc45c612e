#include "runtime/lowering/build/complex.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/sizes.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {
namespace {

using ir::Arg;
using ir::Attribute;
using ir::DType;
using ir::ValueId;

constexpr int64_t kParts = 2;

// A node on its way: the inputs are still complex.
struct ComplexNode {
  Emitter& emitter;
  const std::string& op;
  std::vector<Arg> inputs;
  std::vector<Attribute> attributes;
  size_t outputs;

  // ---- of the inputs

  bool IsComplex(size_t i) const {
    return i < inputs.size() && inputs[i].value() && ir::IsComplex(emitter.value(*inputs[i].value()).dtype);
  }
  ValueId Parts(size_t i) const { return emitter.PartsOf(*inputs[i].value()); }
  int64_t Rank() const {
    const auto& dims = emitter.value(*inputs[0].value()).dims;
    if (!dims) throw Refusal(fmt::format("the rank of a complex tensor is not known, where ONNX {} needs it", op));
    return static_cast<int64_t>(dims->size());
  }
  std::vector<int64_t> Numbers(size_t i) const {
    const auto& contents = emitter.value(*inputs[i].value()).contents;
    const bool known = contents && std::ranges::all_of(*contents, [](const ir::Dim& d) { return d.is_number(); });
    if (!known) throw Refusal(fmt::format("ONNX {} of a complex tensor with axes that only a run knows", op));
    std::vector<int64_t> numbers;
    for (const ir::Dim& number : *contents) numbers.push_back(number.number());
    return numbers;
  }
  bool Has(size_t i) const { return i < inputs.size() && inputs[i].value(); }
  Attribute* Find(std::string_view name) {
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    return found == attributes.end() ? nullptr : &*found;
  }

  // ---- changes

  // Counted from the front, as the parts have one axis more at the end.
  void CountAxis() {
    Attribute* axis = Find("axis");
    if (!axis) return;
    auto& number = std::get<int64_t>(axis->value.v);
    if (number < 0) number += Rank();
  }
  void CountAxes(size_t i, int64_t rank) {
    if (!Has(i)) return;
    std::vector<int64_t> axes = Numbers(i);
    for (int64_t& axis : axes) axis += axis < 0 ? rank : 0;
    inputs[i] = {Ints(axes)};
  }
  // One number more at the end of a shape.
  void Extend(size_t i, int64_t number) {
    inputs[i] = {emitter.Add("Concat", {inputs[i], {Ints({number})}}, {{"axis", {int64_t{0}}}})};
  }
  ValueId Ints(const std::vector<int64_t>& numbers) const {
    return emitter.Constant(Val(Vals(numbers.begin(), numbers.end())), DType::kInt64);
  }

  // ---- the node

  // The same node on the parts; its results are parts.
  std::vector<ValueId> OnParts() {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (IsComplex(i)) inputs[i] = {Parts(i)};
    }
    std::vector<ValueId> results = emitter.AddNode(emitter.Op(op), std::move(inputs), std::move(attributes), outputs);
    for (ValueId& result : results) {
      StateParts(result);
      result = emitter.AsComplex(result);
    }
    return results;
  }

  // The last axis stays, whatever becomes of the others: ONNX's inference gives up all sizes of a Slice at once.
  void StateParts(ValueId parts) const {
    const auto& dims = emitter.value(parts).dims;
    if (!dims || dims->empty()) return;
    ir::Value stated;
    stated.dims = ir::Dims(dims->size());
    stated.dims->back() = ir::Dim(kParts);
    emitter.Refine(parts, stated);
  }

  ValueId Part(size_t i, int64_t part) const {
    return emitter.Add("Gather", {{Parts(i)}, {emitter.Constant(Val(part), DType::kInt64)}}, {{"axis", {int64_t{-1}}}});
  }
  ValueId Add(std::string_view name, ValueId a, ValueId b) const { return emitter.Add(name, {{a}, {b}}); }
  std::vector<ValueId> Join(ValueId real, ValueId imaginary) const {
    const ValueId last = Ints({-1});
    const ValueId a = Add("Unsqueeze", real, last);
    const ValueId b = Add("Unsqueeze", imaginary, last);
    return {emitter.AsComplex(emitter.Add("Concat", {{a}, {b}}, {{"axis", {int64_t{-1}}}}))};
  }
};

using Rule = std::vector<ValueId> (*)(ComplexNode&);

std::vector<ValueId> Same(ComplexNode& node) { return node.OnParts(); }

std::vector<ValueId> ToShape(ComplexNode& node) {
  node.Extend(1, node.op == "Tile" ? 1 : kParts);
  return node.OnParts();
}

std::vector<ValueId> Permute(ComplexNode& node) {
  ir::ArgList order;
  if (const Attribute* perm = node.Find("perm")) {
    order = *perm->value.list();
  } else {
    for (int64_t axis = node.Rank() - 1; axis >= 0; --axis) order.push_back({axis});
  }
  order.push_back({node.Rank()});
  node.attributes = {{"perm", {std::move(order)}}};
  return node.OnParts();
}

std::vector<ValueId> AlongAxis(ComplexNode& node) {
  node.CountAxis();
  return node.OnParts();
}

std::vector<ValueId> WithoutAxes(ComplexNode& node) {
  node.CountAxes(1, node.Rank());
  return node.OnParts();
}

std::vector<ValueId> SumOver(ComplexNode& node) {
  if (node.Has(1)) return WithoutAxes(node);
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < node.Rank(); ++axis) axes.push_back(axis);
  if (axes.empty()) throw Refusal("the sum of a complex number");
  node.inputs.resize(2);
  node.inputs[1] = {node.Ints(axes)};
  return node.OnParts();
}

std::vector<ValueId> WithNewAxes(ComplexNode& node) {
  node.CountAxes(1, node.Rank() + static_cast<int64_t>(node.Numbers(1).size()));
  return node.OnParts();
}

std::vector<ValueId> Cut(ComplexNode& node) {
  node.CountAxes(3, node.Rank());
  return node.OnParts();
}

std::vector<ValueId> Choose(ComplexNode& node) {
  node.inputs[0] = {node.Add("Unsqueeze", *node.inputs[0].value(), node.Ints({-1}))};
  return node.OnParts();
}

std::vector<ValueId> Shape(ComplexNode& node) {
  const auto bound = [&](std::string_view name, int64_t missing) {
    const Attribute* attribute = node.Find(name);
    const int64_t number = attribute ? std::get<int64_t>(attribute->value.v) : missing;
    return std::clamp(number < 0 ? number + node.Rank() : number, int64_t{0}, node.Rank());
  };
  const int64_t start = bound("start", 0);
  const int64_t end = bound("end", node.Rank());
  if (node.emitter.opset() >= kShapeSliceOpset) {
    return {node.emitter.Add("Shape", {{node.Parts(0)}}, {{"end", {end}}, {"start", {start}}})};
  }
  const ValueId shape = node.emitter.Add("Shape", {{node.Parts(0)}});
  return {node.emitter.Add("Slice", {{shape}, {node.Ints({start})}, {node.Ints({end})}})};
}

std::vector<ValueId> Multiply(ComplexNode& node) {
  const std::string op = node.op;  // Mul or MatMul
  const auto product = [&](int64_t a, int64_t b) { return node.Add(op, node.Part(0, a), node.Part(1, b)); };
  return node.Join(node.Add("Sub", product(0, 0), product(1, 1)), node.Add("Add", product(0, 1), product(1, 0)));
}

// (a + bi) / (c + di) after R. L. Smith 1962, Algorithm 116: Complex division: no squares, which leave the range. With
// r = d / c, where c is the larger part, the real part is (a + b r) / (c + d r), the other (b - a r) / (c + d r); where
// d is, r = c / d, and a and b change places, and the sign of the second. Of a divisor 0 the parts are a / 0 and b / 0.
std::vector<ValueId> Divide(ComplexNode& node) {
  const auto where = [&](ValueId x, ValueId y, ValueId z) { return node.emitter.Add("Where", {{x}, {y}, {z}}); };
  const ValueId a = node.Part(0, 0);
  const ValueId b = node.Part(0, 1);
  const ValueId c = node.Part(1, 0);
  const ValueId d = node.Part(1, 1);
  const auto number = [&](double x) { return node.emitter.Constant(Val(x), node.emitter.value(c).dtype); };
  const ValueId size_c = node.emitter.Add("Abs", {{c}});
  const ValueId size_d = node.emitter.Add("Abs", {{d}});
  const ValueId real_is_larger = node.Add("GreaterOrEqual", size_c, size_d);
  const ValueId larger = where(real_is_larger, c, d);
  const ValueId smaller = where(real_is_larger, d, c);
  const ValueId zero = node.Add("Equal", node.Add("Add", size_c, size_d), number(0));
  const ValueId ratio = node.Add("Div", smaller, where(zero, number(1), larger));
  const ValueId divisor = where(zero, number(0), node.Add("Add", larger, node.Add("Mul", smaller, ratio)));
  const ValueId with = where(real_is_larger, a, b);
  const ValueId across = where(real_is_larger, b, a);
  const ValueId real = where(zero, a, node.Add("Add", with, node.Add("Mul", across, ratio)));
  const ValueId turned = node.Add("Sub", across, node.Add("Mul", with, ratio));
  const ValueId imaginary = where(zero, b, where(real_is_larger, turned, node.emitter.Add("Neg", {{turned}})));
  return node.Join(node.Add("Div", real, divisor), node.Add("Div", imaginary, divisor));
}

// Over the larger part, as squares leave the range; infinity wins over NaN.
std::vector<ValueId> Magnitude(ComplexNode& node) {
  const ValueId a = node.emitter.Add("Abs", {{node.Part(0, 0)}});
  const ValueId b = node.emitter.Add("Abs", {{node.Part(0, 1)}});
  const auto number = [&](double x) { return node.emitter.Constant(Val(x), node.emitter.value(a).dtype); };
  const auto where = [&](ValueId c, ValueId x, ValueId y) { return node.emitter.Add("Where", {{c}, {x}, {y}}); };
  const ValueId less = node.Add("Less", a, b);
  const ValueId larger = where(less, b, a);
  const ValueId divisor = where(node.Add("Greater", larger, number(0)), larger, number(1));
  const ValueId ratio = node.Add("Div", where(less, a, b), divisor);
  const ValueId root = node.emitter.Add("Sqrt", {{node.Add("Add", node.Add("Mul", ratio, ratio), number(1))}});
  const ValueId infinity = number(std::numeric_limits<double>::infinity());
  const ValueId infinite = node.Add("Or", node.Add("Equal", a, infinity), node.Add("Equal", b, infinity));
  return {where(infinite, infinity, node.Add("Mul", larger, root))};
}

std::vector<ValueId> Exponential(ComplexNode& node) {
  const ValueId size = node.emitter.Add("Exp", {{node.Part(0, 0)}});
  const ValueId angle = node.Part(0, 1);
  return node.Join(node.Add("Mul", size, node.emitter.Add("Cos", {{angle}})),
                   node.Add("Mul", size, node.emitter.Add("Sin", {{angle}})));
}

const std::unordered_map<std::string_view, Rule>& Rules() {
  static const std::unordered_map<std::string_view, Rule> kRules = {
      {"Identity", Same},     {"Add", Same},
      {"Sub", Same},          {"Neg", Same},
      {"Reshape", ToShape},   {"Expand", ToShape},
      {"Tile", ToShape},      {"Transpose", Permute},
      {"Concat", AlongAxis},  {"Split", AlongAxis},
      {"Gather", AlongAxis},  {"Squeeze", WithoutAxes},
      {"ReduceSum", SumOver}, {"Unsqueeze", WithNewAxes},
      {"Slice", Cut},         {"Where", Choose},
      {"Shape", Shape},       {"Mul", Multiply},
      {"MatMul", Multiply},   {"Div", Divide},
      {"Abs", Magnitude},     {"Exp", Exponential},
      {"GatherND", Same},     {"ScatterND", Same},
  };
  return kRules;
}

}  // namespace

DType PartDType(DType complex) {
  if (complex == DType::kComplex64) return DType::kFloat32;
  return complex == DType::kComplex128 ? DType::kFloat64 : DType::kUndefined;
}

DType ComplexDType(DType part) {
  if (part == DType::kFloat32) return DType::kComplex64;
  return part == DType::kFloat64 ? DType::kComplex128 : DType::kUndefined;
}

ValueId CastToComplex(Emitter* emitter, ValueId id, DType complex) {
  const DType part = PartDType(complex);
  if (ir::IsComplex(emitter->value(id).dtype)) return emitter->AsComplex(emitter->Cast(emitter->PartsOf(id), part));
  const auto& dims = emitter->value(id).dims;
  if (!dims) throw Refusal("a tensor of unknown rank cannot become complex");
  std::vector<int64_t> pads((dims->size() + 1) * 2, 0);
  pads.back() = 1;
  const auto ints = [&](const std::vector<int64_t>& n) {
    return emitter->Constant(Val(Vals(n.begin(), n.end())), DType::kInt64);
  };
  const ValueId real = emitter->Add("Unsqueeze", {{emitter->Cast(id, part)}, {ints({-1})}});
  return emitter->AsComplex(emitter->Add("Pad", {{real}, {ints(pads)}}));
}

std::vector<ValueId> AddComplexNode(Emitter* emitter, const std::string& op, std::vector<Arg> inputs,
                                    std::vector<Attribute> attributes, size_t outputs) {
  const auto rule = Rules().find(op);
  if (rule == Rules().end()) throw Refusal(fmt::format("ONNX {} has no form for complex numbers here", op));
  ComplexNode node{*emitter, op, std::move(inputs), std::move(attributes), outputs};
  return rule->second(node);
}

}  // namespace onnxport::lowering
