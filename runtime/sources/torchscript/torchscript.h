// TorchScript archives (`.pt`, traced or scripted) -> ONNX graph.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_

#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/lowering/options.h"
#include "runtime/sources/torchscript/archive/program.h"
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
  lowering::Options lowering = {};
  // The numbers of other traces of the program; null where there are none.
  const TracedNumbers* traced = nullptr;
  trace::TraceOptions trace = {};
};

// Interprets the method on symbolic inputs: host values are computed, tensor calls become ONNX nodes at once.
// Throws onnxport::Error: kCannotExport with one report of all that cannot be exported, kUsage for options that do not
// fit. The report has the user's source line, module path and an opset that would do for each call.
trace::Traced Interpret(const Program& program, const InterpretOptions& options);

// The method's code, the classes it uses and the parameters, as text: `inspect`.
std::string Describe(const Program& program);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_TORCHSCRIPT_H_
