// Converts SaveOptions for the writer.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_WRITE_OPTIONS_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_WRITE_OPTIONS_H_

#include "onnxport/model.h"
#include "runtime/model/serializer/serializer.h"

namespace onnxport {

// `options` outlive what is returned. Throws Error (kUsage).
serializer::WriteOptions WriteOptionsOf(const SaveOptions& options);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_WRITE_OPTIONS_H_
