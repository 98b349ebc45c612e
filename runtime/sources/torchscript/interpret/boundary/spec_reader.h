// Turns the user's description of an input into the value of a parameter.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_SPEC_READER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_SPEC_READER_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/type.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

class SpecReader {
 public:
  // All outlive this. Errors in specs are added to `mistakes`; the value is then None.
  SpecReader(Heap* heap, trace::Tracer* tracer, std::vector<std::string>* mistakes)
      : heap_(*heap), tracer_(*tracer), mistakes_(*mistakes) {}

  // Returns the value of a parameter of that type: an input of the graph, or the value that the spec fixes.
  Value Read(const Input& spec, const Type& type);
  // Adds an input of the graph.
  Value AddTensor(const std::string& name, ir::DType dtype, std::optional<ir::Dims> dims);
  Value Wrong(const std::string& name, const std::string& what);

 private:
  Value ReadList(const Input& spec, const Type& type);
  Value ReadFixed(const Input& spec, const Type& type);

  Heap& heap_;
  trace::Tracer& tracer_;
  std::vector<std::string>& mistakes_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_SPEC_READER_H_
