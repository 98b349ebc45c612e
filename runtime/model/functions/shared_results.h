// Finds results that one module computes and others use, too.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SHARED_RESULTS_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SHARED_RESULTS_H_

#include <cstddef>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/body.h"

namespace onnxport::functions {

// By value.
struct Knowledge {
  const std::vector<Origin>& origins;
  const std::vector<bool>& leaves;  // values used outside the modules around the list
};

// Takes some nodes out of their modules (`modules[i]` becomes kNoModule): those whose results other modules use, too,
// and that depend on no weight inside the module. For example, each layer of a program computes the same mask or sizes,
// and after simplification only the first layer does. Then all layers get it from outside, so they stay equal. A result
// that only other modules use belongs to the module, unless it is a size.
void ReleaseShared(const ir::Graph& graph, const std::vector<ir::Node>& nodes,
                   const std::vector<std::vector<size_t>>& needs, const Knowledge& known, std::vector<int>* modules);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SHARED_RESULTS_H_
