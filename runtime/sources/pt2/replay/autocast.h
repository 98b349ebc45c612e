// Calls made while torch.autocast is on.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// The arguments of a call, cast as PyTorch casts them. `stated`: what the program's file says of the results, one each;
// the calls are tried on the tracer, without a trace.
std::vector<ir::Arg> Autocast(trace::Tracer* tracer, const ir::Node& call, std::vector<ir::Arg> args,
                              const ir::StatedTypes& stated);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_
