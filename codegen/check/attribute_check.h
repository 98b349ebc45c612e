// Internal to CheckNode: one attribute of a node.
#ifndef ONNXPORT_CODEGEN_CHECK_ATTRIBUTE_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_ATTRIBUTE_CHECK_H_

#include <string_view>

#include "codegen/check/node_check.h"
#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {

// Checks that the schema allows the attribute's value. `node` is the operator's name, for messages.
void CheckAttribute(const AttributeInfo& attribute, std::string_view node, const Operand& operand,
                    const NodeContext& context);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ATTRIBUTE_CHECK_H_
