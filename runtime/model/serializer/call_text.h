// Prints calls of the source program as PyTorch does.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_

#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// "aten::add.Tensor" becomes "aten.add.Tensor", "aten::relu" becomes "aten.relu.default", and an instruction becomes
// "<built-in function mul>".
std::string TargetText(const ir::Operator& op);

// Prints the call as torch.fx prints a node: `%add_1 : [num_users=2] =
// call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {alpha: 2})`. Arguments with the schema's
// default are left out.
std::string CallText(const ir::Graph& graph, const ir::Node& call, std::string_view name, int users);

// Like Python's `repr`: 'it\'s'
std::string PythonText(std::string_view text);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_
