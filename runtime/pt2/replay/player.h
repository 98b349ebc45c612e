// Internal to Replay: the calls of a program made on a tracer, and what its values became.
#ifndef ONNXPORT_RUNTIME_PT2_REPLAY_PLAYER_H_
#define ONNXPORT_RUNTIME_PT2_REPLAY_PLAYER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/tracer.h"

namespace onnxport::pt2 {

class Player {
 public:
  Player(const ir::Graph& program, trace::Tracer* tracer)
      : program_(program), tracer_(*tracer), args_(program.values.size()) {}

  void Play();

 private:
  using Args = std::vector<ir::Arg>;
  using Calls = std::vector<const ir::Node*>;

  ir::Arg& ArgOf(ir::ValueId id) { return args_[static_cast<size_t>(id)]; }
  // Values of the program become those of the tracer.
  ir::Arg Present(const ir::Arg& arg);
  Args Present(const Args& args);
  void AddInput(const ir::Port& input);
  void AddWeight(const ir::Weight& weight);
  void MakeCall(const ir::Node& call);
  static Calls CallsOf(const ir::Block& block);
  // None, or no result at all: not exported.
  void BindAll(const ir::Node& call, const Args& results);
  void Bind(const ir::Node& call, ir::ValueId id, ir::Arg result);

  // ---- higher_order.cc: calls with blocks
  // What such a call gives; nothing for an operator that is not known here.
  std::optional<Args> PlayHigherOrder(const ir::Node& call);
  // Makes the calls of the block with these inputs; what it gives.
  Args Play(const ir::Block& block, const Args& inputs);
  Args PlayBody(const ir::Node& call);
  Args PlayCond(const ir::Node& call);
  Args PlayWhile(const ir::Node& call);
  Args PlayScan(const ir::Node& call);
  Args PlayAssociativeScan(const ir::Node& call);
  Args PlayMap(const ir::Node& call);
  Args Fail(const ir::Node& call, const std::string& reason);

  // ---- vmap.cc: calls for each element of a batch
  // Makes the calls; those of a vmap as a Loop.
  void Play(const Calls& calls);
  struct Vmap;
  Vmap Divide(const Calls& calls) const;
  void PlayVmap(const Calls& calls);
  void LoopOver(const Vmap& vmap, const ir::Arg& size);

  // ---- higher_order.cc: loops
  struct Loop;
  Args PlayLoop(const ir::Node& call, const Loop& loop);
  // With carried values of these types and writes to these tensors; nothing when that is not what the body does: then
  // they are what to try next.
  std::optional<Args> TryLoop(const Loop& loop, std::vector<ir::Value>* types,
                              std::vector<trace::Piece::Write>* writes);
  // What the body gives in each iteration, stacked.
  Args PlayRows(const ir::Node& call, const ir::Arg& count, const std::function<Args(ir::ValueId iteration)>& body);
  ir::Arg CallOne(const char* op, Args args);
  ir::Arg AsCondition(ir::Arg arg);
  ir::Arg Iterations(const Args& tensors);
  Args ElementsOf(const Args& tensors, const ir::Arg& index);

  const ir::Graph& program_;
  trace::Tracer& tracer_;
  Args args_;  // what the values of the program became
  int64_t vmap_level_ = 0;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_PT2_REPLAY_PLAYER_H_
