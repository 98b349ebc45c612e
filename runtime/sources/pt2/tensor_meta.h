// Reads the types of values and their symbolic expressions.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_TENSOR_META_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_TENSOR_META_H_

#include <optional>
#include <string>

#include "runtime/base/text_map.h"
#include "runtime/ir/dim.h"
#include "runtime/ir/dtype.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {

struct TensorMeta {
  ir::DType dtype = ir::DType::kUndefined;
  ir::Dims sizes;
  ir::Dims strides;    // in elements
  ir::Dim offset;      // in elements
  std::string device;  // "cpu", "cuda:0"

  bool row_major() const;  // true if known to be row-major
};

// Reads each expression once: the same few occur thousands of times.
class MetaReader {
 public:
  // Throws Error: kBadInput for a malformed text, kCannotExport for a type or layout that ONNX lacks.
  TensorMeta ReadTensor(const Json& meta);
  // {"as_int": 3} or {"as_expr": {"expr_str": ...}}; unknown for an expression that Dim does not know.
  ir::Dim ReadDim(const Json& size);

 private:
  TextMap<ir::Dim> expressions_;
  size_t characters_ = 0;  // of all expressions read
};

// Reads the number of a dtype in this file format. Throws Error: kBadInput for an unknown number, kCannotExport for
// float8_e8m0fnu and complex32.
ir::DType ReadDType(const Json& number);

// {"type": "cuda", "index": 0} -> "cuda:0".
std::string ReadDevice(const Json& device);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_TENSOR_META_H_
