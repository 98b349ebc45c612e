// Tracer::If.
#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/trace/empty_side.h"
#include "runtime/trace/leaving.h"
#include "runtime/trace/state.h"
#include "runtime/trace/tracer.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;

constexpr const char* kBranch = "an `if`";

// One If under construction.
class Branches {
 public:
  Branches(Tracer::State* state, Piece then, Piece otherwise, const std::vector<std::pair<Arg, Arg>>& pairs)
      : state_(*state), pairs_(pairs), sides_{Side{std::move(then), {}, {}}, Side{std::move(otherwise), {}, {}}} {}

  std::vector<Arg> Join(ValueId condition) {
    FindWrites();
    Arg test{condition};
    const bool usable = state_.ReadArg(&test, "the condition of an `if`");
    const bool failed = sides_[0].piece.failed || sides_[1].piece.failed || !usable;
    if (failed) return Fail();
    Collect(&sides_[0], false);
    Collect(&sides_[1], true);
    if (sides_[0].piece.failed || sides_[1].piece.failed) return Fail();
    if (const auto empty = state_.EmptySide(condition)) ReshapeEmpty(&sides_[*empty], sides_[1 - *empty]);
    for (Side& side : sides_) state_.Commit(&side.piece);
    ChooseOutputs();
    if (types_.empty()) return results_;
    if (!Lower(test)) return FailAll();
    AssignWrites();
    LinkResults();
    return results_;
  }

 private:
  struct Side {
    Piece piece;
    std::vector<Leaver> leavers;  // of the pairs
    std::vector<Leaver> writes;
  };

  void FindWrites() {
    std::unordered_set<ValueId> seen;
    for (const Side& side : sides_) {
      for (const Piece::Write& write : side.piece.writes) {
        if (seen.insert(write.base).second) written_.push_back(write.base);
      }
    }
  }

  // The values at the end of the piece. Views that are out of date are made again in it.
  void Collect(Side* side, bool second) {
    state_.Resume(std::move(side->piece));
    for (const auto& [then, otherwise] : pairs_) {
      const Arg& mine = second ? otherwise : then;
      const Arg& other = second ? then : otherwise;
      side->leavers.push_back(Leave(&state_, mine));
      if (!mine.is_none() || other.is_none() || state_.CheckArgs("", {other})) continue;
      const auto type = state_.TypeOf(other);
      const auto dummy = type ? state_.Dummy(*type) : std::nullopt;
      if (!dummy) continue;
      side->leavers.back().arg = *dummy;
      side->leavers.back().type = type;
    }
    for (const ValueId base : written_) {
      Leaver leaver;
      const ValueId value = state_.PresentOf(base);
      leaver.arg = {value};
      leaver.failed = state_.recorder.IsFailed(value);
      leaver.type = state_.source.value(value);
      side->writes.push_back(std::move(leaver));
    }
    side->piece = state_.End();
  }

  // Where there is nothing to compute with, a tensor may have another rank: it gets that of the other side.
  void ReshapeEmpty(Side* side, const Side& other) {
    for (size_t i = 0; i < pairs_.size(); ++i) {
      Leaver& leaver = side->leavers[i];
      const Leaver& wanted = other.leavers[i];
      if (leaver.failed || wanted.failed || !leaver.type || !wanted.type) continue;
      auto shape = EmptyLike(*leaver.type, *wanted.type);
      if (!shape) continue;
      const size_t rank = leaver.type->dims->size();
      ir::Node node;
      node.op = ir::Instruction::kEmptied;
      node.inputs = {leaver.arg, {std::move(*shape)}};
      node.location = state_.recorder.NextCall();
      state_.Resume(std::move(side->piece));
      const std::vector<Arg> made = state_.recorder.Append(&node);
      if (!state_.recorder.AnyFailed(made)) {
        leaver.arg = made[0];
        leaver.type = state_.source.value(*made[0].value());
        leaver.bases.clear();
        state_.recorder.Remark(
            fmt::format("{} leaves an empty tensor of {} dimensions; the ONNX model has one of {} there",
                        Here(state_, kBranch), rank, wanted.type->dims->size()));
      }
      side->piece = state_.End();
    }
  }

  // One result for each pair; those that only a run knows become outputs.
  void ChooseOutputs() {
    for (size_t i = 0; i < pairs_.size(); ++i) results_.push_back(Choose(i));
    for (size_t i = 0; i < written_.size(); ++i) {
      const Leaver& then = sides_[0].writes[i];
      const Leaver& otherwise = sides_[1].writes[i];
      std::string why_not;
      auto type = then.failed || otherwise.failed ? std::nullopt : ir::Join(*then.type, *otherwise.type, &why_not);
      if (!type) continue;
      AddOutput(then.arg, otherwise.arg, std::move(*type), pairs_.size() + i);
    }
  }

