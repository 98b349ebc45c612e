// The operators that torch.onnx.ops registers in Python, from ATen's, under the same schemas. They compute what ONNX
// 1.18 (opset 23) says of RotaryEmbedding and Attention.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor_split.h>
#include <torch/library.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace onnxport::conformance {
namespace {

using at::Tensor;
using MaybeTensor = std::optional<Tensor>;

// [batch, length, heads * width] -> [batch, heads, length, width]
Tensor Heads(const Tensor& x, int64_t heads) {
  return x.reshape({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

Tensor Merged(const Tensor& x) { return x.transpose(1, 2).flatten(2); }

Tensor RotaryEmbedding(const Tensor& x, const Tensor& cos_cache, const Tensor& sin_cache,
                       const MaybeTensor& position_ids, bool interleaved, int64_t num_heads,
                       int64_t rotary_embedding_dim) {
  const Tensor wide = x.dim() == 3 ? Heads(x, num_heads) : x;
  const int64_t turned = rotary_embedding_dim == 0 ? wide.size(3) : rotary_embedding_dim;
  const auto table = [&](const Tensor& cache) {
    return (position_ids ? cache.index({*position_ids}) : cache).unsqueeze(1);
  };
  const Tensor cos = table(cos_cache);
  const Tensor sin = table(sin_cache);
  const Tensor part = wide.slice(3, 0, turned);
  const Tensor a = interleaved ? part.slice(3, 0, turned, 2) : part.slice(3, 0, turned / 2);
  const Tensor b = interleaved ? part.slice(3, 1, turned, 2) : part.slice(3, turned / 2, turned);
  const std::vector<Tensor> both{cos * a - sin * b, sin * a + cos * b};
  const Tensor rotated = interleaved ? at::stack(both, -1).flatten(-2) : at::cat(both, -1);
  const Tensor result = at::cat({rotated, wide.slice(3, turned)}, 3);
  return x.dim() == 3 ? Merged(result) : result;
}

using AttentionResults = std::tuple<Tensor, Tensor, Tensor, Tensor>;

AttentionResults Attention(const Tensor& q, const Tensor& k, const Tensor& v, const MaybeTensor& attn_mask,
                           const MaybeTensor& past_key, const MaybeTensor& past_value, bool is_causal,
                           int64_t kv_num_heads, int64_t q_num_heads, int64_t qk_matmul_output_mode,
                           std::optional<double> scale, double softcap, std::optional<int64_t>) {
  const bool flat = q.dim() == 3;
  const Tensor query = flat ? Heads(q, q_num_heads) : q;
  Tensor key = flat ? Heads(k, kv_num_heads) : k;
  Tensor value = flat ? Heads(v, kv_num_heads) : v;
  if (past_key) key = at::cat({*past_key, key}, 2);
  if (past_value) value = at::cat({*past_value, value}, 2);
  const auto shared = [&](const Tensor& x) { return x.repeat_interleave(query.size(1) / x.size(1), 1); };
  std::vector<Tensor> stages{at::matmul(query, shared(key).transpose(2, 3)) *
                             scale.value_or(1 / std::sqrt(query.size(3)))};
  Tensor scores = stages[0];
  if (is_causal) {
    const Tensor past = at::ones({scores.size(2), scores.size(3)}, at::kBool).tril();
    scores = scores.masked_fill(past.logical_not(), -INFINITY);
  }
  if (attn_mask) {
    scores = attn_mask->scalar_type() == at::kBool ? scores.masked_fill(attn_mask->logical_not(), -INFINITY)
                                                   : scores + *attn_mask;
  }
  stages.push_back(scores);
  if (softcap > 0) scores = softcap * at::tanh(scores / softcap);
  stages.push_back(scores);
  stages.push_back(scores.softmax(3));
  const Tensor result = at::matmul(stages[3], shared(value));
  return {flat ? Merged(result) : result, key.clone(), value.clone(),
          stages.at(static_cast<size_t>(qk_matmul_output_mode)).clone()};
}

// The operators that the tests of _symbolic name.
std::vector<Tensor> Compute(const std::string& type, const Tensor& x, const std::vector<double>& floats,
                            const std::vector<int64_t>& ints, size_t results) {
  if (type == "LeakyRelu") return {at::leaky_relu(x, floats.at(0))};
  if (type == "Split") return at::tensor_split(x, static_cast<int64_t>(results), ints.at(0));
  TORCH_CHECK(false, "no test needs ONNX ", type);
}

using Places = c10::List<c10::List<int64_t>>;
using Texts = c10::List<std::string>;

Tensor Symbolic(const c10::List<MaybeTensor>& inputs, std::string type, int64_t, at::IntArrayRef, const Texts&,
                const Texts&, const Places&, at::IntArrayRef ints, at::ArrayRef<double> floats, const Texts&,
                const Texts&, const Texts&, std::string, std::optional<int64_t>) {
  return Compute(type, *inputs.get(0), floats.vec(), ints.vec(), 1).at(0);
}

std::vector<Tensor> SymbolicMultiOut(const c10::List<MaybeTensor>& inputs, std::string type, at::IntArrayRef dtypes,
                                     const Places&, const Texts&, const Texts&, const Places&, at::IntArrayRef ints,
                                     at::ArrayRef<double> floats, const Texts&, const Texts&, const Texts&, std::string,
                                     std::optional<int64_t>) {
  std::vector<Tensor> results = Compute(type, *inputs.get(0), floats.vec(), ints.vec(), dtypes.size());
  for (Tensor& result : results) result = result.clone();
  return results;
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY(onnx_symbolic, m) {
  m.def(
      "_symbolic(Tensor?[] inputs, str op_type, int onnx_dtype, *, SymInt[] shape, str[] attr_keys, str[] attr_types, "
      "int[][] attr_pos, int[] attr_ints, float[] attr_floats, str[] attr_strs, str[] metadata_props_keys, str[] "
      "metadata_props_values, str domain=\"\", int? version=None) -> Tensor",
      &onnxport::conformance::Symbolic);
  m.def(
      "_symbolic_multi_out(Tensor?[] inputs, str op_type, int[] onnx_dtypes, *, int[][] shapes, str[] attr_keys, str[] "
      "attr_types, int[][] attr_pos, int[] attr_ints, float[] attr_floats, str[] attr_strs, str[] metadata_props_keys, "
      "str[] metadata_props_values, str domain=\"\", int? version=None) -> Tensor[]",
      &onnxport::conformance::SymbolicMultiOut);
}

TORCH_LIBRARY_FRAGMENT(onnx, m) {
  m.def(
      "RotaryEmbedding.opset23(Tensor x, Tensor cos_cache, Tensor sin_cache, Tensor? position_ids=None, *, bool "
      "interleaved=False, SymInt num_heads=0, SymInt rotary_embedding_dim=0) -> Tensor",
      &onnxport::conformance::RotaryEmbedding);
  m.def(
      "Attention.opset23(Tensor Q, Tensor K, Tensor V, Tensor? attn_mask=None, Tensor? past_key=None, Tensor? "
      "past_value=None, *, bool is_causal=False, SymInt kv_num_heads=0, SymInt q_num_heads=0, SymInt "
      "qk_matmul_output_mode=0, float? scale=None, float softcap=0., SymInt? softmax_precision=None) -> (Tensor, "
      "Tensor, Tensor, Tensor)",
      &onnxport::conformance::Attention);
}
