#include "runtime/model/onnx_file/check.h"

#include <onnx/checker.h>

#include <exception>
#include <new>

#include "runtime/base/error.h"
#include "runtime/model/onnx_file/guarded_inference.h"
#include "runtime/model/onnx_file/read_model.h"

namespace onnxport::onnx_file {

namespace {

constexpr size_t kMostOfMessage = 4000;

}  // namespace

void CheckModel(const std::string& file, const archive::ByteSource& source) {
  try {
    onnx::checker::check_model(file, /*full_check=*/false);
    // What a full check does besides: types are inferred, too, and compared with those that are stated.
    onnx::ModelProto model = ReadModel(source);
    const onnx::ShapeInferenceOptions options(/*check_type_val=*/true, /*strict_mode_val=*/1, /*data_prop_val=*/false);
    InferShapes(&model, file, options);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    // ONNX tells of each node; the first ones say it.
    throw Error(ErrorKind::kBadInput,
                file + " breaks a rule of ONNX: " + std::string(error.what()).substr(0, kMostOfMessage));
  }
}

}  // namespace onnxport::onnx_file
