// The sizes that guards of torch.export are about.
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

// By name; both belong to the graph.
using GuardInputs = std::unordered_map<std::string_view, const ir::Value*>;
GuardInputs InputsOf(const ir::Graph& graph);

// The text with `L['x'].size()[1]` as the dimension that it is. Nothing for what no input has.
std::optional<std::string> InSymbols(std::string_view text, const GuardInputs& inputs);

// A comparison of two sizes; nothing for other texts, "A == 4 or B == 1".
struct Comparison {
  ir::Dim left;
  std::string_view sign;
  ir::Dim right;
};
// Reads a text in sympy's words (InSympysWords).
std::optional<Comparison> ReadComparison(const std::string& text);
bool Holds(int64_t left, std::string_view sign, int64_t right);

// "torch.sym_max(1, L['x'].size()[3])" as "Max(1, L['x'].size()[3])".
// Guards are Python, and Dim::Parse reads sympy's words.
std::string InSympysWords(std::string text);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARD_SIZES_H_
