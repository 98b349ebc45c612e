// The numbers that weights are stored as, and that a model computes in.
#ifndef ONNXPORT_NUMBERS_H_
#define ONNXPORT_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "onnxport/expected.h"

namespace onnxport {

enum class WeightType {
  kInt8,   // one scale for each output channel (of an embedding: for each row). From opset 13 on
  kInt4,   // one scale for each group of elements that are summed up. From opset 21 on
  kInt2,   // the same. From opset 25 on
  kMxfp4,  // the format MXFP4: float4e2m1, and a power of 2 for 32 elements. From opset 24 on
  kNvfp4,  // the format NVFP4: float4e2m1, and a float8 for 16 elements, in parts of a float. From opset 23 on
};

// Weights that MatMul, Gemm, Conv, Einsum and Gather read become numbers of few bits and a DequantizeLinear each; the
// model still computes in floats. w[i] is stored as the number nearest to w[i] / scale, of two the even one, and read
// as that times the scale:
//   int8   scale = max |w| / 127, of a channel
//   int4   scale = max |w| / 7, of a group; the last group of an axis may be shorter
//   uint4  (asymmetric) scale = (max - min) / 15, where min and max include 0; the zero point is round(-min / scale)
//   int2   scale = max |w|, so that numbers are -1, 0 and 1; uint2: (max - min) / 3
//   mxfp4  scale = the largest power of 2 in max |w|, divided by 4: as float8e8m0
//   nvfp4  scale = s * t, where t = max |w| / 2688 of the whole weight, and s is the float8e4m3fn nearest to
//          max |w| / 6 / t
// Weights below 1,024 elements stay, as do those that other operators read, too. They are quantized while they are
// written, so memory does not grow with them. The export of one with an infinity or a NaN fails then, by its name.
struct WeightsAs {
  WeightType type = WeightType::kInt8;
  std::optional<int64_t> group = {};  // of int4 and int2: elements of a group, from 1 on; nothing: 32
  bool asymmetric = false;            // of int4 and int2: groups have zero points, and elements are unsigned

  friend bool operator==(const WeightsAs&, const WeightsAs&) = default;
};

// "int8", "int4:64,asymmetric", "nvfp4": the text form, as the command and JSON have it. An error (kUsage) quotes the
// text and shows the form.
Result<WeightsAs> ParseWeightsAs(std::string_view text);
std::string Text(const WeightsAs& wanted);

enum class HalfType {
  kFloat16,
  kBFloat16,  // from opset 13 on
};

// The model computes in 16 bits where it can: products do (MatMul, Conv, LSTM ...), and operators that take nothing but
// their results and weights, as torch.autocast has it. Operators that need the bits stay in float32 (norms, Softmax,
// sums, Exp ...), and so do those that ONNX has in no other form, products of positions, weights with numbers beyond 16
// bits, and the inputs and outputs of If, Loop and Scan. Weights are stored in what they are used in. Model::remarks
// has the number of nodes in each.
struct ComputeAs {
  HalfType type = HalfType::kFloat16;
  bool io = false;  // inputs and outputs of float32 become 16 bits, too; by default they are cast

  friend bool operator==(const ComputeAs&, const ComputeAs&) = default;
};

// "float16", "bfloat16,io": as above.
Result<ComputeAs> ParseComputeAs(std::string_view text);
std::string Text(const ComputeAs& wanted);

}  // namespace onnxport

#endif  // ONNXPORT_NUMBERS_H_
