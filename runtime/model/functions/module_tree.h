// Finds the calls of modules around nodes.
#ifndef ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MODULE_TREE_H_
#define ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MODULE_TREE_H_

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::functions {

class ModuleTree {
 public:
  // Holds the modules of `graph` whose classes are named, in full ("torch.nn.modules.linear.Linear") or by the last
  // part. Without names it holds all modules, except the model itself. Throws Error (kUsage) for a class without a
  // module. `graph` must outlive this.
  ModuleTree(const ir::Graph& graph, std::vector<std::string> classes);

  // Returns the numbers of the calls around a location, outermost first.
  const std::vector<int>& Around(ir::LocationId location);
  const std::shared_ptr<const ir::ModuleCall>& call(int number) const { return calls_[static_cast<size_t>(number)]; }

 private:
  const std::vector<int>& Around(const std::shared_ptr<const ir::ModuleCall>& innermost);
  bool IsWanted(const ir::ModuleCall& call) const;
  void CheckClasses() const;

  const ir::Graph& graph_;
  std::vector<std::string> classes_;
  std::vector<std::shared_ptr<const ir::ModuleCall>> calls_;
  std::map<std::tuple<int, std::string, int>, int> numbers_;  // key: outer call, path, number
  std::unordered_map<const ir::ModuleCall*, std::vector<int>> around_;
};

}  // namespace onnxport::functions

#endif  // ONNXPORT_RUNTIME_MODEL_FUNCTIONS_MODULE_TREE_H_
