// The attributes that a method changes in its module, where the next call finds them: `self.h = h`.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_ATTRIBUTES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class Attributes {
 public:
  // Those of the module and of all objects, lists and dicts in it, as they are now.
  explicit Attributes(const Value& module);
  // After the method, and after its outputs. A tensor that is another one now is what the weight becomes. With `kept`,
  // what is no tensor and another value now is a failure, as a model cannot keep it; else it is remarked on.
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
