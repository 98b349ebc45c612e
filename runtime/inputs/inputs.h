// `--input NAME=...`: the user's description of an input.
#ifndef ONNXPORT_RUNTIME_INPUTS_INPUTS_H_
#define ONNXPORT_RUNTIME_INPUTS_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/dim.h"
#include "onnxport/input.h"
#include "runtime/ir/graph.h"

namespace onnxport::inputs {

inline constexpr size_t kMaxRank = 64;

// Returns true if the text can be the name of an axis: letters, digits and `_`, no digit first.
bool IsAxisName(std::string_view text);

// Returns true for a sum of names and numbers: `past + sequence`, `past + 1`.
bool IsAxisSum(std::string_view text);

// Returns the size that a name or a sum stands for.
ir::Dim DimOfAxis(std::string_view text);

// Reads `a`, `3`, `?`, `a=1..64`, `a+1`. Throws Error (kUsage) that names the mistake.
Dim ParseDim(std::string_view dim);

// Reads `[a,3,?]` without its brackets. Throws Error (kUsage) that names the mistake.
std::vector<Dim> ParseDims(std::string_view list);

// Returns the name of a free axis that has none from the user or the program: "x_axis0".
std::string AxisName(std::string_view input, size_t axis);

// Applies the rules of the text form to the axes of an input: no negative size, valid names. The Error (kUsage) begins
// with `where`, for example "input 'x'".
void CheckDims(const std::string& where, const std::vector<Dim>& dims);

// Checks inputs that a program gives without the text form. Each must have a name, and a type or a value.
void Check(const std::vector<Input>& inputs);

// Returns the ranges that the user promises for named axes. Throws Error (kUsage) if a name has two ranges, or a range
// begins below 1: nothing is known about programs on empty tensors.
ir::Ranges RangesOf(const std::vector<Input>& inputs);

// Reads tensors `x=f32[batch,3,224,224]`, `n=i64[]`, `x=f32`; lists `xs=list[f32[n,4]]`; values `n=5`, `s=0.5`,
// `flag=true`, `opt=none`, `mode=sum`, `mode='f32'`. Throws Error (kUsage) that quotes the text and shows the form.
Input ParseInput(std::string_view text);

// An axis whose size is fixed in the file, and which the user wants free.
struct FreedAxis {
  std::string symbol;  // its new symbol
  int64_t size = 0;    // in the file
  std::string where;   // "axis 1 of input 'x'"
};

// Applies the user's inputs to a graph that knows its own (.pt2). In every dimension of the graph it renames symbols to
// the user's names, and replaces symbols by the user's numbers. If the user names an axis that the file fixed, a symbol
// replaces the number, only in the input. The caller gets these axes, to free other places that state the size
// (pt2/replay/free_axes.h). Throws Error (kUsage) with all mistakes: an unknown input, another dtype or rank, a number
// or range outside a symbol's range, a number other than a fixed axis. One name on two axes that may differ in the file
// is a promise that they are equal. After an error the graph is unusable.
std::vector<FreedAxis> ApplyInputs(ir::Graph* graph, const std::vector<Input>& inputs);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_INPUTS_H_
