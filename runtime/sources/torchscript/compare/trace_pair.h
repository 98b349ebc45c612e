// Two traces to compare, and their names in messages.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACE_PAIR_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACE_PAIR_H_

#include <string>

#include "runtime/sources/torchscript/compare/compare_traces.h"

namespace onnxport::torchscript {

struct TracePair {
  const TracedProgram& a;
  const TracedProgram& b;

  // "a.pt (batch=2, seq=10)"
  static std::string Name(const TracedProgram& trace);
  // Throws Error (kCannotExport).
  [[noreturn]] static void Refuse(const std::string& what);
  // `path` is that of a module or its member: "layer1.0.conv1".
  [[noreturn]] void RefuseValue(const std::string& path) const;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_TRACE_PAIR_H_
