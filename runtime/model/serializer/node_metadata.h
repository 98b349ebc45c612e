// The metadata of a model's nodes: the calls that they came from.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::serializer {

// From this IR version on (opset 21), ONNX's nodes have metadata_props. Before, they only have a doc_string.
inline constexpr int kIrVersionWithNodeMetadata = 10;

// Replaces bytes that are not valid UTF-8.
std::string Utf8(std::string text);

class NodeMetadata {
 public:
  // `source` has the calls. `locations` are those of the calls, shared by the nodes; after them come those of nodes
  // that call the function of a whole module (functions/function.h). Both must outlive this.
  NodeMetadata(const ir::Graph& source, const ir::Locations& locations, int ir_version);

  // The next nodes belong to the function of this module. Modules around it are left out from now on, because the
  // function may also represent modules at other places.
  void EnterFunction(const ir::ModuleCall& module);

  // Appends serialized fields of a NodeProto that describe `location`. The call is stored under the keys of PyTorch's
  // exporter, or, with the trace, in the documentation. The keys are "namespace", "pkg.torch.onnx.class_hierarchy",
  // "pkg.torch.onnx.name_scopes", "pkg.torch.onnx.fx_node" and "pkg.torch.onnx.stack_trace".
  void AppendFieldsOf(ir::LocationId location, std::string* fields);

 private:
  // The modules around a call, outermost first, in the form of each key.
  struct Scope {
    std::string space;    // ": Net/fc: Linear/"
    std::string classes;  // "'Net', 'Linear', "
    std::string paths;    // "'', 'fc', "
    int depth = 0;        // number of modules
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
  int hidden_ = 0;                          // number of modules around the function, which are left out
  std::string outer_path_;                  // path of the function's module
  std::vector<const ir::Node*> calls_;      // by location; the first node of a call
  std::vector<int> users_;                  // by value
  std::vector<const ir::Node*> last_user_;  // by value
  std::unordered_map<const ir::ModuleCall*, Scope> scopes_;
  std::unordered_map<const ir::SourceLine*, std::string> traces_;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_NODE_METADATA_H_
