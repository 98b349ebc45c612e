// What torch.export took for granted of the sizes it left free, besides their ranges; a model cannot ask.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

// `guards`: Python on the sizes of the inputs, "(L['x'].size()[1] // (L['x'].size()[1] // 4)) == 4".
// Names those that not every size fulfills, by the names that sizes have in `graph`: the three shortest, if they are
// short, and in further lines all of them. Empty where there are none. That a size is not 0 or 1, and what follows from
// that and the ranges, goes without saying.
std::string GuardRemark(const std::vector<std::string>& guards, const ir::Graph& graph);

// A size that is a number by what guards say is that number: `A == 4`, or `s0 % 4 == 0` of s0//(s0//4). The graph's
// inputs have their names.
void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_GUARDS_H_
