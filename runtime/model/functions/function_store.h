// Collects the functions of a model.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_STORE_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_STORE_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/unique_names.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"
#include "runtime/model/functions/body.h"
#include "runtime/model/functions/function.h"

namespace onnxport::functions {

class FunctionStore {
 public:
  // `origins` are those of the graph's values. Both must outlive this.
  FunctionStore(ModularGraph* model, const std::vector<Origin>& origins);

  // Returns a node that replaces `nodes` (which may include calls) and returns `outputs`. It calls an existing function
  // with the same body, or a new one.
  ir::Node Call(const std::shared_ptr<const ir::ModuleCall>& module, std::vector<ir::Node> nodes,
                std::vector<ir::ValueId> outputs);

 private:
  void Add(const std::shared_ptr<const ir::ModuleCall>& module, Body body);
  void Generalize(size_t function, const Body& body);
  std::string ClaimName(const ir::ModuleCall& module);

  ModularGraph& model_;
  const std::vector<Origin>& origins_;
  ir::UniqueNames names_;  // names of the graph's nodes and values
  std::unordered_set<std::string> ops_;
  std::unordered_map<std::string, int> variants_;  // class -> its number of functions
  std::unordered_map<std::string, size_t> by_key_;
  std::vector<std::vector<ir::ValueId>> values_;  // values of each function, in Body's order
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_STORE_H_
