// Calls of the source program as PyTorch writes them.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_

#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// "aten.add.Tensor" of "aten::add.Tensor", "aten.relu.default" of "aten::relu", "<built-in function mul>" of an
// instruction.
std::string TargetText(const ir::Operator& op);

// The call as torch.fx prints a node: `%add_1 : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args =
// (%x, %y), kwargs = {alpha: 2})`. Arguments that are the schema's defaults are left out.
std::string CallText(const ir::Graph& graph, const ir::Node& call, std::string_view name, int users);

// As `repr` of Python: 'it\'s'
std::string PythonText(std::string_view text);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_CALL_TEXT_H_
