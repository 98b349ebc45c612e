// Converts the pickled objects of the archive to values: modules, lists, tensors.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OBJECTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OBJECTS_H_

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/boundary/weights.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// An object that is reached twice is one cell. Tensors become weights, named by their first path.
class ObjectReader {
 public:
  using CallSetState = std::function<void(const Function& method, ValueList arguments)>;
  // All must outlive the reader.
  ObjectReader(const Program& program, Heap* heap, Weights* weights, CallSetState set_state)
      : program_(program), heap_(*heap), weights_(*weights), set_state_(std::move(set_state)) {}

  // `path` is like "layer1.0.conv1"; empty for the module itself.
  Value Read(const PickledPtr& pickled, const std::string& path);

 private:
  Value ReadList(const Pickled::List& list, const std::string& path, const CellPtr& cell);
  Value ReadDict(const Pickled::Dict& dict, const std::string& path, const CellPtr& cell);
  Value ReadTuple(const Pickled::Tuple& tuple, const std::string& path);
  Value ReadObject(const Pickled::Object& object, const std::string& path, const Pickled* identity);
  Value ReadEnum(const Pickled::Enum& value);
  Value ReadTensor(const Pickled::Tensor& tensor, const std::string& path);
  void SetAttributes(const CellPtr& cell, const Pickled::Dict& state);
  void SetState(const CellPtr& cell, const Function& method, const PickledPtr& state);

  const Program& program_;
  Heap& heap_;
  Weights& weights_;
  CallSetState set_state_;
  std::unordered_map<const Pickled*, Value> read_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_OBJECTS_H_
