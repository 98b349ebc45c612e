// The arguments and results of calls that take graphs.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_

#include <cstddef>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::pt2 {

std::vector<ir::Arg> Concat(std::vector<ir::Arg> args, const std::vector<ir::Arg>& more);

// The operands behind the graphs, with their lists; a text there names the graph, a dict is for other tools.
std::vector<ir::Arg> OperandsOf(const ir::Node& call);

// Lists of results as the results they hold.
std::vector<ir::Arg> Flat(std::vector<ir::Arg> results);

// The operands of a graph that takes so many, without lists. Options of the operator follow them.
std::vector<ir::Arg> FirstOf(const std::vector<ir::Arg>& operands, size_t count);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_OPERANDS_H_
