// Internal to op_facts.cc: operators that combine many elements.
#ifndef ONNXPORT_RUNTIME_ONNX_ROWS_LAYERS_H_
#define ONNXPORT_RUNTIME_ONNX_ROWS_LAYERS_H_

#include "runtime/onnx/content_rules.h"
#include "runtime/onnx/evaluate_rules.h"
#include "runtime/onnx/fit_rules.h"
#include "runtime/onnx/noop_rules.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops {

inline constexpr OpFacts kReductionRows[] = {
    {.op = "ReduceL1"},
    {.op = "ReduceL2"},
    {.op = "ReduceLogSum"},
    {.op = "ReduceLogSumExp"},
    {.op = "ReduceMax"},
    {.op = "ReduceMean"},
    {.op = "ReduceMin"},
    {.op = "ReduceProd", .contents = contents::ReduceProd},
    {.op = "ReduceSum", .contents = contents::ReduceSum, .complex = ComplexForm::kReducedAxes},
    {.op = "ReduceSumSquare"},
};

// ConvInteger leaves out `sizes`. A size that its inference leaves open stays unknown, which is always right.
inline constexpr OpFacts kConvolutionRows[] = {
    {.op = "Conv", .sizes = sizes::Convolution, .fit = fit::Convolution},
    {.op = "ConvInteger"},
    {.op = "ConvTranspose", .sizes = sizes::ConvTranspose, .fit = fit::ConvTranspose},
    {.op = "DeformConv", .sizes = sizes::Convolution},
};

inline constexpr OpFacts kPoolRows[] = {
    {.op = "AveragePool", .sizes = sizes::Pool},
    {.op = "LpPool", .sizes = sizes::Pool},
    {.op = "MaxPool", .sizes = sizes::Pool},
};

// Dropout is an example: without an input training_mode it returns its input (is_noop). With one it draws numbers
// (random), so two of them are never merged. LayerNormalization and PRelu broadcast their weights to x, as `sizes` and
// `fit` state. They are not elementwise, as x does not broadcast to the weights.
inline constexpr OpFacts kLayerRows[] = {
    {.op = "AffineGrid"},
    {.op = "ArgMax"},
    {.op = "ArgMin"},
    {.op = "Attention"},
    {.op = "BatchNormalization", .fit = fit::Channels},
    {.op = "CausalConvWithState"},
    {.op = "CumProd"},
    {.op = "CumSum", .evaluate = Any(evaluate::CumSum)},
    {.op = "DFT", .sizes = sizes::Dft},
    {.op = "DequantizeLinear", .fit = fit::Quantize},
    {.op = "Det"},
    {.op = "Dropout", .is_noop = noops::NotTraining, .random = true},
    {.op = "DynamicQuantizeLinear"},
    {.op = "Einsum", .grammar = fit::EinsumGrammar, .fit = fit::Einsum},
    {.op = "GRU", .fit = fit::Recurrent},
    {.op = "Gemm", .fit = fit::Gemm},
    {.op = "GlobalAveragePool"},
    {.op = "GlobalLpPool"},
    {.op = "GlobalMaxPool"},
    {.op = "GridSample", .fit = fit::GridSample},
    {.op = "GroupNormalization", .sizes = sizes::Same},
    {.op = "Hardmax"},
    {.op = "InstanceNormalization", .fit = fit::Channels},
    {.op = "LRN"},
    {.op = "LSTM", .fit = fit::Recurrent},
    {.op = "LayerNormalization", .sizes = sizes::Broadcast, .fit = fit::Broadcast},
    {.op = "LinearAttention"},
    {.op = "LogSoftmax"},
    {.op = "LpNormalization"},
    {.op = "MatMul", .fit = fit::MatMul, .complex = ComplexForm::kProduct},
    {.op = "MatMulInteger"},
    {.op = "MaxRoiPool"},
    {.op = "MaxUnpool", .fit = fit::MaxUnpool},
    {.op = "MeanVarianceNormalization", .sizes = sizes::Same},
    {.op = "NegativeLogLikelihoodLoss", .fit = fit::Loss},
    {.op = "NonMaxSuppression", .fit = fit::Boxes},
    {.op = "PRelu", .sizes = sizes::Broadcast, .fit = fit::Broadcast},
    {.op = "QLinearConv"},
    {.op = "QLinearMatMul"},
    {.op = "QuantizeLinear", .fit = fit::Quantize},
    {.op = "RMSNormalization", .sizes = sizes::Broadcast, .fit = fit::Broadcast},
    {.op = "RNN", .fit = fit::Recurrent},
    {.op = "RoiAlign", .fit = fit::RoiAlign},
    {.op = "RotaryEmbedding"},
    {.op = "STFT", .sizes = sizes::Stft},
    {.op = "Softmax"},
    {.op = "SoftmaxCrossEntropyLoss", .fit = fit::Loss},
    {.op = "SwiGLU"},
};

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ROWS_LAYERS_H_
