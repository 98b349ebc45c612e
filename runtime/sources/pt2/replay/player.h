// Internal to Replay: the calls of a program made on a tracer, and what its values became.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PLAYER_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PLAYER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/replay/call_queue.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/sources/pt2/replay/unused.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

class Player {
 public:
  Player(ir::Graph program, trace::Tracer* tracer, const Observer& observer, const StateOptions& state)
      : program_(std::move(program)),
        queue_(&program_),
        tracer_(*tracer),
        observer_(observer),
        state_(state),
        args_(queue_.values()),
        unused_(UnusedCalls(queue_.calls(), program_.outputs, queue_.values())) {}

  void Play();

 private:
  using Args = std::vector<ir::Arg>;

  ir::Arg& ArgOf(ir::ValueId id) { return args_[static_cast<size_t>(id)]; }
  // Values of the program become those of the tracer.
  ir::Arg Present(const ir::Arg& arg);
  Args Present(const Args& args);
  void AddInput(const ir::Port& input);
  void AddWeight(const ir::Weight& weight);
  void AddOutputs();
  bool IsLike(const ir::Arg& value, ir::ValueId target) const;
  void MakeCall(const ir::Node& call);
  // Lists of results as the results they hold.
  static Args Flat(Args results);
  // None, or no result at all: not exported.
  void BindAll(const ir::Node& call, const Args& results);
  void Bind(const ir::Node& call, ir::ValueId id, ir::Arg result);

  // ---- higher_order.cc: calls with blocks
  // What such a call gives.
  Args PlayHigherOrder(const ir::Node& call);
  // Makes the calls of the block with these inputs; what it gives.
  Args Play(const ir::Block& block, const Args& inputs);
  Args PlayBody(const ir::Node& call);
  Args PlayWithAutocast(const ir::Node& call);
  Args PlayCond(const ir::Node& call);
  Args PlayWhile(const ir::Node& call);
  Args PlayScan(const ir::Node& call);
  Args PlayMap(const ir::Node& call);
  Args PlayPrint(const ir::Node& call);
  Args PlayEffects(const ir::Node& call);
  Args Fail(const ir::Node& call, const std::string& reason);

  // ---- autocast.cc: calls while torch.autocast is on
  // The arguments, cast as it casts them.
  Args Autocast(const ir::Node& call, Args args);
  std::optional<ir::DType> AutocastDType(const ir::Node& call, const Args& args);
  ir::Arg WithDType(const ir::Arg& arg, ir::DType dtype);

  // ---- associative_scan.cc
  Args PlayAssociativeScan(const ir::Node& call);
  Args ScanPairs(const Args& xs, int64_t count, const trace::Tracer::Body& combine);
  Args ScanInOrder(const ir::Node& call, const Args& xs, const ir::Arg& count, const trace::Tracer::Body& combine);

  // ---- vmap.cc: calls for each element of a batch
  void Play(const Calls& calls);
  // Makes the call at `first`, or those of the vmap that begins there, as a Loop. Where the next one is.
  size_t PlayFrom(const Calls& calls, size_t first);
  struct Vmap;
  Vmap Divide(const Calls& calls) const;
  void PlayVmap(const Calls& calls);
  void LoopOver(const Vmap& vmap, const ir::Arg& size);
  ir::Arg AxisMoved(const ir::Arg& tensor, const ir::Arg& from, const ir::Arg& to);

  // ---- loops.cc
  // Makes the calls of one iteration, of `round->iteration` and what the carried values are in it; what they leave
  // becomes `next`, `next_condition` and `scans` of `round`.
  using Body = std::function<void(const Args& carried, ir::LoopSpec* round)>;
  static ir::LoopSpec Carrying(const Args& initial);
  static void SetNext(const Args& next, ir::LoopSpec* round);
  // `loop`: what is known outside of its body. Results: the carried values, then the scans.
  Args PlayLoop(const ir::Node& call, const ir::LoopSpec& loop, const Body& body);
  // With carried values of these types and writes to these tensors; nothing when that is not what the body does: then
  // they are what to try next.
  std::optional<Args> TryLoop(ir::LoopSpec loop, const Body& body, std::vector<ir::Value>* types,
                              std::vector<trace::Region::Write>* writes);
  // What the body gives of the elements of `stacks`, along their first axis, stacked: a Loop, where it must be one.
  Args PlayRows(const ir::Node& call, const ir::Arg& count, const Args& stacks, const trace::Tracer::Body& body);
  bool Vectorizes(const Args& stacks, const trace::Tracer::Body& body);
  // Calls on tensors of elements that the program's file states for one element.
  Args PlayAtOnce(const std::function<Args()>& play);

  // ---- higher_order.cc: calls that they are made of
  ir::Arg CallOne(const ir::Operator& op, Args args);
  ir::Arg AsCondition(ir::Arg arg);
  bool IsBool(const ir::Arg& arg) const;
  ir::Arg Iterations(const Args& tensors);
  // Along the first axis.
  Args ElementsOf(const Args& tensors, const ir::Arg& index);
  Args Range(const Args& tensors, int64_t start, int64_t end, int64_t step);

  ir::Graph program_;  // without what `queue_` has
  CallQueue queue_;
  trace::Tracer& tracer_;
  const Observer& observer_;
  const StateOptions& state_;
  Args args_;  // what the values of the program became
  std::unordered_set<const ir::Node*> unused_;
  int64_t vmap_level_ = 0;
  bool autocast_ = false;
  bool at_once_ = false;  // calls are made on more than the file states types of
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_PLAYER_H_
