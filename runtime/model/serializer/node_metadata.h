// The metadata of a model's nodes: the calls that they came from.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::serializer {

// ONNX has metadata_props of nodes from this IR version on (opset 21); before, nodes have a doc_string only.
inline constexpr int kIrVersionWithNodeMetadata = 10;

// With something else in place of what is none.
std::string Utf8(std::string text);

class NodeMetadata {
 public:
  // `source`: the calls. `locations`: theirs, which the nodes share; behind them those of nodes that stand for the call
  // of a whole module (functions/function.h). Both must outlive this.
  NodeMetadata(const ir::Graph& source, const ir::Locations& locations, int ir_version);

  // The next nodes are of the function that the module became. Modules around it are not named any more, as it may
  // stand for other modules, too.
  void EnterFunction(const ir::ModuleCall& module);

  // Appends the fields of a NodeProto that describe `location`, serialized. Calls are either under the keys of
  // PyTorch's exporter, or call and trace are the documentation. The keys are "namespace",
  // "pkg.torch.onnx.class_hierarchy", "pkg.torch.onnx.name_scopes", "pkg.torch.onnx.fx_node" and
  // "pkg.torch.onnx.stack_trace".
  void AppendFieldsOf(ir::LocationId location, std::string* fields);

 private:
  // The modules around a call, outermost first, in the form that each key has them.
  struct Scope {
    std::string space;    // ": Net/fc: Linear/"
    std::string classes;  // "'Net', 'Linear', "
    std::string paths;    // "'', 'fc', "
    int depth = 0;        // how many there are
  };
  void Note(const ir::Block& block);
  void Use(const ir::Arg& arg, const ir::Node* by);
  const Scope& ScopeOf(const ir::ModuleCall* module);
  void AppendFieldsOfCall(ir::LocationId location, std::string* fields);
  void AppendFieldsOfModule(const ir::ModuleCall& module, std::string* fields);
  std::string PathWithin(const std::string& path) const;
  const std::string& TraceOf(const ir::Location& at);

  const ir::Graph& source_;
  const ir::Locations& locations_;
  bool properties_;
  int hidden_ = 0;                          // how many modules around the function are not named
  std::string outer_path_;                  // of the function's module
  std::vector<const ir::Node*> calls_;      // by location; the first of a call's nodes
  std::vector<int> users_;                  // by value
  std::vector<const ir::Node*> last_user_;  // by value
  std::unordered_map<const ir::ModuleCall*, Scope> scopes_;
  std::unordered_map<const ir::SourceLine*, std::string> traces_;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_
