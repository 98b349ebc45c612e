// Reads the sizes in the guards of torch.export.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/ir/dim.h"
#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// The inputs by name. Names and values belong to the graph.
using GuardInputs = std::unordered_map<std::string_view, const ir::Value*>;
GuardInputs InputsOf(const ir::Graph& graph);

// Replaces `L['x'].size()[1]` in the text by its dimension. Returns nothing if no input has that size.
std::optional<std::string> InSymbols(std::string_view text, const GuardInputs& inputs);

// A comparison of two sizes. Other texts, such as "A == 4 or B == 1", are none.
struct Comparison {
  ir::Dim left;
  std::string_view sign;
  ir::Dim right;
};
// Reads a text in sympy's syntax (InSympysWords).
std::optional<Comparison> ReadComparison(const std::string& text);
bool Holds(int64_t left, std::string_view sign, int64_t right);

// Converts a guard from Python to sympy's syntax, which Dim::Parse reads: "torch.sym_max(1, L['x'].size()[3])" becomes
// "Max(1, L['x'].size()[3])".
std::string InSympysWords(std::string text);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_
