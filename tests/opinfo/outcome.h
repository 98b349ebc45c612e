// The outcome of one sample in one format.
#ifndef ONNXPORT_TESTS_OPINFO_OUTCOME_H_
#define ONNXPORT_TESTS_OPINFO_OUTCOME_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/opinfo/samples.h"

namespace onnxport::opinfo {

// One of
//   ok               ONNX Runtime gives what eager PyTorch gives
//   reference        ONNX Runtime has no kernel for one of its nodes; ONNX's reference evaluator gives what eager
//                    PyTorch gives
//   no kernel        the model is valid, but ONNX Runtime has no kernel for one of its nodes, and the reference
//                    evaluator fails or gives something else
//   refused REASON   the export says that it cannot; see RefusalClass
//   cannot export    PyTorch itself makes no archive
//   wrong KIND       anything else: `values`, `type` (dtype, shape or number of results), `model` (onnx::checker or
//   ONNX
//                    Runtime do not take it), `run` (it fails while running), `error` (the export fails by another way
//                    than a refusal)
struct Outcome {
  std::string name;
  std::string detail;  // in full: what differs, the report ...
};

// Files are written to `folder` and removed.
Outcome Try(const Sample& sample, const Archive& archive, int opset, const std::filesystem::path& folder);

// The report of a refusal without its numbers and places. It lists the operators that the report names: "aten::foo,
// aten::bar". Each has "no spec" before it if no entry has it, or "@20" behind it if opset 20 can express it. If the
// report names no operator, this is its text.
std::string RefusalClass(std::string_view report);

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_OUTCOME_H_
