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

// What the options put in place of a program's weights: nothing where they say nothing. Throws Error.
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

// Leaves out the weights that nothing uses, and says of the others which are none of the `state`, that is, of the
// parameters and buffers. Integers that shapes may have been computed of are none either.
void MarkConstants(const std::vector<std::string>& state, ir::Graph* graph);

// Of a model before it is written: those inputs behind the first `own` are weights without elements. Those that nothing
// uses are left out. Throws Error (kCannotExport) where the options do not make inputs of them; else remarks on it.
void SettleWeights(const ExportOptions& options, size_t own, ir::Graph* model, std::vector<std::string>* remarks);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_WEIGHTS_H_
