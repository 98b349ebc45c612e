// The options on weights.
#ifndef ONNXPORT_RUNTIME_API_WEIGHTS_H_
#define ONNXPORT_RUNTIME_API_WEIGHTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "onnxport/export.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/weights/name_weights.h"
#include "runtime/sources/weights/replacement.h"

namespace onnxport {

// The weights that replace those of a program, or nothing if the options name none. Throws Error.
std::optional<weights::Replacement> ReplacementOf(const ExportOptions& options);

// `Program`: an ir::Graph or a torchscript::Program. From then on its weights know their names. Throws Error.
template <typename Program>
void ReplaceWeights(const ExportOptions& options, Program* program, std::vector<std::string>* remarks) {
  if (std::optional<weights::Replacement> replacement = ReplacementOf(options)) {
    replacement->Apply(program);
    for (std::string& remark : replacement->Remarks()) remarks->push_back(std::move(remark));
  }
  weights::NameWeights(program);
}

// Leaves out unused weights. Marks the others as constants unless they are in `state`, the parameters and buffers.
// Integers from which shapes may have been computed are constants, too.
void MarkConstants(const std::vector<std::string>& state, ir::Graph* graph);

// Settles the inputs of a model that are weights without elements: those after the first `own`. Unused ones are left
// out. Throws Error (kCannotExport) unless the options make inputs of weights; then adds a remark.
void SettleWeights(const ExportOptions& options, size_t own, ir::Graph* model, std::vector<std::string>* remarks);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_WEIGHTS_H_
