// Internal to complex.cc: a node with complex inputs under construction, and the operators that compute with both
// parts.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_NODE_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_NODE_H_

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

struct ComplexNode {
  using Arg = ir::Arg;
  using Attribute = ir::Attribute;
  using ValueId = ir::ValueId;
  static constexpr int64_t kParts = 2;

  Emitter& emitter;
  const std::string& op;
  std::vector<Arg> inputs;
  std::vector<Attribute> attributes;
  size_t outputs;

  // ---- questions about the inputs

  bool IsComplex(size_t i) const {
    return i < inputs.size() && inputs[i].value() && ir::IsComplex(emitter.value(*inputs[i].value()).dtype);
  }
  ValueId Parts(size_t i) const { return emitter.PartsOf(*inputs[i].value()); }
  int64_t Rank() const {
    const auto& dims = emitter.value(*inputs[0].value()).dims;
    if (!dims)
      throw Refusal(Code::kNoComplexForm,
                    fmt::format("the rank of a complex tensor is not known, where ONNX {} needs it", op));
    return static_cast<int64_t>(dims->size());
  }
  std::vector<int64_t> Numbers(size_t i) const {
    const auto& contents = emitter.value(*inputs[i].value()).contents;
    const bool known = contents && std::ranges::all_of(*contents, [](const ir::Dim& d) { return d.is_number(); });
    if (!known)
      throw Refusal(Code::kNoComplexForm,
                    fmt::format("ONNX {} of a complex tensor with axes known only at run time", op));
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

  // Counts the axis from the front, because the parts have one more axis at the end.
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
  // Adds one number at the end of a shape.
  void Extend(size_t i, int64_t number) {
    inputs[i] = {emitter.Add("Concat", {inputs[i], {Ints({number})}}, {{"axis", {int64_t{0}}}})};
  }
  ValueId Ints(const std::vector<int64_t>& numbers) const {
    return emitter.Constant(Val(Vals(numbers.begin(), numbers.end())), DType::kInt64);
  }

  // ---- the node

  // Returns the results of the same node on the parts; they are parts, too.
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

  // The last axis stays 2. ONNX's inference forgets all sizes of a Slice if it does not know one.
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

// complex_arithmetic.cc
std::vector<ir::ValueId> Multiply(ComplexNode& node);
std::vector<ir::ValueId> Divide(ComplexNode& node);
std::vector<ir::ValueId> Magnitude(ComplexNode& node);
std::vector<ir::ValueId> Exponential(ComplexNode& node);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_COMPLEX_NODE_H_
