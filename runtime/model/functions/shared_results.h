// Results that several modules use and one of them makes.
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
  const std::vector<bool>& leaves;  // used outside of the modules around the list
};

// Takes nodes out of their modules (`modules[i]` becomes kNoModule) whose results other modules use, too, and that
// depend on no weight inside of the module. Example: each layer of a program computes the same mask or the same sizes,
// and after simplification only the first layer does. Then all layers get it from outside, and are the same. A result
// that only others use is the module's own, unless it is a size.
void ReleaseShared(const ir::Graph& graph, const std::vector<ir::Node>& nodes,
                   const std::vector<std::vector<size_t>>& needs, const Knowledge& known, std::vector<int>* modules);

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_SHARED_RESULTS_H_
