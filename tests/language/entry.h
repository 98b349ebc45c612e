// An entry of a spec, evaluated as it is written: no specializing, no plan, no C++.
#ifndef ONNXPORT_TESTS_LANGUAGE_ENTRY_H_
#define ONNXPORT_TESTS_LANGUAGE_ENTRY_H_

#include "codegen/model/spec.h"
#include "runtime/lowering/dsl/context.h"

namespace onnxport::language {

// The results of the file's first entry for the call of `context`. It handles lets, definitions, folds and cases that
// `emit`; a name is computed when it is first read. Throws Refusal.
lowering::Vals RunEntry(const codegen::SpecFile& spec, lowering::Context* context);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_ENTRY_H_
