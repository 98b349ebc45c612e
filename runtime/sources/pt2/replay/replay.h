// A program that is a list of calls already, as `torch.export` writes it.
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

// Told of each tensor that a call gives: which value of the program it is, and what is known of it.
using Observer = std::function<void(const ir::Node& call, ir::ValueId value, const ir::Value& known)>;

// The state of a program beyond its graph, for those of its tensors that it writes to.
struct StateOptions {
  trace::ProgramState state = {};
  std::vector<Write> writes = {};    // by the file's signature
  bool constants_made_anew = false;  // by each call of the program: they are no state
};

// Makes the calls of `program`, which states the types of its values, one after another. The stated types must hold: a
// result that contradicts one is a failure of its call, and so is a free axis that became a number. Free sizes are
// taken as torch.export took them, neither 0 nor 1; kAsStated: by their ranges, and compared with the sizes that they
// meet. The program is taken apart: a caller that needs it again gives a copy.
std::unique_ptr<trace::Tracer> Replay(ir::Graph program, int opset, const lowering::Options& options = {},
                                      const Observer& observer = {},
                                      lowering::FreeSizes free_sizes = lowering::FreeSizes::kAsExported,
                                      const StateOptions& state = {});

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_
