// Generated from spec/aten/attention.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::attention_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float
//     dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor
// spec/aten/attention.yaml:8, opset 11 to 28
Vals aten_scaled_dot_product_attention(Context& c) {
  const auto [query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa] = c.args<8>();
  must("dropout_p", dropout_p, 0.0);
  require(!(is_causal && present(attn_mask)), "not (is_causal and present(attn_mask))");
  const auto rep = [&](const Val& t, const Val& n) -> Val {
    return c.op("Reshape",
                {c.op("Expand",
                      {c.op("Unsqueeze", {t}, {{"axes", Vals{2}}}),
                       dims(t).Slice(Val(), 2) + Vals{n} + dims(t).Slice(2, Val())}),
                 dims(t).Slice(Val(), 1) + Vals{dim(t, 1) * n} + dims(t).Slice(2, Val())});
  };
  if (c.opset() >= 23 && rank(query) == 4) {
    return {c.op("Attention", {query, key, value, attn_mask}, {{"scale", scale}, {"is_causal", is_causal}})};
  }
  if (c.opset() >= 11) {
    const Val r = rank(query);
    const Val s = sqrt(present(scale) ? scale : 1.0 / sqrt(cast(dim(query, -1), dtype(query))));
    const Val g = enable_gqa ? FloorDiv(dim(query, -3), dim(key, -3)) : 1;
    Lazy tri = c.lazy([&] {
      return c.op("Not",
                  {c.op("Less",
                        {c.op("Unsqueeze", {c.op("Range", {0, dim(query, -2), 1})}, {{"axes", Vals{1}}}),
                         c.op("Range", {0, dim(key, -2), 1})})});
    });
    const Val keep = is_causal ? tri() : present(attn_mask) && dtype(attn_mask) == DType::kBool ? attn_mask : Val();
    const Val bias = keep ? c.op("Where", {keep, c.constant(0.0, query), c.constant(-INFINITY, query)}) : attn_mask;
    const Val qk = c.op("MatMul",
                        {query * s,
                         c.op("Transpose", {g == 1 ? key : rep(key, g)}, {{"perm", swap(range(r), r - 2, r - 1)}}) *
                         s});
    const Val p = c.op("Softmax", {bias ? qk + bias : qk}, {{"axis", r - 1}});
    return {c.op("MatMul",
                 {keep ? c.op("Where", {c.op("IsNaN", {p}), c.constant(0.0, query), p}) : p,
                  g == 1 ? value : rep(value, g)})};
  }
  no_case({"opset >= 23 and rank(query) == 4", "opset >= 11"});
}

}  // namespace onnxport::generated::attention_operators
