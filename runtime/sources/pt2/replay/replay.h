// A program that is a list of calls already, as `torch.export` writes it.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_

#include <functional>
#include <memory>

#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"
#include "runtime/lowering/types/free_sizes.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

// Told of each tensor that a call gives: which value of the program it is, and what is known of it.
using Observer = std::function<void(const ir::Node& call, ir::ValueId value, const ir::Value& known)>;

// Makes the calls of `program`, which states the types of its values, one after another. What it states must hold: a
// result that contradicts it is a failure of its call, and so is a free axis that became a number. Free sizes are taken
// as torch.export took them, neither 0 nor 1; kAsStated: by their ranges, and held against the sizes that they meet.
std::unique_ptr<trace::Tracer> Replay(const ir::Graph& program, int opset, const lowering::Options& options = {},
                                      const Observer& observer = {},
                                      lowering::FreeSizes free_sizes = lowering::FreeSizes::kAsExported);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REPLAY_H_
