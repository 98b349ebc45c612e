// Finds the attributes that a method changes in its module, for its next call: `self.h = h`.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_ATTRIBUTES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Attributes {
 public:
  // Stores the current attributes of the module, and of all objects, lists and dicts in it.
  explicit Attributes(const Value& module);
  // Call it after the method and its outputs. If an attribute has another tensor now, this is the weight's new value.
  // With `kept`, another changed attribute is a failure, because a model cannot keep it. Without `kept` it is a remark.
  void TellChanges(bool kept, trace::Tracer* tracer) const;

 private:
  struct Kept {
    CellPtr cell;
    std::string path;
    ValueMap attributes;  // of an object
    ValueList items;      // of a list or dict
  };
  std::vector<Kept> kept_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_ATTRIBUTES_H_
