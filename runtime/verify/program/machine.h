// A graph of ATen calls, run by LibTorch.
#ifndef ONNXPORT_RUNTIME_VERIFY_PROGRAM_MACHINE_H_
#define ONNXPORT_RUNTIME_VERIFY_PROGRAM_MACHINE_H_

#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::verify {

// Makes the calls of a program one after another, through the dispatcher. Calls write in place, so a machine runs once.
class Machine {
 public:
  // `program` must outlive it.
  explicit Machine(const ir::Graph& program) : program_(program), values_(program.values.size()) {}

  void Set(ir::ValueId id, c10::IValue value) { values_.at(static_cast<size_t>(id)) = std::move(value); }
  // Reads the weights from the file. Throws Error (kBadInput).
  void LoadWeights();
  using Values = std::vector<c10::IValue>;
  // Gets each call of the program itself, none of a graph that a call takes, and its results as they were then.
  using Watcher = std::function<void(const ir::Node& call, const Values& results)>;
  // Throws CannotCompare that names the call.
  void Run(const Watcher& watcher = {}) { Run(program_.body.nodes, watcher); }
  // The value of a call's argument, which is a value, a number or None.
  c10::IValue Make(const ir::Arg& arg) const;
  // None for a value that has not been computed.
  const c10::IValue& Get(ir::ValueId id) const { return values_.at(static_cast<size_t>(id)); }

 private:
  void Run(const std::vector<ir::Node>& calls, const Watcher& watcher);
  Values RunBlock(const ir::Block& block, const Values& inputs);
  Values Call(const ir::Node& call);
  Values CallOperator(const ir::Node& call);
  Values MakeAll(const std::vector<ir::Arg>& args) const;

  // higher_order.cc: calls that take graphs
  Values CallHigherOrder(const ir::Node& call);
  Values Cond(const ir::Node& call);
  Values WhileLoop(const ir::Node& call);
  Values Scan(const ir::Node& call);
  Values Map(const ir::Node& call);
  Values Body(const ir::Node& call);

  const ir::Graph& program_;
  Values values_;
};

// Module, line and name of a call.
std::string WhereOf(const ir::Graph& program, const ir::Node& call);

// Arithmetic on sizes.
c10::IValue Compute(ir::Instruction instruction, const std::vector<c10::IValue>& arguments);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_PROGRAM_MACHINE_H_
