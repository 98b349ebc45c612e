// The result of a comparison, as text.
#ifndef ONNXPORT_RUNTIME_VERIFY_REPORT_REPORT_H_
#define ONNXPORT_RUNTIME_VERIFY_REPORT_REPORT_H_

#include <string>

#include "runtime/verify/ort/protocol.h"
#include "runtime/verify/report/tolerances.h"

namespace onnxport::verify {

struct Verdict {
  bool agrees = false;
  std::string text;  // of a line
};

// `actual` is ONNX Runtime's and has the output's name, `expected` PyTorch's.
Verdict Judge(const ort::Tensor& actual, const ort::Tensor& expected, const GivenTolerances& given);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_REPORT_REPORT_H_
