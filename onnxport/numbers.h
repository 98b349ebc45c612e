// The number formats for stored weights, and for computation.
#ifndef ONNXPORT_NUMBERS_H_
#define ONNXPORT_NUMBERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "onnxport/expected.h"

namespace onnxport {

enum class WeightType {
  kInt8,   // one scale for each output channel (for each row of an embedding). From opset 13 on
  kInt4,   // one scale for each group of elements that are summed up. From opset 21 on
  kInt2,   // the same. From opset 25 on
  kMxfp4,  // the format MXFP4: float4e2m1, and a power of 2 for 32 elements. From opset 24 on
  kNvfp4,  // the format NVFP4: float4e2m1, and a float8 for 16 elements, in parts of a float. From opset 23 on
};

// Weights that MatMul, Gemm, Conv, Einsum and Gather read are stored in few bits, each with a DequantizeLinear. The
// model still computes in floats. w[i] is stored as the integer nearest to w[i] / scale (ties go to the even one), and
// is read as that number times the scale:
//   int8   scale = max |w| / 127, of a channel
//   int4   scale = max |w| / 7, of a group; the last group of an axis may be shorter
//   uint4  (asymmetric) scale = (max - min) / 15, where min and max include 0; the zero point is round(-min / scale)
//   int2   scale = max |w|, so that numbers are -1, 0 and 1; uint2: (max - min) / 3
//   mxfp4  scale = the largest power of 2 in max |w|, divided by 4: as float8e8m0
//   nvfp4  scale = s * t, where t = max |w| / 2688 of the whole weight, and s is the float8e4m3fn nearest to
//          max |w| / 6 / t
// Weights below 1,024 elements stay floats, and so do weights that other operators read, too. They are quantized while
// they are written, so memory does not grow with them. A weight with an infinity or a NaN ends the write with an error
// that names it.
struct WeightsAs {
  WeightType type = WeightType::kInt8;
  std::optional<int64_t> group = {};  // for int4 and int2: elements of a group, at least 1; nothing: 32
  bool asymmetric = false;            // for int4 and int2: groups have zero points, and elements are unsigned

  friend bool operator==(const WeightsAs&, const WeightsAs&) = default;
};

// Parses the text form, as the command and JSON have it: "int8", "int4:64,asymmetric", "nvfp4". An error (kUsage)
// quotes the text and shows the form.
Result<WeightsAs> ParseWeightsAs(std::string_view text);
std::string Text(const WeightsAs& wanted);

enum class HalfType {
  kFloat16,
  kBFloat16,  // from opset 13 on
};

// The model computes in 16 bits where it can. Products do (MatMul, Conv, LSTM ...), and operators whose operands are
// only such results and weights, as in torch.autocast. These stay in float32:
//
// - operators that need the bits: norms, Softmax, sums, Exp ...
// - operators that ONNX defines for no 16-bit type
// - products of positions
// - weights with numbers beyond the range of 16 bits
// - inputs and outputs of If, Loop and Scan
//
// Weights are stored in the type in which they are used. Model::remarks has the number of nodes in each type.
struct ComputeAs {
  HalfType type = HalfType::kFloat16;
  bool io = false;  // inputs and outputs of float32 become 16 bits, too; by default they are cast

  friend bool operator==(const ComputeAs&, const ComputeAs&) = default;
};

// Parses the text form: "float16", "bfloat16,io". An error (kUsage) quotes the text and shows the form.
Result<ComputeAs> ParseComputeAs(std::string_view text);
std::string Text(const ComputeAs& wanted);

}  // namespace onnxport

#endif  // ONNXPORT_NUMBERS_H_
