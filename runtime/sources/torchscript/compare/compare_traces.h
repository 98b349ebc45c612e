// Several traces of one model, at other sizes of its inputs: what differs in their code.
//
// A trace keeps what it computed of a size with operators (`torch.size`), and has burnt in what Python made a number
// of. So nothing but integers may differ between two traces; everything else that does says that the axes cannot be
// free.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_TRACES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_TRACES_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/sources/fit/number_fit.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// An integer of the code that is not the same in all traces.
struct DifferentNumber {
  fit::Observed seen;  // one for each trace
  std::string op;      // the call that it is an argument of: "torch.view"
};
using DifferentNumbers = std::unordered_map<const Expr*, DifferentNumber>;

// The sizes that the named axes had in a trace.
using AxisSizes = std::map<std::string, int64_t>;

// A trace of the model that is exported, the first of them, or another one of it.
struct TracedProgram {
  const Program* program = nullptr;
  AxisSizes sizes;
};

// The integers of the first trace's code that are others in others; all of them must do the same with the same weights.
// Throws Error (kCannotExport) that names the first call, number or weight that differs otherwise, its source line and
// the sizes at which.
DifferentNumbers CompareTraces(const std::vector<TracedProgram>& traces);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_TRACES_H_
