// Turns TorchScript archives (`.pt`, traced or scripted) into an ONNX graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/lowering/options.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"
#include "runtime/sources/torchscript/interpret/traced_numbers.h"
#include "runtime/trace/walk.h"

namespace onnxport::torchscript {

struct InterpretOptions {
  int opset = 0;
  std::string method = "forward";
  // The user's statements about the parameters: tensors with dtype and dimensions, sequences, or values (`n=5`).
  // Elements of containers have dotted names (`d.key`, `t.0`). Other parameters come from the archive's traced inputs
  // or their defaults. A kUsage error names each parameter that is still missing with its type.
  std::vector<Input> inputs;
  // The sizes of named axes in the trace that is the program. It may have recorded them, too.
  AxisSizes traced_sizes = {};
  lowering::Options lowering = {};
  // The numbers in other traces of the program; null if there are none.
  const TracedNumbers* traced = nullptr;
  trace::TraceOptions trace = {};
};

// Interprets the method on symbolic inputs. Host values are computed, and tensor calls become ONNX nodes at once.
// Throws onnxport::Error: kCannotExport with one report of everything that cannot be exported, kUsage for options that
// do not fit. For each call, the report has the user's source line, the module path and an opset that would work.
trace::Traced Interpret(const Program& program, const InterpretOptions& options);

// The code of the method, the classes that it uses and its parameters, as text for `inspect`.
std::string Describe(const Program& program);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_
