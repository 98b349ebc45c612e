// Reads pickles as data: the contents of `data.pkl`, `constants.pkl` and others, without running anything.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/ir/graph.h"

namespace onnxport::torchscript {

struct Pickled;
// Shared: an object that is reached over two paths is one pointer. Trees may be walked recursively, because the reader
// refuses those deeper than kMaxPickleDepth.
using PickledPtr = std::shared_ptr<const Pickled>;
// The memory budget counts it, because each byte of a pickle may be a value.
using PickledList = std::vector<PickledPtr, BudgetAllocator<PickledPtr>>;
using PickledPairs = std::vector<std::pair<PickledPtr, PickledPtr>, BudgetAllocator<std::pair<PickledPtr, PickledPtr>>>;

struct QuantizerInfo {
  // Per tensor: one scale and zero point. Per channel: one for each index of `axis`.
  std::vector<double> scales;
  std::vector<double> zero_points;
  bool is_whole = true;  // zero points are integers; those of embeddings are not
  int64_t axis = -1;     // -1: per tensor
  int64_t per_byte = 1;  // elements in a byte
  Charge held{};         // for `scales` and `zero_points`
};

struct Pickled {
  struct Tensor {
    // A quantized tensor has the stored integers: int8 for qint8, uint8 for quint8, int32 for qint32. For quint4x2
    // these are the bytes, each with two elements, the first in its lower bits.
    std::shared_ptr<const ir::TensorData> data;      // the same pointer for the same storage, offset, sizes and strides
    std::shared_ptr<const QuantizerInfo> quantizer;  // null: not quantized
    bool requires_grad = false;
  };
  struct List {
    PickledList items;
    std::string type;  // "List[int]" where the archive says so; else empty
  };
  struct Tuple {
    PickledList items;
  };
  struct Dict {
    PickledPairs items;
    std::string type;
  };
  // An instance of a class of the archive ("__torch__.Net") or of a bound C++ class
  // ("__torch__.torch.classes.quantized.Conv2dPackedParamsBase"). `state` is a Dict of attributes, or the result of
  // `__getstate__` if the class has `__setstate__`.
  struct Object {
    std::string type;
    PickledPtr state;
  };
  struct Enum {
    std::string type;
    PickledPtr value;
  };
  struct Device {
    std::string text;
  };
  std::variant<std::monostate, bool, int64_t, double, std::string, Tensor, List, Tuple, Dict, Object, Enum, Device> v;
};

inline constexpr int kMaxPickleDepth = 256;

// "layer1.0.conv1": the path of an object's member `name`.
inline std::string Below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_H_
