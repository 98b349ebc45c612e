// Internal to WriteFunction: the results of a case.
#ifndef ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_
#define ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_

#include "codegen/emit/block.h"
#include "codegen/emit/cpp.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Returns the last statement of a case. `several_results` is true if the operator's schema has several results.
cpp::Statement ResultOf(const Body& body, bool several_results, const BlockWriter& block);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_CASE_BODY_H_
