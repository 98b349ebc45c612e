#include "runtime/model/onnx_file/check.h"

#include <onnx/checker.h>

#include <exception>
#include <new>

#include "runtime/base/error.h"
#include "runtime/model/onnx_file/guarded_inference.h"
#include "runtime/model/onnx_file/read_model.h"

namespace onnxport::onnx_file {

void CheckModel(const std::string& file, const archive::ByteSource& source) {
  try {
    onnx::checker::check_model(file, /*full_check=*/false);
    // What a full check does besides: types are inferred, too, and compared with those that are stated.
    onnx::ModelProto model = ReadModel(source);
    const onnx::ShapeInferenceOptions options(/*check_type_val=*/true, /*strict_mode_val=*/1, /*data_prop_val=*/false);
    InferShapes(&model, options);
  } catch (const Error& error) {
    throw error.Behind(file + ": ");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kBadInput, file + " breaks a rule of ONNX: " + error.what());
  }
}

}  // namespace onnxport::onnx_file
