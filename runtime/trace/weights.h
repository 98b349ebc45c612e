// The weights of a program, by their data.
#ifndef ONNXPORT_RUNTIME_TRACE_WEIGHTS_H_
#define ONNXPORT_RUNTIME_TRACE_WEIGHTS_H_

#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

class Weights {
 public:
  std::optional<ir::ValueId> Find(const ir::TensorData& data) const {
    const auto found = ids_.find(&data);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  bool Has(ir::ValueId id) const { return weights_.contains(id); }

  // Adds a weight. Returns the first one with its storage, if there is another.
  std::optional<ir::ValueId> Add(std::shared_ptr<const ir::TensorData> data, ir::ValueId id) {
    const auto [first, is_new] = storages_.try_emplace(data->bytes->storage(), id);
    ids_[data.get()] = id;
    weights_.insert(id);
    data_.push_back(std::move(data));
    return is_new ? std::nullopt : std::optional(first->second);
  }

 private:
  std::unordered_map<const ir::TensorData*, ir::ValueId> ids_;
  std::unordered_set<ir::ValueId> weights_;
  std::unordered_map<const void*, ir::ValueId> storages_;
  std::vector<std::shared_ptr<const ir::TensorData>> data_;  // weights are known by their addresses
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_WEIGHTS_H_
