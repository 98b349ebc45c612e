// Replays a program that is a list of calls, as `torch.export` writes it.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_

#include <functional>
#include <memory>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/sources/pt2/program.h"
#include "runtime/trace/program_state.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Called for each tensor that a call returns, with its value in the program and its known type.
using Observer = std::function<void(const ir::Node& call, ir::ValueId value, const ir::Value& known)>;

// State of a program that is not in its graph: tensors that the program writes to.
struct StateOptions {
  trace::ProgramState state = {};
  std::vector<Write> writes = {};    // by the file's signature
  bool constants_made_anew = false;  // each call of the program makes them again, so they are no state
};

// Makes the calls of `program`, one after another. The types that it states must hold: a result that contradicts its
// type is a failure of its call, and so is a free axis that became a number. Free sizes are assumed to be neither 0 nor
// 1, as in torch.export. With kAsStated only their ranges are assumed, and they are compared with other sizes. The
// program is consumed; pass a copy to use it again.
std::unique_ptr<trace::Tracer> Replay(ir::Graph program, int opset, const lowering::Options& options = {},
                                      const Observer& observer = {},
                                      lowering::FreeSizes free_sizes = lowering::FreeSizes::kAsExported,
                                      const StateOptions& state = {});

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_
