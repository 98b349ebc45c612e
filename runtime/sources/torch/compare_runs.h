// Compares runs of the same program.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_COMPARE_RUNS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_COMPARE_RUNS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::torch_export {

// Prefix for the names of weights that the program did not register; a number follows.
inline constexpr const char* kConstantPrefix = "constant_";

// "batch=2, length=5"
std::string SizesText(const std::map<std::string, int64_t>& sizes);

// One run: the sizes of the named axes, and the recorded calls.
struct Run {
  std::map<std::string, int64_t> sizes;
  ir::Graph graph;
};

// Describes one of the runs, and returns the beginning of a message about a difference between runs.
std::string At(const std::vector<Run>& runs, const Run& run);
const char* Head(const std::vector<Run>& runs);
// Throws Error (kCannotExport).
[[noreturn]] void RefuseRuns(const std::vector<Run>& runs, const std::string& what);

// Throws Error (kCannotExport) unless they made the same calls in the same order, with the same constants.
void CompareRuns(const std::vector<Run>& runs);

// NaN equals NaN.
bool Same(const ir::Arg& a, const ir::Arg& b);

// Returns true if two runs at the same sizes recorded the same calls, arguments, types, places in memory and outputs.
bool AreSame(const ir::Graph& a, const ir::Graph& b);

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_COMPARE_RUNS_H_
