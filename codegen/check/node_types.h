// The type variables of a node's schema: what the tensors that it gets leave of them.
#ifndef ONNXPORT_CODEGEN_CHECK_NODE_TYPES_H_
#define ONNXPORT_CODEGEN_CHECK_NODE_TYPES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/check/node_check.h"
#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {

// ONNX's `T`: Add(A: T, B: T) -> C: T. Each tensor input narrows what T may be; when nothing is left, no call could be
// right. An output of type T has what is left.
class NodeTypes {
 public:
  NodeTypes(const OpInfo& schema, const NodeContext& context) : schema_(schema), context_(context) {}

  // The operands with the positions of the inputs that they are. Once.
  void Check(const std::vector<std::pair<int, const Operand*>>& inputs);
  // Those that are left.
  ir::DTypeSet TypesOf(const FormalParameter& output) const;

 private:
  // The dtypes that the variable may have, and the operand that decided them.
  struct Variable {
    ir::DTypeSet dtypes;
    ir::DTypeSet allowed;
    std::string inputs;  // "A: {float32}, B: {int64}"
    bool conflict = false;
  };

  ir::DTypeSet DTypesOf(const FormalParameter& parameter) const { return schema_.VariableOf(parameter).allowed; }
  ir::DTypeSet Allowed(const FormalParameter& input) const;
  std::string VariableName(const FormalParameter& input, int position) const;
  void CheckLossless(const FormalParameter& input, ir::DTypeSet dtypes, const ExprPtr& expr);
  void AddTensor(const FormalParameter& input, const std::string& name, ir::DTypeSet dtypes, const ExprPtr& expr);
  void CheckConstant(const FormalParameter& input, int position, const Operand& operand);
  void Issue(const Place& place, const std::string& what, const std::string& more = "") {
    context_.issues->Add(place, context_.opset, what, more);
  }

  const OpInfo& schema_;
  const NodeContext& context_;
  std::map<std::string, Variable> variables_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_NODE_TYPES_H_
