// The kinds of expressions, and every node in them against the ONNX schemas: one overload at one opset.
#ifndef ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_

#include <set>
#include <vector>

#include "codegen/check/issues.h"
#include "codegen/check/node_check.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// `specialized` has passed the name check. `file_defs`: of the file, specialized for the same opset. Adds dtypes that
// no case covers to `uncovered`. Returns the numbers of the cases whose condition the kinds of the arguments can
// satisfy. `seen` records every name, if it is not null.
std::set<int> CheckKinds(const SpecializedEntry& specialized, const std::vector<Def>& file_defs, Issues* issues,
                         std::vector<Uncovered>* uncovered, KindsSeen* seen = nullptr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_
