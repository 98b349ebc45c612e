// Generated from spec/aten/lstm.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::lstm_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool
//     train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)
// spec/aten/lstm.yaml:7, opset 7 to 28
Vals aten_lstm_input(Context& c) {
  const auto [input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first] = c.args<9>();
  must("train", train, false);
  const Val nd = bidirectional ? 2 : 1;
  Lazy np = c.lazy([&] { return has_biases ? 4 : 2; });
  const Val H = dim(params[1], 1);
  const auto gates = [&](const Val& w) -> Val {
    return c.op("Concat",
                {Splat(Map(Vals{0, 3, 1, 2}, [&](const Val& q) {
      return c.op("Slice", {w}, {{"starts", Vals{q * H}}, {"ends", Vals{q * H + H}}, {"axes", Vals{0}}});
    }))}, {{"axis", 0}});
  };
  const auto stack = [&](const Val& k, const Val& j) -> Val {
    return c.op("Concat",
                {Splat(Map(range(nd), [&](const Val& d) {
      return c.op("Unsqueeze", {gates(params[(k * nd + d) * np() + j])}, {{"axes", Vals{0}}});
    }))}, {{"axis", 0}});
  };
  const auto state = [&](const Val& t, const Val& k) -> Val {
    return c.op("Slice", {t}, {{"starts", Vals{k * nd}}, {"ends", Vals{k * nd + nd}}, {"axes", Vals{0}}});
  };
  Val x = batch_first ? c.op("Transpose", {input}, {{"perm", Vals{1, 0, 2}}}) : input;
  Vals h;
  Vals c_;
  for (const Val& l : range(num_layers).AsList()) {
    const Val B = has_biases ? c.op("Concat", {stack(l, 2), stack(l, 3)}, {{"axis", 1}}) : Val();
    const auto [y, hn, cn] = Unpack<3>(c.ops("LSTM",
                                             {x, stack(l, 0), stack(l, 1), B, Val(), state(hx[0], l), state(hx[1], l)},
                                             {{"hidden_size", H},
                                              {"direction", bidirectional ? "bidirectional" : "forward"}}, 3));
    h.push_back(hn);
    c_.push_back(cn);
    x = c.op("Reshape", {c.op("Transpose", {y}, {{"perm", Vals{0, 2, 1, 3}}}), Vals{0, 0, -1}});
  }
  return {batch_first ? c.op("Transpose", {x}, {{"perm", Vals{1, 0, 2}}}) : x,
          c.op("Concat", {Splat(h)}, {{"axis", 0}}), c.op("Concat", {Splat(c_)}, {{"axis", 0}})};
}

}  // namespace onnxport::generated::lstm_operators
