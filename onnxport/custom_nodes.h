// Operators that become nodes of the ONNX operator that a user names, whether a spec maps them or not.
#ifndef ONNXPORT_CUSTOM_NODES_H_
#define ONNXPORT_CUSTOM_NODES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"

namespace onnxport {

// A call of `op` becomes one node: tensors among its arguments, in their order, are the inputs, the other arguments are
// attributes by their names (numbers, texts, dtypes as ONNX numbers them, and lists of those; None is left out).
//
// What a `.pt2` states of the results is their type in the model. A `.pt` states nothing: a result is taken to be of
// the dtype of the first tensor, of unknown shape, and a remark says so. Where a schema describes the node (ONNX's own
// operators, and those that a spec declares with `schema:`) it is checked against it, and gives the types.
struct OperatorMapping {
  std::string op;    // "my_ops::relu6"; with an overload, "my_ops::relu6.out", only that one
  std::string node;  // domain, dot, operator: "com.example.Relu6"; without a dot one of ONNX's own: "Relu"
  // Names of the operator's arguments, in order, where neither the file nor a schema says them: in a `.pt` that calls
  // an operator with arguments that are no tensors.
  std::vector<std::string> arguments = {};
};

// "my_ops::relu6=com.example.Relu6", "my_ops::scale(x, factor)=com.example.Scale": the text form, as the command's
// `--map` has it. An error (kUsage) quotes the text and shows the form.
Result<OperatorMapping> ParseMapping(std::string_view text);

// "com.example=2": a domain and the version of it that the model imports, as the command's `--domain` has it.
using DomainVersion = std::pair<std::string, int>;
Result<DomainVersion> ParseDomain(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_CUSTOM_NODES_H_
