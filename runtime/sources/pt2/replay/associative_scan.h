// Replays associative_scan: each result combines an element with all elements before it.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_ASSOCIATIVE_SCAN_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_ASSOCIATIVE_SCAN_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/loops.h"
#include "runtime/sources/pt2/replay/program_values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Scans along the first axis of each of `xs`. `combine` makes the calls of the graph for two consecutive elements of
// each.
std::vector<ir::Arg> AssociativeScan(trace::Tracer* tracer, ProgramValues* values, Loops* loops, const ir::Node& call,
                                     const std::vector<ir::Arg>& xs, const trace::Regions::Body& combine);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_ASSOCIATIVE_SCAN_H_
