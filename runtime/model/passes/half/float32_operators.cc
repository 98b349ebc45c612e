#include "runtime/model/passes/half/float32_operators.h"

#include <algorithm>

namespace onnxport::passes {
namespace {

struct Row {
  std::string_view op;
  std::string_view reason;
};

constexpr std::string_view kSums = "sums of many numbers lose the small ones, and squares overflow at 256";
constexpr std::string_view kSteep = "a small difference of inputs becomes a large one of results";
constexpr std::string_view kAngles = "an angle of 1,000 is known to 0.5 in float16";
constexpr std::string_view kSizes = "counts and places are not whole numbers beyond 2,048";
constexpr std::string_view kChosen = "an attribute chooses the type of its results";
constexpr std::string_view kScales = "scales of integers lie close to 0";

// In the order of their names.
constexpr Row kRows[] = {
    {"Attention", kSteep},
    {"AveragePool", kSums},
    {"BatchNormalization", kSums},
    {"Bernoulli", kChosen},
    {"ConstantOfShape", kChosen},
    {"Cos", kAngles},
    {"CumProd", kSums},
    {"CumSum", kSums},
    {"DFT", kSums},
    {"DequantizeLinear", kScales},
    {"Det", kSums},
    {"DynamicQuantizeLinear", kScales},
    {"Exp", kSteep},
    {"EyeLike", kChosen},
    {"GlobalAveragePool", kSums},
    {"GlobalLpPool", kSums},
    {"GridSample", kSizes},
    {"GroupNormalization", kSums},
    {"InstanceNormalization", kSums},
    {"LRN", kSums},
    {"LayerNormalization", kSums},
    {"Log", kSteep},
    {"LogSoftmax", kSteep},
    {"LpNormalization", kSums},
    {"LpPool", kSums},
    {"MeanVarianceNormalization", kSums},
    {"Mish", kSteep},
    {"Multinomial", kChosen},
    {"NegativeLogLikelihoodLoss", kSums},
    {"Pow", kSteep},
    {"QuantizeLinear", kScales},
    {"RMSNormalization", kSums},
    {"RandomNormal", kChosen},
    {"RandomNormalLike", kChosen},
    {"RandomUniform", kChosen},
    {"RandomUniformLike", kChosen},
    {"Range", kSizes},
    {"Reciprocal", kSteep},
    {"ReduceL1", kSums},
    {"ReduceL2", kSums},
    {"ReduceLogSum", kSums},
    {"ReduceLogSumExp", kSums},
    {"ReduceMean", kSums},
    {"ReduceProd", kSums},
    {"ReduceSum", kSums},
    {"ReduceSumSquare", kSums},
    {"Resize", kSizes},
    {"STFT", kSums},
    {"Sin", kAngles},
    {"Softmax", kSteep},
    {"SoftmaxCrossEntropyLoss", kSums},
    {"Softplus", kSteep},
    {"Tan", kAngles},
    {"Upsample", kSizes},
    {"com.microsoft.GroupQueryAttention", kSteep},
    {"com.microsoft.SkipSimplifiedLayerNormalization", kSums},
};
static_assert(std::ranges::is_sorted(kRows, {}, &Row::op));

}  // namespace

std::string_view ReasonForFloat32(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &Row::op);
  return row != std::end(kRows) && row->op == op ? row->reason : std::string_view();
}

}  // namespace onnxport::passes
