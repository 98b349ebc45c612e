#ifndef ONNXPORT_RUNTIME_API_OPTIONS_LOWERING_OPTIONS_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_LOWERING_OPTIONS_H_

#include "onnxport/export.h"
#include "runtime/lowering/options.h"

namespace onnxport {

// Throws Error (kUsage) for names that cannot be, domains that no operator is known of, and operators to keep that the
// opset does not have.
lowering::Options LoweringOptions(const ExportOptions& options);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_LOWERING_OPTIONS_H_
