// Decides if a value can be passed for an argument of an ATen schema, and converts it.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ARGUMENT_MATCHER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ARGUMENT_MATCHER_H_

#include <cstdint>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// The conversions that this pass allows.
enum class Pass : uint8_t { kAsIs, kConverting, kIntAsFloat };

class ArgumentMatcher {
 public:
  ArgumentMatcher(trace::Tracer* tracer, Pass pass) : tracer_(tracer), pass_(pass) {}

  // `is_last`: the last positional argument, where `zeros(2)` means `zeros([2])`.
  bool Takes(const ir::AtenType& type, const Value& value, bool is_last) const;
  // Converts a value that `Takes` accepts. Conversions are calls of the tracer.
  ir::Arg Convert(const ir::AtenType& type, const Value& value) const;

 private:
  // Returns true for a number that stands for a list of it; its type must be exactly the element's.
  bool IsElement(const ir::AtenType& type, const Value& value) const;
  bool TakesOne(const ir::AtenType& type, const Value& value) const;
  bool TakesAll(const ir::AtenType& type, const ValueList& items) const;
  bool TakesList(const ir::AtenType& type, const Cell& list) const;

  ir::Arg ConvertOne(const ir::AtenType& type, const Value& value) const;
  ir::Arg ConvertNumber(bool to_float, bool to_int, const Value& value) const;
  ir::Arg FromRun(const ir::Arg& number, bool to_float, bool to_int) const;
  ir::Arg ConvertAll(const ir::AtenType& type, const ValueList& items) const;
  ir::Arg ConvertList(const ir::AtenType& type, const Cell& list) const;

  trace::Tracer* tracer_;
  Pass pass_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_ARGUMENT_MATCHER_H_
