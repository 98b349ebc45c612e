// ONNX's test folders: a model, and inputs and outputs as files of protobuf.
#ifndef ONNXPORT_RUNTIME_VERIFY_INPUTS_TEST_DATA_H_
#define ONNXPORT_RUNTIME_VERIFY_INPUTS_TEST_DATA_H_

#include <string>
#include <vector>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// Writes `folder`/test_data_set_N/input_0.pb ... and output_0.pb ..., which are TensorProto or SequenceProto.
// None of the files that were `read` is written to. Throws Error (kUsage, kCannotWrite).
void SaveTest(const std::string& folder, size_t number, const std::vector<ort::Tensor>& inputs,
              const std::vector<ort::Tensor>& outputs, const std::vector<std::string>& read);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_INPUTS_TEST_DATA_H_
