#include "runtime/model/onnx_file/check.h"

#include <onnx/checker.h>

#include <exception>

#include "runtime/base/error.h"

namespace onnxport::onnx_file {

void CheckModel(const std::string& file) {
  try {
    // `full_check` infers types, too, and compares them with those that are stated.
    onnx::checker::check_model(file, /*full_check=*/true);
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kBadInput, file + " breaks a rule of ONNX: " + error.what());
  }
}

}  // namespace onnxport::onnx_file
