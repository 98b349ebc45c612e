// Replays calls made while torch.autocast is on.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_

#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Returns the arguments of a call, cast as PyTorch casts them. `stated` are the types of the results in the program's
// file, one each. The casts are found by trying calls on the tracer, which leave nothing behind.
std::vector<ir::Arg> Autocast(trace::Tracer* tracer, const ir::Node& call, std::vector<ir::Arg> args,
                              const ir::StatedTypes& stated);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AUTOCAST_H_
