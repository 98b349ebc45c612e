// Infers the type variables of a node's schema from the inputs of the node.
#ifndef ONNXPORT_CODEGEN_CHECK_NODE_TYPES_H_
#define ONNXPORT_CODEGEN_CHECK_NODE_TYPES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/check/node_check.h"
#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {

// An example is ONNX's `T` in Add(A: T, B: T) -> C: T. Each tensor input narrows the set of types for T. If the set
// becomes empty, every call would be wrong. An output of type T has the types in the set.
class NodeTypes {
 public:
  NodeTypes(const OpInfo& schema, const NodeContext& context) : schema_(schema), context_(context) {}

  // Checks the operands, given with the positions of their inputs. Call it once.
  void Check(const std::vector<std::pair<int, const Operand*>>& inputs);
  // Returns the dtypes that the output can still have.
  ir::DTypeSet TypesOf(const FormalParameter& output) const;

 private:
  // The dtypes that the variable can still have, and the operand that narrowed them.
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
