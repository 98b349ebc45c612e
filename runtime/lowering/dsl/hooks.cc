#include "runtime/lowering/dsl/hooks.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/lowering/dsl/indexing.h"

namespace onnxport::lowering::hooks {
namespace {

constexpr int kGatherNdOpset = 11;
constexpr int kNegativeGatherOpset = 11;  // before it, Gather and similar operators only count from the front
constexpr int kScatterElementsOpset = 11;
constexpr int kScatterAddOpset = 16;

Val Transpose(Context& context, const Val& x, const Val& perm) {
  if (perm.is_none() || perm == range(len(perm))) return x;
  return context.op("Transpose", {x}, {{"perm", perm}});
}

Val RestDims(const Val& self, const Indexing& indexing) {
  Vals rest;
  for (const int64_t axis : indexing.rest()) rest.push_back(dim(self, axis));
  return rest;
}

// Values broadcast to B + rest.
Val Updates(Context& context, const Val& self, const Indexing& indexing, const Val& b, const Val& values) {
  const Val rest = RestDims(self, indexing);
  const auto before = static_cast<int64_t>(indexing.before());
  const Val shape = rest.Slice(0, before) + b + rest.Slice(before, Val());
  const Val updates = len(shape) == 0 ? context.op("Reshape", {values, Vals{}}) : context.op("Expand", {values, shape});
  return Transpose(context, updates, indexing.from_result());
}

// Sums of float16 lose less precision in float32.
ir::DType SummedIn(ir::DType type, ir::DType otherwise) {
  const bool half = type == ir::DType::kFloat16 || type == ir::DType::kBFloat16;
  return half ? ir::DType::kFloat32 : otherwise;
}

// `x` and the result have the indexed dimensions first.
Val ScatterTuples(Context& context, const Val& self, const Indexing& indexing, const Val& x, const Val& values,
                  bool accumulate) {
  const Val tuples = indexing.Tuples(true);
  const Val b = dims(tuples).Slice(0, indexing.rank_of_b());
  const Val updates = Updates(context, self, indexing, b, values);
  if (!accumulate) return context.op("ScatterND", {x, tuples, updates});
  const ir::DType type = dtype(x).AsDType();
  const ir::DType in = SummedIn(type, type);
  return cast(context.op("ScatterND", {cast(x, in), tuples, cast(updates, in)}, {{"reduction", "add"}}), type);
}

// Sets rows of a table. Opsets 9 and 10 have an elementwise Scatter, others ScatterElements.
Val SetRows(Context& context, const Val& table, const Val& at, const Val& updates) {
  const Val rows = context.op("Expand", {context.op("Reshape", {at, Vals{-1, 1}}), Vals{1, dim(table, 1)}});
  const char* scatter = context.opset() < kScatterElementsOpset ? "Scatter" : "ScatterElements";
  return context.op(scatter, {table, rows, updates}, {{"axis", 0}});
}

// Adds one row after another, so that each index occurs once at a time. Small integers are summed in int32.
Val AddRows(Context& context, const Val& table, const Val& at, const Val& updates) {
  const ir::DType type = dtype(table).AsDType();
  const ir::DType in = SummedIn(type, is_int(table) && type != ir::DType::kInt64 ? ir::DType::kInt32 : type);
  const Val rows = context.op("Reshape", {at, Vals{-1}});
  const Val summands = cast(updates, in);
  const Val sums = context.loop(numel(at), {cast(table, in)}, {}, [&](const Val& i, const Vals& carried) {
    const Val one = context.op("Reshape", {i, Vals{1}});
    const Val row = context.op("Gather", {rows, one});
    const Val sum = context.op("Gather", {carried[0], row}) + context.op("Gather", {summands, one});
    return Context::LoopStep{{SetRows(context, carried[0], row, sum)}, {}};
  })[0];
  return cast(sums, type);
}

// The same as ScatterTuples, with rows of a table.
Val ScatterRows(Context& context, const Val& self, const Indexing& indexing, const Val& x, const Val& values,
                bool accumulate) {
  const Val flat = indexing.Flat();
  const Val width = product(RestDims(self, indexing));
  const Val updates = context.op("Reshape", {Updates(context, self, indexing, dims(flat), values), Vals{-1, width}});
  const Val table = context.op("Reshape", {x, Vals{-1, width}});
  const Val result = accumulate ? AddRows(context, table, flat, updates) : SetRows(context, table, flat, updates);
  return context.op("Reshape", {result, dims(x)});
}

bool HasOneElement(const Val& tensor) {
  return std::ranges::all_of(dims(tensor).AsList(), [](const Val& size) { return size.is_int() && size == 1; });
}

// For x[mask] = one value: a mask from the first dimension on, or after full slices.
Val MaskOf(const Val& indices) {
  Val mask;
  for (const Val& index : indices.AsList()) {
    if (index.is_none()) continue;
    if (!mask.is_none() || !is_bool(index)) return {};
    mask = index;
  }
  return mask;
}

// Adds dimensions of size 1 to the mask after its own. Those before it are broadcast.
Val AlignMask(Context& context, const Val& self, const Val& indices, const Val& mask) {
  int64_t first = 0;
  while (indices[first].is_none()) ++first;
  const int64_t missing = rank(self).AsInt() - first - rank(mask).AsInt();
  if (missing < 0)
    throw Refusal(Code::kIndexIsOutside, fmt::format("more indices than the dimensions of {}", self.ToString()));
  if (missing == 0) return mask;
  return context.op("Reshape", {mask, dims(mask) + Val(Vals{1}) * missing});
}

bool AllNone(const Val& indices) {
  return std::ranges::all_of(indices.AsList(), [](const Val& index) { return index.is_none(); });
}

}  // namespace

Vals index(Context& context) {
  const Val self = context.arg(0);
  if (AllNone(context.arg(1))) return {self};
  const Indexing indexing(&context, self, context.arg(1));
  const bool counts_back = context.opset() >= kNegativeGatherOpset;
  // Nearly all calls index one axis, as embeddings do. All opsets have a Gather for that.
  if (indexing.at().size() == 1) {
    const Val places = counts_back ? indexing.index(0) : indexing.Normal(0);
    return {context.op("Gather", {self, places}, {{"axis", indexing.at()[0]}})};
  }
  // GatherND only indexes the first axes.
  const Val in_front = Transpose(context, self, indexing.perm());
  if (context.opset() >= kGatherNdOpset) {
    const Val found = context.op("GatherND", {in_front, indexing.Tuples(false)});
    return {Transpose(context, found, indexing.to_result())};
  }
  Vals rows{-1};
  for (const int64_t axis : indexing.rest()) rows.push_back(dim(self, axis));
  const Val table = context.op("Reshape", {in_front, rows});
  const Val found = context.op("Gather", {table, indexing.Flat()}, {{"axis", 0}});
  return {Transpose(context, found, indexing.to_result())};
}

Vals index_put(Context& context) {
  const Val self = context.arg(0);
  const Val indices = context.arg(1);
  const Val values = context.arg(2);
  const bool accumulate = static_cast<bool>(context.arg(3));
  if (AllNone(indices)) {
    const Val whole = context.op("Expand", {values, context.op("Shape", {self})});
    return {accumulate ? context.op("Add", {self, whole}) : whole};
  }
  const Val mask = MaskOf(indices);
  // `Where` does not need the places of the mask, whose number is known only at run time.
  if (!mask.is_none() && !accumulate && HasOneElement(values)) {
    const Val value = context.op("Reshape", {values, Vals{}});
    return {context.op("Where", {AlignMask(context, self, indices, mask), value, self})};
  }
  const Indexing indexing(&context, self, indices);
  const Val x = Transpose(context, self, indexing.perm());
  const bool by_tuples = context.opset() >= (accumulate ? kScatterAddOpset : kGatherNdOpset);
  const Val result = by_tuples ? ScatterTuples(context, self, indexing, x, values, accumulate)
                               : ScatterRows(context, self, indexing, x, values, accumulate);
  return {Transpose(context, result, inverse_perm(indexing.perm()))};
}

}  // namespace onnxport::lowering::hooks
