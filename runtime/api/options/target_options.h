// The options on what is to run the model.
#ifndef ONNXPORT_RUNTIME_API_OPTIONS_TARGET_OPTIONS_H_
#define ONNXPORT_RUNTIME_API_OPTIONS_TARGET_OPTIONS_H_

#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/ir/graph.h"

namespace onnxport {

// The opset of the options. Without one it is the newest that both the target and the exporter know. If some weights
// are to be stored as integers, the target must convert them to floats at that opset. Without a target it is
// kDefaultOpset.
int OpsetOf(const ExportOptions& options);

// Throws Error (kUsage) for a target that does not exist, and for notes without a target.
void CheckTargetName(const ExportOptions& options);

// Checks a graph with its final names. Throws one Error (kCannotExport) for everything that would not run on the
// target, or makes remarks of that.
void CheckTarget(const ExportOptions& options, const ir::Graph& model, std::vector<std::string>* remarks);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_OPTIONS_TARGET_OPTIONS_H_
