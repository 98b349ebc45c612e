// Lists the operators of a program with the nodes that they became.
#ifndef ONNXPORT_RUNTIME_API_REPORTS_OPERATORS_OF_H_
#define ONNXPORT_RUNTIME_API_REPORTS_OPERATORS_OF_H_

#include <vector>

#include "onnxport/model.h"
#include "runtime/ir/graph.h"

namespace onnxport {

// `model`: the nodes that the calls of `source` became; they share its locations.
std::vector<Model::Operator> OperatorsOf(const ir::Graph& source, const ir::Graph& model);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_REPORTS_OPERATORS_OF_H_
