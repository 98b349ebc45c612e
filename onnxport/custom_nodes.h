// Maps operators to nodes of the ONNX operator that a user names. It does not matter whether a spec maps them.
#ifndef ONNXPORT_CUSTOM_NODES_H_
#define ONNXPORT_CUSTOM_NODES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"

namespace onnxport {

// A call of `op` becomes one node. The tensors among its arguments, in order, are the node's inputs. The other
// arguments become attributes with the arguments' names: numbers, texts, dtypes (as ONNX numbers them) and lists of
// those. An argument that is None is left out.
//
// A `.pt2` states the dtype and shape of each result, and the model has these. A `.pt` states nothing: a result is
// taken to have the dtype of the first tensor and an unknown shape, and a remark says so. If a schema describes the
// node, the node is checked against it and gets the result types from it. ONNX's own operators have schemas, and so do
// those that a spec declares with `schema:`.
struct OperatorMapping {
  std::string op;    // "my_ops::relu6"; "my_ops::relu6.out" is that overload only
  std::string node;  // domain, dot, operator: "com.example.Relu6"; an operator of ONNX has no dot: "Relu"
  // Names of the operator's arguments, in order. Only needed if neither the file nor a schema has them: in a `.pt` that
  // calls the operator with arguments other than tensors.
  std::vector<std::string> arguments = {};
};

// Parses the text form, as the command's `--map` has it: "my_ops::relu6=com.example.Relu6", "my_ops::scale(x,
// factor)=com.example.Scale". An error (kUsage) quotes the text and shows the form.
Result<OperatorMapping> ParseMapping(std::string_view text);

// A domain and the version of it that the model imports: "com.example=2", as the command's `--domain` has it.
using DomainVersion = std::pair<std::string, int>;
Result<DomainVersion> ParseDomain(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_CUSTOM_NODES_H_
