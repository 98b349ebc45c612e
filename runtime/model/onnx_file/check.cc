#include "runtime/model/onnx_file/check.h"

#include <onnx/checker.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

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
    // A full check also infers types, and compares them with the stated ones.
    onnx::ModelProto model = ReadModel(source);
    const onnx::ShapeInferenceOptions options(/*check_type_val=*/true, /*strict_mode_val=*/1, /*data_prop_val=*/false);
    InferShapes(&model, file, options);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    // ONNX reports each node; only the first ones are shown. Its messages have several lines. Only messages of ours may
    // look like ours.
    std::string text = std::string(error.what()).substr(0, kMostOfMessage);
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    throw Error(Code::kBadOnnxFile, file + " breaks a rule of ONNX: " + text);
  }
}

}  // namespace onnxport::onnx_file
