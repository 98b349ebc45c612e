#include <limits>

#include "runtime/lowering/build/complex_node.h"

namespace onnxport::lowering {

using ir::ValueId;

std::vector<ValueId> Multiply(ComplexNode& node) {
  const std::string op = node.op;  // Mul or MatMul
  const auto product = [&](int64_t a, int64_t b) { return node.Add(op, node.Part(0, a), node.Part(1, b)); };
  return node.Join(node.Add("Sub", product(0, 0), product(1, 1)), node.Add("Add", product(0, 1), product(1, 0)));
}

// (a + bi) / (c + di) after R. L. Smith 1962, Algorithm 116: Complex division. It avoids squares, which may overflow.
//
// With r = d / c, where c is the larger part, the real part is (a + b r) / (c + d r). The imaginary part is (b - a r) /
// (c + d r). If d is larger, r = c / d, a and b are exchanged, and the imaginary part has the other sign. For a divisor
// 0 the parts are a / 0 and b / 0.
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

// Divides by the larger part, because squares may overflow. Infinity wins over NaN.
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

}  // namespace onnxport::lowering
