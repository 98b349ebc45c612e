// Checks one node against the ONNX operator schema of an opset.
#ifndef ONNXPORT_CODEGEN_CHECK_NODE_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_NODE_CHECK_H_

#include <string>
#include <vector>

#include "codegen/check/issues.h"
#include "codegen/check/kind.h"
#include "codegen/check/kinds_seen.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

struct Operand {
  ExprPtr expr;
  Kind kind;
  bool splat = false;     // `*list`: any number of inputs
  std::string name = {};  // `name=expr`: an attribute or an input, as the schema says
};

// A dtype of an argument that a node does not accept and no `compute_in` covers. It is refused at export.
struct Uncovered {
  Place place;
  std::string op;
  ir::DTypeSet dtypes;
};

struct NodeContext {
  int opset = 0;
  const ComputeIn* compute_in = nullptr;  // in force; may be null
  Issues* issues = nullptr;
  std::vector<Uncovered>* uncovered = nullptr;
  KindsSeen* seen = nullptr;  // may be null
};

// Checks existence, arity, argument names, kinds and type variables. Returns the kind of the node: a tensor, or a list
// of tensors if it has `outputs=`.
Kind CheckNode(const Expr& node, const std::vector<Operand>& operands, const NodeContext& context);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_NODE_CHECK_H_
