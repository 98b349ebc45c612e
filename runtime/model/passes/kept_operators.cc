#include "runtime/model/passes/kept_operators.h"

namespace onnxport::passes {
namespace {

constexpr KeptOperator kKept[] = {
    {"Attention", 23, "scaled_dot_product_attention, and attention that is spelled out",
     "com.microsoft.GroupQueryAttention"},
    {"RotaryEmbedding", 23, "a rotation of pairs of features by angles"},
    {"RMSNormalization", 23, "an RMS norm; the model has it without `keep` as well",
     "com.microsoft.SkipSimplifiedLayerNormalization"},
    {"TensorScatter", 24, "writing to a cache at one place"},
    {"CausalConvWithState", 27, "a convolution of each channel that looks back only"},
    {"SwiGLU", 28, "silu(a) * b"},
    {"DequantizeLinear", 13, "the arithmetic that unpacks weights: GPTQ, AWQ, compressed-tensors"},
};

}  // namespace

std::span<const KeptOperator> KeptOperators() { return kKept; }

}  // namespace onnxport::passes
