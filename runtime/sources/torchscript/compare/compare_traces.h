// Compares the code of several traces of one model, taken with inputs of other sizes.
//
// A trace contains operators that computed something from a size (`torch.size`), but a number that Python computed is a
// constant in it. So two traces may differ only in integers. Any other difference means that the axes cannot be free.
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

// An integer of the code that differs between traces.
struct DifferentNumber {
  fit::Observed seen;  // one for each trace
  std::string op;      // the call with this argument: "torch.view"
};
using DifferentNumbers = std::unordered_map<const Expr*, DifferentNumber>;

// The sizes of the named axes in a trace.
using AxisSizes = std::map<std::string, int64_t>;

// Throws Error (kUsage): a size is stated of an axis that no input has.
[[noreturn]] void FailNoSuchAxis(const std::string& name);

// The trace that is exported, if it is the first one, or another trace of the same model.
struct TracedProgram {
  const Program* program = nullptr;
  AxisSizes sizes;
};

// Returns the integers of the first trace's code that differ in other traces. The traces must otherwise make the same
// calls with the same weights. Throws Error (kCannotExport) for the first other difference, with the call, number or
// weight, its source line and the sizes.
DifferentNumbers CompareTraces(const std::vector<TracedProgram>& traces);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_TRACES_H_
