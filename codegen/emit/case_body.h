// Internal to WriteFunction: what a case gives.
#ifndef ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_
#define ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_

#include "codegen/emit/block.h"
#include "codegen/emit/cpp.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// The last statement of a case, at the end of its block. `several_results`: by the operator's schema.
cpp::Statement ResultOf(const Body& body, bool several_results, const BlockWriter& block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_
