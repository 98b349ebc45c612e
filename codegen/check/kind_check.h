// Checks the kinds of expressions, and every node in them against the ONNX schemas, for one overload at one opset.
#ifndef ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_

#include <set>
#include <vector>

#include "codegen/check/issues.h"
#include "codegen/check/node_check.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// `specialized` has passed the name check. `file_defs` are the definitions of the file, specialized for the same opset.
// Adds dtypes that no case covers to `uncovered`. Returns the numbers of the cases that some arguments can reach. If
// `seen` is not null, it records the kind of every name.
std::set<int> CheckKinds(const SpecializedEntry& specialized, const std::vector<Def>& file_defs, Issues* issues,
                         std::vector<Uncovered>* uncovered, KindsSeen* seen = nullptr);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_KIND_CHECK_H_
