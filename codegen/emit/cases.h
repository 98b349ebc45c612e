// The conformance tests of one spec file, as the data that tests/conformance/case.h describes.
#ifndef ONNXPORT_CODEGEN_EMIT_CASES_H_
#define ONNXPORT_CODEGEN_EMIT_CASES_H_

#include <string>

#include "codegen/emit/family.h"
#include "codegen/emit/template.h"

namespace onnxport::codegen {

// F.cases.gen.cc. `family` is what WriteFamily made of the same spec.
std::string CasesText(const CheckedSpec& spec, const FamilyCode& family, Templates* templates);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_CASES_H_
