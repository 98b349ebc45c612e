// The options on what is to run the model.
#ifndef ONNXPORT_RUNTIME_API_TARGET_OPTIONS_H_
#define ONNXPORT_RUNTIME_API_TARGET_OPTIONS_H_

#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/ir/graph.h"

namespace onnxport {

// The opset that is asked for; else the newest that both the target and the exporter know, and at which the target
// makes floats of weights that are stored as integers, if some are to be; without a target kDefaultOpset.
int OpsetOf(const ExportOptions& options);

// Throws Error (kUsage) for a target that there is not, and for notes on none.
void CheckTargetName(const ExportOptions& options);

// Of a graph with its final names. Throws Error (kCannotExport) with all of it that would not run on the target, or
// makes remarks of that.
void CheckTarget(const ExportOptions& options, const ir::Graph& model, std::vector<std::string>* remarks);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_TARGET_OPTIONS_H_
