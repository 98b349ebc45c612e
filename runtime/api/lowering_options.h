#ifndef ONNXPORT_RUNTIME_API_LOWERING_OPTIONS_H_
#define ONNXPORT_RUNTIME_API_LOWERING_OPTIONS_H_

#include "onnxport/export.h"
#include "runtime/lowering/options.h"

namespace onnxport {

// Throws Error (kUsage) for names that cannot be, and domains that no operator is known of.
lowering::Options LoweringOptions(const ExportOptions& options);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_LOWERING_OPTIONS_H_
