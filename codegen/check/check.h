// Everything that can be known of a spec file while building. All mistakes are reported together.
#ifndef ONNXPORT_CODEGEN_CHECK_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_CHECK_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

struct CheckOptions {
  std::set<std::string> domains;  // that targets offer besides ONNX's own
  bool notes = false;             // also dtypes that no case covers
};

// For every entry, overload and opset from FirstOpset() to LastOpset(). A file without errors can be emitted.
// Names claimed twice within the file are found too.
void CheckSpec(const SpecFile& spec, const CheckOptions& options, Diagnostics* diagnostics);

// Names that two entries claim, in one file or in two.
void CheckClaims(const std::vector<SpecFile>& specs, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_CHECK_H_
