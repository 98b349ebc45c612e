// The functions of a model while they are made.
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
  // `origins`: of the graph's values. Both must outlive this.
  FunctionStore(ModularGraph* model, const std::vector<Origin>& origins);

  // The node that stands for `nodes`, which may have calls among them, and gives `outputs`: it calls a function that is
  // there, or one that is made of them.
  ir::Node Call(const std::shared_ptr<const ir::ModuleCall>& module, std::vector<ir::Node> nodes,
                std::vector<ir::ValueId> outputs);

 private:
  void Add(const std::shared_ptr<const ir::ModuleCall>& module, Body body);
  void Generalize(size_t function, const Body& body);
  std::string ClaimName(const ir::ModuleCall& module);

  ModularGraph& model_;
  const std::vector<Origin>& origins_;
  ir::UniqueNames names_;  // of nodes and values of the graph
  std::unordered_set<std::string> ops_;
  std::unordered_map<std::string, int> variants_;  // of classes: how many functions
  std::unordered_map<std::string, size_t> by_key_;
  std::vector<std::vector<ir::ValueId>> values_;  // of each function, as Body has them
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_FUNCTION_STORE_H_
