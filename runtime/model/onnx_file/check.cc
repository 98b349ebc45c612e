#include "runtime/model/onnx_file/check.h"

#include <onnx/checker.h>

#include <algorithm>
#include <exception>
#include <string>

#include "runtime/base/error.h"

namespace onnxport::onnx_file {

void CheckModel(const std::string& file) {
  try {
    // `full_check` infers types, too, and compares them with those that are stated.
    onnx::checker::check_model(file, /*full_check=*/true);
  } catch (const std::exception& error) {
    // ONNX's own messages have several lines; what looks like one of ours is to be one.
    std::string text = error.what();
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    throw Error(ErrorKind::kBadInput, file + " breaks a rule of ONNX: " + text);
  }
}

}  // namespace onnxport::onnx_file
