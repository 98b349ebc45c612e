// `--input NAME=...`: what the user says of an input.
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

// The size that a name or a sum stands for.
ir::Dim DimOfAxis(std::string_view text);

// `a`, `3`, `?`, `a=1..64`, `a+1`. Throws Error (kUsage) that says what is wrong.
Dim ParseDim(std::string_view dim);

// `[a,3,?]` without its brackets. Throws Error (kUsage) that says what is wrong.
std::vector<Dim> ParseDims(std::string_view list);

// The name of a free axis for which neither the user nor the program has one: "x_axis0".
std::string AxisName(std::string_view input, size_t axis);

// Holds the axes of an input to the rules of the text form: no negative size, names that are names. `where`
// ("input 'x'") begins the Error (kUsage).
void CheckDims(const std::string& where, const std::vector<Dim>& dims);

// The same of what a program says of inputs without the text form: each has a name, and a type or a value.
void Check(const std::vector<Input>& inputs);

// The sizes that the named axes are promised to have. Throws Error (kUsage) where one name has two ranges, or one
// that begins below 1: nothing is known of programs that take empty tensors.
ir::Ranges RangesOf(const std::vector<Input>& inputs);

// Tensors `x=f32[batch,3,224,224]`, `n=i64[]`, `x=f32`; lists `xs=list[f32[n,4]]`; values `n=5`, `s=0.5`, `flag=true`,
// `opt=none`, `mode=sum`, `mode='f32'`. Throws Error (kUsage) that quotes the text and shows the form.
Input ParseInput(std::string_view text);

// An axis that the file fixed and the user wants free.
struct FreedAxis {
  std::string symbol;  // what it is now
  int64_t size = 0;    // in the file
  std::string where;   // "axis 1 of input 'x'"
};

// For a graph that knows its inputs (.pt2): renames its symbols to the user's names and specialises symbols to numbers,
// in every dimension of the graph. A name on an axis that the file fixed makes a symbol of it, in the input alone:
// returned, for what else states a size (pt2/replay/free_axes.h). Throws Error (kUsage) with all mistakes: an unknown
// input, another dtype or rank, a number or range outside a symbol's range, a number other than a fixed axis. One name
// on two axes that may differ in the file is a promise that they are equal. After an error the graph is spoilt.
std::vector<FreedAxis> ApplyInputs(ir::Graph* graph, const std::vector<Input>& inputs);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_INPUTS_H_
