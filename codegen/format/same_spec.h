// Whether two spec files say the same.
#ifndef ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_
#define ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_

#include <string>

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// What is not the same, places aside: the operator or definition, and the part. Empty when everything is.
std::string Difference(const SpecFile& a, const SpecFile& b);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_SAME_SPEC_H_
