// From a program, wherever it comes from, to a Model.
#ifndef ONNXPORT_RUNTIME_API_CONVERT_H_
#define ONNXPORT_RUNTIME_API_CONVERT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/model.h"
#include "runtime/archive/byte_source.h"
#include "runtime/trace/walk.h"

namespace onnxport {

// A program that was read, ready to be traced.
struct TraceableProgram {
  std::shared_ptr<const archive::ByteSource> source;  // what it is called in messages, and whose weights a Model reads
  std::vector<std::string> remarks;                   // what reading left out, as it is shown
  std::vector<Warning> warnings = {};                 // as they are shown
  std::function<trace::Traced()> trace;               // at the opset of the options
  std::string identity = {};                          // of the file (model_properties.h)
  std::vector<std::string> state = {};                // names of its parameters and buffers, in its order
};

// `read` is called once, as the first stage. Throws Error.
Model Convert(const std::function<TraceableProgram()>& read, const ExportOptions& options);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_CONVERT_H_
