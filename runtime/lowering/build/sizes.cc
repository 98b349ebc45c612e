// Sizes as values of the model. Each is computed once, in the form that its use needs: as a number (0-d), as a list of
// one, or as part of a shape. There are three caches. One finds a shape by its tensor, and one finds a number by its
// expression. The third has the axis from which a number was read, so a list of neighbours (`x.shape[0], x.shape[1]`)
// is one slice of one Shape. Sizes computed in a block are forgotten at its end, because nothing outside may use them.
#include "runtime/lowering/build/sizes.h"

#include <fmt/format.h>

#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {
namespace {

using ir::DType;
using ir::ValueId;

constexpr int kSliceInputsOpset = 10;  // Slice takes its bounds as inputs

ir::Arg IntList(std::initializer_list<int64_t> values) {
  ir::ArgList list;
  for (const int64_t value : values) list.push_back({value});
  return {std::move(list)};
}

}  // namespace

void Sizes::AddInput(ValueId input) {
  const ir::Value& value = emitter_.value(input);
  if (!value.dims || value.kind == ir::ValueKind::kSequence) return;
  for (size_t axis = 0; axis < value.dims->size(); ++axis) {
    if (const auto symbol = (*value.dims)[axis].symbol()) {
      symbols_.try_emplace(*symbol, Origin{input, axis});
    }
  }
}

ValueId Sizes::Dimension(ValueId x, size_t axis) {
  const ir::Dim dim = (*emitter_.value(x).dims)[axis];
  if (dim.is_unknown()) {
    if (const ValueId* known = unknown_.Find(std::pair(x, axis))) return *known;
    const ValueId scalar = ReadDimension({x, axis});
    unknown_.Insert({x, axis}, scalar);
    return scalar;
  }
  // A symbol is read from the input that has it, not from another tensor. So the model does not depend on a node that
  // could be removed, and all uses share one Gather.
  if (const auto known = Find(dim)) return *known;
  Origin origin{x, axis};
  if (const auto symbol = dim.symbol()) {
    if (const auto found = symbols_.find(*symbol); found != symbols_.end()) origin = found->second;
  }
  const ValueId scalar = ReadDimension(origin);
  Remember(scalar);
  return scalar;
}

ValueId Sizes::ReadDimension(const Origin& origin) {
  const ValueId index = emitter_.Constant(Val(static_cast<int64_t>(origin.axis)), DType::kInt64);
  const ValueId scalar = emitter_.Add("Gather", {{Shape(origin.tensor)}, {index}}, {{"axis", {int64_t{0}}}});
  origins_.emplace(scalar, origin);
  emitter_.facts().MarkNumber(scalar);
  return scalar;
}

std::optional<ValueId> Sizes::Find(const ir::Dim& dim) const {
  if (!dim.is_symbolic()) return std::nullopt;
  const ValueId* found = expressions_.Find(dim.ToString());
  return found ? std::optional(*found) : std::nullopt;
}

void Sizes::Remember(ValueId scalar) {
  const ir::Value& value = emitter_.value(scalar);
  if (value.dtype != DType::kInt64 || !value.dims || !value.dims->empty()) return;
  if (!value.contents || value.contents->size() != 1) return;
  const ir::Dim& dim = value.contents->front();
  if (dim.is_symbolic()) expressions_.Insert(dim.ToString(), scalar);
}

ValueId Sizes::Shape(ValueId x) {
  if (const ValueId* known = shapes_.Find(x)) return *known;
  const ValueId shape = emitter_.Add("Shape", {{x}});
  shapes_.Insert(x, shape);
  return shape;
}

ValueId Sizes::ShapeSlice(ValueId x, size_t begin, size_t end) {
  const auto& dims = emitter_.value(x).dims;
  if (begin == 0 && dims && end == dims->size()) return Shape(x);
  const auto first = static_cast<int64_t>(begin);
  const auto last = static_cast<int64_t>(end);
  if (emitter_.opset() >= kShapeSliceOpset) {
    return emitter_.Add("Shape", {{x}}, {{"end", {last}}, {"start", {first}}});
  }
  if (emitter_.opset() >= kSliceInputsOpset) {
    const ValueId starts = emitter_.Constant(Val(Vals{first}), DType::kInt64);
    const ValueId ends = emitter_.Constant(Val(Vals{last}), DType::kInt64);
    return emitter_.Add("Slice", {{Shape(x)}, {starts}, {ends}});
  }
  return emitter_.Add("Slice", {{Shape(x)}},
                      {{"axes", IntList({0})}, {"ends", IntList({last})}, {"starts", IntList({first})}});
}

ValueId Sizes::AsList(ValueId scalar) {
  if (const ValueId* known = lists_.Find(scalar)) return *known;
  ValueId list;
  if (const auto origin = origins_.find(scalar); origin != origins_.end()) {
    // Slices the shape itself, not the number that was taken from it.
    list = ShapeSlice(origin->second.tensor, origin->second.axis, origin->second.axis + 1);
  } else {
    const ValueId one = emitter_.Constant(Val(Vals{1}), DType::kInt64);
    list = emitter_.Add("Reshape", {{emitter_.Cast(scalar, DType::kInt64)}, {one}});
  }
  lists_.Insert(scalar, list);
  return list;
}

// The number of elements from `first` on that are consecutive dimensions of one tensor.
size_t Sizes::RunOfOrigins(const Vals& elements, size_t first) const {
  const auto origin_of = [&](size_t i) -> const Origin* {
    if (!elements[i].is_tensor()) return nullptr;
    const auto found = origins_.find(elements[i].AsTensor().id);
    return found == origins_.end() ? nullptr : &found->second;
  };
  const Origin* start = origin_of(first);
  if (!start) return 0;
  size_t count = 1;
  while (first + count < elements.size()) {
    const Origin* next = origin_of(first + count);
    if (!next || next->tensor != start->tensor || next->axis != start->axis + count) break;
    ++count;
  }
  return count;
}

void Sizes::EnterBlock() {
  expressions_.Enter();
  shapes_.Enter();
  lists_.Enter();
  unknown_.Enter();
}

void Sizes::LeaveBlock() {
  expressions_.Leave();
  shapes_.Leave();
  lists_.Leave();
  unknown_.Leave();
}

ValueId Sizes::List(const Vals& elements) {
  std::vector<ir::Arg> pieces;
  for (size_t i = 0; i < elements.size();) {
    if (const size_t run = RunOfOrigins(elements, i); run > 1) {
      const Origin& origin = origins_.at(elements[i].AsTensor().id);
      pieces.push_back({ShapeSlice(origin.tensor, origin.axis, origin.axis + run)});
      i += run;
    } else if (elements[i].is_tensor()) {
      const ValueId id = elements[i].AsTensor().id;
      const ir::Value& value = emitter_.value(id);
      if (!value.dims || !value.dims->empty()) {
        throw Refusal(fmt::format("{} is no size", elements[i].ToString()));
      }
      pieces.push_back({AsList(id)});
      ++i;
    } else {
      Vals numbers;
      for (; i < elements.size() && !elements[i].is_tensor(); ++i) numbers.push_back(elements[i]);
      pieces.push_back({emitter_.Constant(Val(std::move(numbers)), DType::kInt64)});
    }
  }
  if (pieces.size() == 1) return *pieces[0].value();
  if (pieces.empty()) return emitter_.Constant(Val(Vals{}), DType::kInt64);
  return emitter_.Add("Concat", std::move(pieces), {{"axis", {int64_t{0}}}});
}

}  // namespace onnxport::lowering