  Arg Choose(size_t i) {
    const auto& [then, otherwise] = pairs_[i];
    const Leaver& yes = sides_[0].leavers[i];
    const Leaver& no = sides_[1].leavers[i];
    if (SameConstant(then, otherwise)) return then;
    // A tensor that both sides leave where it was.
    if (then.value() && otherwise.value() && *then.value() == *otherwise.value()) return then;
    for (const Leaver* side : {&yes, &no}) {
      if (!side->poison.empty()) return Poison(side->poison);
    }
    if (yes.failed || no.failed) return {state_.recorder.AddFailed()};
    if (!yes.type || !no.type) return Poison("only numbers and tensors can be chosen by an `if` that a run decides");
    std::string why_not;
    auto type = ir::Join(*yes.type, *no.type, &why_not);
    if (!type) return Poison(fmt::format("it is {} of an `if` that a run decides", why_not));
    AddOutput(yes.arg, no.arg, std::move(*type), i);
    return {};
  }

  Arg Poison(const std::string& reason) {
    const ValueId id = state_.recorder.AddFailed();
    state_.poison[id] = reason;
    return {id};
  }

  void AddOutput(const Arg& then, const Arg& otherwise, ir::Value type, size_t place) {
    then_.push_back(then);
    otherwise_.push_back(otherwise);
    types_.push_back(std::move(type));
    places_.push_back(place);
  }

  bool Lower(const Arg& condition) {
    ir::Node node;
    node.op = "prim::If";
    node.inputs = {condition};
    node.location = state_.recorder.NextCall();
    if (!state_.recorder.If(&node, {std::move(sides_[0].piece.rest->onnx), then_},
                            {std::move(sides_[1].piece.rest->onnx), otherwise_}, types_)) {
      return false;
    }
    made_ = node.outputs;
    for (Side& side : sides_) node.blocks.push_back(std::move(side.piece.source));
    node.blocks[0].outputs = std::move(then_);
    node.blocks[1].outputs = std::move(otherwise_);
    state_.recorder.Keep(std::move(node));
    return true;
  }

  void AssignWrites() {
    std::vector<std::optional<ValueId>> values(written_.size());
    for (size_t i = 0; i < made_.size(); ++i) {
      if (places_[i] < pairs_.size()) {
        results_[places_[i]] = {made_[i]};
      } else {
        values[places_[i] - pairs_.size()] = made_[i];
      }
    }
    for (size_t i = 0; i < written_.size(); ++i) {
      if (values[i]) state_.recorder.Refine(*values[i], written_[i]);
      state_.functionalizer.Assign(written_[i], values[i] ? *values[i] : state_.recorder.AddFailed(),
                                   Here(state_, kBranch));
    }
  }

  void LinkResults() {
    for (const Side& side : sides_) {
      Linker linker(&state_, side.piece.rest->mark);
      for (size_t i = 0; i < made_.size(); ++i) {
        if (places_[i] < pairs_.size()) linker.Link(made_[i], side.leavers[places_[i]].bases);
      }
    }
  }

  std::vector<Arg> Fail() {
    for (Side& side : sides_) state_.Commit(&side.piece);
    return FailAll();
  }

  std::vector<Arg> FailAll() {
    results_.clear();
    for (size_t i = 0; i < pairs_.size(); ++i) results_.push_back({state_.recorder.AddFailed()});
    for (const ValueId base : written_) {
      state_.functionalizer.Assign(base, state_.recorder.AddFailed(), Here(state_, kBranch));
    }
    return results_;
  }

  Tracer::State& state_;
  const std::vector<std::pair<Arg, Arg>>& pairs_;
  Side sides_[2];
  std::vector<ValueId> written_;  // bases that either side writes to
  // Of the outputs of the If: its places are those of the pairs, then of `written_`.
  std::vector<Arg> then_;
  std::vector<Arg> otherwise_;
  std::vector<ir::Value> types_;
  std::vector<size_t> places_;
  std::vector<ValueId> made_;
  std::vector<Arg> results_;
};

}  // namespace

bool Tracer::CanJoin(ValueId condition, const Arg& then, const Arg& otherwise) {
  for (const Arg* side : {&then, &otherwise}) {
    if (side->is_none() || (side->value() && state_->IsFailed(*side->value()))) return true;
  }
  const auto yes = state_->TypeOf(then);
  const auto no = state_->TypeOf(otherwise);
  std::string why_not;
  if (!yes || !no || ir::Join(*yes, *no, &why_not)) return true;
  const auto empty = state_->EmptySide(condition);
  return empty && EmptyLike(*empty == 0 ? *yes : *no, *empty == 0 ? *no : *yes).has_value();
}

std::vector<Arg> Tracer::If(ValueId condition, Piece then_piece, Piece else_piece,
                            const std::vector<std::pair<Arg, Arg>>& outputs) {
  return Branches(state_.get(), std::move(then_piece), std::move(else_piece), outputs).Join(condition);
}

}  // namespace onnxport::trace
