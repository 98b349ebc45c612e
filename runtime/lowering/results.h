// Results of a lowered call as values of the program, held against what the file states of them.
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

// Returns true for a call whose one result is a number of whatever kind: `item()`.
bool GivesANumber(const ir::Node& call);

// The stated results, where all of them are sizes that are numbers or were computed before; else nothing.
std::optional<Vals> KnownSizes(Emitter* emitter, const ir::StatedTypes& stated);

// Makes the results of one call. The type that the file states for a result decides its kind, and its dimensions and
// contents are kept; else the schema does.
class Results {
 public:
  // `stated` may be null.
  Results(Lowerer::State* state, const ir::Operator& op, const ir::StatedTypes* stated)
      : state_(*state), emitter_(state->emitter), op_(op), stated_(stated) {}

  // Fills in `results` and `values`, whose ids are those from `first` on. Throws Refusal, and binds none, when dtype,
  // rank or a dimension contradicts what is stated, or a free axis became fixed: such a model would be wrong.
  void Publish(const Vals& given, ir::ValueId first, Lowerer::Made* made);
  // The same check of one result, which keeps the stated dimensions.
  void HoldTo(const ir::Value& stated, ir::ValueId made);

 private:
  // The wanted kind of a result; kScalar: a number of whatever kind, kAny: whatever was made (by a host operator).
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
  bool NeverEqual(const ir::Dim& a, const ir::Dim& b) const;
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
  std::vector<ir::ValueId> made_;  // what each of them is in the graph
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_RESULTS_H_
