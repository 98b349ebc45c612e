// Turns the results of a lowered call into values of the program, and checks them against the types in the file.
#ifndef ONNXPORT_RUNTIME_LOWERING_RESULTS_H_
#define ONNXPORT_RUNTIME_LOWERING_RESULTS_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/lowering/build/val.h"
#include "runtime/lowering/lowerer_state.h"

namespace onnxport::lowering {

// Returns true for a call whose single result is a number of any kind: `item()`.
bool GivesANumber(const ir::Node& call);

// Returns the stated results if all are sizes that are numbers or were computed before; else nothing.
std::optional<Vals> KnownSizes(Emitter* emitter, const ir::StatedTypes& stated);

// Makes the results of one call. If the file states a type, it decides the kind of the result, and its dimensions and
// contents are kept. Otherwise the schema decides.
class Results {
 public:
  // `stated` may be null.
  Results(Lowerer::State* state, const ir::Operator& op, const ir::StatedTypes* stated)
      : state_(*state), emitter_(state->emitter), op_(op), stated_(stated) {}

  // Fills `results` and `values`, with ids from `first` on. Throws Refusal if dtype, rank or a dimension contradicts
  // the stated type, or if a free axis became fixed: such a model would be wrong. It then binds no result.
  void Publish(const Vals& given, ir::ValueId first, Lowerer::Made* made);
  // Checks one result in the same way, and keeps the stated dimensions.
  void HoldTo(const ir::Value& stated, ir::ValueId made);

 private:
  // The wanted kind of a result. kScalar: a number of any kind. kAny: the kind that a host operator made.
  enum class Kind { kTensor, kInt, kFloat, kBool, kScalar, kAny };
  static Kind KindOf(const ir::AtenType& type);
  static Kind KindOf(ir::ValueKind kind);
  static Kind KindOfNumber(ir::DType dtype);
  static ir::ValueKind ValueKindOf(Kind kind);
  static Val AsKind(const Val& number, Kind kind);

  const ir::Value* NextStated();
  bool StatesElements() const;
  std::vector<ir::Arg> All(const Vals& given);
  ir::Arg Elements(ir::ValueId sequence);
  ir::Arg One(const Val& result, Kind wanted);
  ir::Arg Tensor(ir::ValueId made, const ir::Value* stated);
  ir::Arg Number(ir::ValueId made, Kind wanted, const ir::Value* stated);
  ir::Arg Add(ir::Value type, ir::ValueId made, const ir::Value* stated);
  void CheckDims(const ir::Value& made, const ir::Value& stated) const;
  bool IsFree(const ir::Dim& dim, int64_t number) const;
  void CheckSize(const ir::Value& stated, const ir::Dim& made) const;
  [[noreturn]] void Contradict(const std::string& how) const;
  [[noreturn]] void Contradiction(const ir::Value& made, const ir::Value& stated, std::string_view what) const;

  Lowerer::State& state_;
  Emitter& emitter_;
  const ir::Operator& op_;
  const ir::StatedTypes* stated_;
  size_t next_ = 0;  // of `stated_`
  ir::ValueId first_ = ir::ValueId::kNone;
  std::vector<ir::Value> values_;
  std::vector<ir::ValueId> made_;  // the graph's values for them
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_RESULTS_H_
