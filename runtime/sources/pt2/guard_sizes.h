// The sizes that guards of torch.export are about.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// By name; both belong to the graph.
using GuardInputs = std::unordered_map<std::string_view, const ir::Value*>;
GuardInputs InputsOf(const ir::Graph& graph);

// The text with `L['x'].size()[1]` as the dimension that it is. Nothing for what no input has.
std::optional<std::string> InSymbols(std::string_view text, const GuardInputs& inputs);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_
