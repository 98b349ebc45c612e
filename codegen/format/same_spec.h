// Compares the meaning of two spec files.
#ifndef ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_
#define ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_

#include <string>

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Returns the first difference, ignoring places: the operator or definition, and the part. Empty if there is none.
std::string Difference(const SpecFile& a, const SpecFile& b);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_
