// Conditions that torch.export assumed for the sizes it left free, besides their ranges; a model cannot check them.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/inputs/inputs.h"
#include "runtime/ir/dim.h"
#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// That the model may be wrong for other sizes than those that `what` speaks of. `details`: further lines.
Warning OtherSizes(const std::string& what, const std::string& details = "");

// `guards`: Python on the sizes of the inputs, "(L['x'].size()[1] // (L['x'].size()[1] // 4)) == 4".
//
// Lists those that not every size fulfills, by the names that sizes have in `graph`: the three shortest, if they are
// short, and in further lines all of them. Nothing where there are none. Left out: that a size is not 0 or 1, whatever
// follows from that and the ranges, and that a freed axis had its size in the file.
std::optional<Warning> GuardWarning(const std::vector<std::string>& guards, const ir::Graph& graph,
                                    const std::vector<inputs::FreedAxis>& freed = {});

// A free axis whose range follows from what the program asked of its size, such as `if x.shape[0] > 4`. torch.export
// writes a guard then, and none of a range that it was given.
struct NarrowedAxis {
  std::string input;
  size_t axis = 0;
  std::string symbol;
  ir::Range range;   // in the file
  bool low = false;  // which bounds the program made
  bool high = false;

  std::string Text() const;  // "axis 0 of input 'x' is 2..4 in the program"
};

// One for each symbol, at the first axis that has it. A least size goes without saying where an operator cannot work
// below: a convolution whose result would be empty.
std::vector<NarrowedAxis> NarrowedAxes(const std::vector<std::string>& guards, const ir::Graph& graph);

// Those among them whose range `inputs` do not say. Throws Error (kCannotExport) where they give the axis a name and no
// range, which promises all sizes. `graph` does not have their names yet.
std::vector<NarrowedAxis> UnaskedAxes(std::vector<NarrowedAxis> narrowed, const std::vector<Input>& inputs,
                                      const ir::Graph& graph);

Warning NarrowedWarning(const NarrowedAxis& axis);

// A size that is a number by what guards say is that number: `A == 4`, or `s0 % 4 == 0` of s0//(s0//4). The graph's
// inputs have their names.
void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_
