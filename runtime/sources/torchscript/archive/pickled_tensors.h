// Makes the tensors of a pickle from the arguments of the functions that would rebuild them.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TENSORS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TENSORS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/pickle.h"

namespace onnxport::torchscript {

// The place of a tensor's elements, as the pickle states it.
struct StorageView {
  std::string storage;  // "FloatStorage"
  std::string key;      // "0": the record is FOLDER/0
  int64_t elements = 0;
  int64_t offset = 0;  // in elements, like the strides
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  ir::DType dtype = ir::DType::kUndefined;
};
using TensorReader = std::function<std::shared_ptr<const ir::TensorData>(const StorageView&)>;

struct Global {
  BudgetText name;  // "torch._utils._rebuild_tensor_v2"
};
struct Storage {
  BudgetText type;
  BudgetText key;
  int64_t elements = 0;
};
// Function names and storages among arguments, by the node that represents them.
struct Placeholders {
  std::unordered_map<const Pickled*, Global> globals;
  std::unordered_map<const Pickled*, Storage> storages;
};

// All of these throw Refusal for arguments that PyTorch's functions never get.

// A persistent id: ('storage', torch.FloatStorage, '0', 'cpu', 16).
Storage StorageOf(const Pickled& id, const Placeholders& placeholders);

// torch._utils._rebuild_tensor_v2(storage, offset, sizes, strides, requires_grad, hooks)
Pickled::Tensor RebuildTensor(const Pickled::Tuple& args, const Placeholders& placeholders,
                              const TensorReader& tensors);

// torch._utils._rebuild_qtensor(storage, offset, sizes, strides, (scheme, scale, zero point[, axis]), ...)
Pickled::Tensor RebuildQuantized(const Pickled::Tuple& args, const Placeholders& placeholders,
                                 const TensorReader& tensors);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLED_TENSORS_H_
