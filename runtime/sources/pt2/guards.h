// Guards: conditions besides the ranges that torch.export assumed for free sizes. A model cannot check them.
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

// Warns that the model may be wrong for sizes other than those that `what` describes. `details` are further lines.
Warning OtherSizes(const std::string& what, const std::string& details = "");

// `guards` are Python expressions over input sizes: "(L['x'].size()[1] // (L['x'].size()[1] // 4)) == 4".
//
// Warns of guards that some sizes do not fulfill, with the names of the sizes in `graph`. It shows the three shortest,
// if they are short, and all of them in further lines. Returns nothing if there are none. It leaves out guards that
// follow from the ranges and from sizes not being 0 or 1. It also leaves out the guard that a freed axis had its size
// in the file.
std::optional<Warning> GuardWarning(const std::vector<std::string>& guards, const ir::Graph& graph,
                                    const std::vector<inputs::FreedAxis>& freed = {});

// A free axis whose range follows from a condition in the program, such as `if x.shape[0] > 4`. torch.export writes a
// guard for it, but none for a range that the user gave.
struct NarrowedAxis {
  std::string input;
  size_t axis = 0;
  std::string symbol;
  ir::Range range;   // in the file
  bool low = false;  // true for the bounds that the program added
  bool high = false;

  std::string Text() const;  // "axis 0 of input 'x' is 2..4 in the program"
};

// Returns one for each symbol, at the first axis with it. Lower bounds that an operator needs anyway are left out: a
// convolution whose result would be empty.
std::vector<NarrowedAxis> NarrowedAxes(const std::vector<std::string>& guards, const ir::Graph& graph);

// Returns those whose range is not in `inputs`. Throws Error (kCannotExport) if `inputs` names such an axis without a
// range, because that promises all sizes. `graph` does not have these names yet.
std::vector<NarrowedAxis> UnaskedAxes(std::vector<NarrowedAxis> narrowed, const std::vector<Input>& inputs,
                                      const ir::Graph& graph);

Warning NarrowedWarning(const NarrowedAxis& axis);

// Replaces sizes that are fixed by guards with their numbers: `A == 4`, or `s0 % 4 == 0` for s0//(s0//4). The graph's
// inputs have their names already.
void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_
