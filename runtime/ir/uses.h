#ifndef ONNXPORT_RUNTIME_IR_USES_H_
#define ONNXPORT_RUNTIME_IR_USES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// The values of a graph that the arguments added so far use.
class Uses {
 public:
  explicit Uses(const Graph& graph) : Uses(graph.values.size()) {}
  // `values` is the number of values in the graph.
  explicit Uses(size_t values) : used_(values) {}

  // Includes values in lists.
  void Add(const Arg& arg);
  void Add(const std::vector<Arg>& args);
  bool Has(ValueId value) const { return value != ValueId::kNone && used_[static_cast<size_t>(value)]; }
  bool Any(std::span<const ValueId> values) const;

 private:
  std::vector<bool> used_;
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_USES_H_
