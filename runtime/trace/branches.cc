// Regions::If.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/join.h"
#include "runtime/trace/dummy.h"
#include "runtime/trace/empty_side.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/leaving.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/regions.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::ValueId;

constexpr const char* kBranch = "an `if`";

// One If under construction.
class Branches {
 public:
  Branches(record::Recorder* recorder, functionalize::Layouts* layouts, functionalize::Functionalizer* functionalizer,
           Values* values, Reader* reader, OpenRegions* open, ir::IfSpec spec, Region then, Region otherwise)
      : recorder_(*recorder),
        layouts_(*layouts),
        functionalizer_(*functionalizer),
        values_(*values),
        reader_(*reader),
        open_(*open),
        spec_(std::move(spec)),
        sides_{{std::move(then), {}, {}}, {std::move(otherwise), {}, {}}} {}

  std::vector<Arg> Join() {
    FindWrites();
    lowered_.condition = spec_.condition;
    bool usable = reader_.Read(&lowered_.condition, "the condition of an `if`") && !AnyFailed();
    if (usable) Collect(&sides_[0], false);
    if (usable) Collect(&sides_[1], true);
    usable = usable && !AnyFailed();
    const auto empty = usable ? values_.EmptySideOf(*spec_.condition.value()) : std::nullopt;
    if (empty) ReshapeEmpty(&sides_[*empty], sides_[1 - *empty]);
    for (const Side& side : sides_) open_.Commit(side.region, true);
    if (!usable) return FailAll();
    ChooseOutputs();
    ChooseShares();
    if (lowered_.results.empty()) return results_;
    if (!recorder_.If(lowered_, std::move(sides_[0].region.rest->block), std::move(sides_[1].region.rest->block),
                      &made_)) {
      return FailAll();
    }
    AssignWrites();
    LinkResults();
    SetLayouts();
    return results_;
  }

 private:
  // A region, and its values for the If.
  struct Side {
    Region region;
    std::vector<Leaver> leavers;  // of the results
    std::vector<Leaver> writes;
  };

  bool AnyFailed() const { return sides_[0].region.failed || sides_[1].region.failed; }

  void FindWrites() {
    std::unordered_set<ValueId> seen;
    for (const Side& side : sides_) {
      for (const Region::Write& write : side.region.writes) {
        if (seen.insert(write.base).second) written_.push_back(write.base);
      }
    }
  }

  // Collects the values at the end of the region. Views that are out of date are made again there.
  void Collect(Side* side, bool second) {
    open_.Append(&side->region, [&] {
      for (const auto& [then, otherwise, type] : spec_.results) {
        side->leavers.push_back(second ? LeaveSide(otherwise, then) : LeaveSide(then, otherwise));
      }
      for (const ValueId base : written_) side->writes.push_back(leaving_.LeaveBase(base));
    });
  }

  // If a value is never used on this side, it may be any value of the other side's type. Its own type must be right,
  // because a runtime plans memory by the declared types even if nobody reads the value.
  Leaver LeaveSide(const Arg& mine, const Arg& other) {
    Leaver leaver = leaving_.Leave(mine);
    leaving_.FindIdentities(mine, &leaver);
    if (!mine.is_none() || other.is_none() || values_.CheckArgs("", {other})) return leaver;
    const auto type = values_.TypeOf(other);
    const auto dummy = type ? Dummy(&recorder_, *type) : std::nullopt;
    if (!dummy) return leaver;
    leaver.arg = *dummy;
    leaver.type = values_.TypeOf(*dummy);
    return leaver;
  }

  // A tensor without elements may have another rank. It gets the rank of the other side.
  void ReshapeEmpty(Side* side, const Side& other) {
    std::vector<std::pair<size_t, ArgList>> shapes;
    for (size_t i = 0; i < side->leavers.size(); ++i) {
      const Leaver& leaver = side->leavers[i];
      const Leaver& wanted = other.leavers[i];
      if (leaver.failed || wanted.failed || !leaver.type || !wanted.type) continue;
      if (auto shape = EmptyLike(*leaver.type, *wanted.type)) shapes.emplace_back(i, std::move(*shape));
    }
    if (shapes.empty()) return;
    open_.Append(&side->region, [&] {
      for (auto& [i, shape] : shapes) Reshape(&side->leavers[i], std::move(shape));
    });
  }

  void Reshape(Leaver* leaver, ArgList shape) {
    const size_t rank = leaver->type->dims->size();
    const size_t wanted = shape.size();
    ir::Node node;
    node.op = ir::Instruction::kEmptied;
    node.inputs = {leaver->arg, {std::move(shape)}};
    node.location = recorder_.places().NextCall();
    const std::vector<Arg> made = recorder_.Append(&node);
    if (recorder_.AnyFailed(made)) return;
    leaver->arg = made[0];
    leaver->type = recorder_.graph().value(*made[0].value());
    leaver->bases.clear();
    recorder_.findings().Remark(
        fmt::format("{} leaves an empty tensor of {} dimensions; the ONNX model has one of {} there",
                    Here(recorder_.places(), kBranch), rank, wanted));
  }

  // Selects the results that are known only at run time as results of the ONNX If.
  void ChooseOutputs() {
    for (size_t i = 0; i < spec_.results.size(); ++i) results_.push_back(Choose(i));
    for (size_t i = 0; i < written_.size(); ++i) {
      const Leaver& then = sides_[0].writes[i];
      const Leaver& otherwise = sides_[1].writes[i];
      if (then.failed || otherwise.failed) continue;  // reported already
      std::string why_not;
      auto type = ir::Join(*then.type, *otherwise.type, &why_not);
      if (type) {
        AddOutput({then.arg, otherwise.arg, std::move(*type)}, spec_.results.size() + i);
      } else {
        recorder_.findings().Report("",
                                    {Code::kWriteIsNotFollowed,
                                     fmt::format("what is written to is {} of an `if` decided at run time", why_not)});
      }
    }
  }

  Arg Choose(size_t i) {
    const Arg& then = spec_.results[i].then;
    const Arg& otherwise = spec_.results[i].otherwise;
    const Leaver& yes = sides_[0].leavers[i];
    const Leaver& no = sides_[1].leavers[i];
    if (SameConstant(then, otherwise)) return then;
    // Both sides leave the tensor unchanged.
    if (then.value() && otherwise.value() && *then.value() == *otherwise.value()) return then;
    for (const Leaver* side : {&yes, &no}) {
      if (side->poison) return {values_.Poison(*side->poison)};
    }
    if (yes.failed || no.failed) return {recorder_.AddFailed()};
    if (!yes.type || !no.type) {
      return {values_.Poison(
          {Code::kBranchesDiffer, "only numbers and tensors can be chosen by an `if` decided at run time"})};
    }
    std::string why_not;
    auto type = ir::Join(*yes.type, *no.type, &why_not);
    if (!type)
      return {values_.Poison({Code::kBranchesDiffer, fmt::format("it is {} of an `if` decided at run time", why_not)})};
    AddOutput({yes.arg, no.arg, std::move(*type)}, i);
    return {};
  }

  void AddOutput(ir::IfSpec::Result result, size_t place) {
    lowered_.results.push_back(std::move(result));
    places_.push_back(place);
  }

  // A result that is a tensor from before the If on one side at least: `when` is true, or a bool that the If leaves.
  struct Share {
    size_t result;  // of the lowered If
    ValueId tensor;
    std::optional<bool> when;  // nothing: where output `output` is true
    size_t output = 0;
  };

  bool IsResult(size_t i) const { return places_[i] < spec_.results.size(); }
  // Returns true if it is known for both sides which older tensors the result is.
  bool IsIdentified(size_t i) const {
    return std::ranges::all_of(sides_,
                               [&](const Side& side) { return side.leavers[places_[i]].identities.has_value(); });
  }

  void ChooseShares() {
    const size_t count = lowered_.results.size();
    for (size_t i = 0; i < count; ++i) {
      if (IsResult(i) && IsIdentified(i)) ChooseSharesOf(i);
    }
  }

  void ChooseSharesOf(size_t i) {
    std::vector<ValueId> tensors;
    for (const Side& side : sides_) {
      for (const functionalize::Identity& one : *side.leavers[places_[i]].identities) {
        if (std::ranges::find(tensors, one.tensor) == tensors.end()) tensors.push_back(one.tensor);
      }
    }
    for (const ValueId tensor : tensors) {
      const Arg then = WhenIs(sides_[0].leavers[places_[i]], tensor);
      const Arg otherwise = WhenIs(sides_[1].leavers[places_[i]], tensor);
      if (SameConstant(then, {true}) && SameConstant(otherwise, {false})) {
        shares_.push_back({i, tensor, true});
      } else if (SameConstant(then, {false}) && SameConstant(otherwise, {true})) {
        shares_.push_back({i, tensor, false});
      } else {
        shares_.push_back({i, tensor, std::nullopt, lowered_.results.size()});
        AddOutput({then, otherwise, *ir::TypeOfNumber({true})}, spec_.results.size() + written_.size());
      }
    }
  }

  static Arg WhenIs(const Leaver& leaver, ValueId tensor) {
    const auto found = std::ranges::find(*leaver.identities, tensor, &functionalize::Identity::tensor);
    return found == leaver.identities->end() ? Arg{false} : found->when;
  }

  void AssignWrites() {
    std::vector<std::optional<ValueId>> values(written_.size());
    for (size_t i = 0; i < made_.size(); ++i) {
      if (places_[i] >= spec_.results.size() + written_.size()) continue;
      if (places_[i] < spec_.results.size()) {
        results_[places_[i]] = {made_[i]};
      } else {
        values[places_[i] - spec_.results.size()] = made_[i];
      }
    }
    for (size_t i = 0; i < written_.size(); ++i) {
      if (values[i]) recorder_.Refine(*values[i], written_[i]);
      functionalizer_.Assign(written_[i], values[i] ? *values[i] : recorder_.AddFailed(),
                             Here(recorder_.places(), kBranch));
    }
  }

  void LinkResults() {
    for (const Side& side : sides_) {
      Linker linker(&aliases_, side.region.rest->mark);
      for (size_t i = 0; i < made_.size(); ++i) {
        if (!IsResult(i)) continue;
        std::vector<ValueId> bases = side.leavers[places_[i]].bases;
        if (IsIdentified(i)) std::erase_if(bases, [&](ValueId base) { return IsBefore(base, side); });
        linker.Link(made_[i], bases);
      }
    }
    for (const Share& share : shares_) {
      const ValueId condition = share.when ? *lowered_.condition.value() : made_[share.output];
      aliases_.AddMaybeOn(made_[share.result], share.tensor, condition, share.when.value_or(true));
    }
  }

  static bool IsBefore(ValueId id, const Side& side) { return static_cast<size_t>(id) < side.region.rest->mark; }

  // A tensor is laid out as both sides leave it. A value that is never used has any layout.
  void SetLayouts() {
    for (size_t i = 0; i < made_.size(); ++i) {
      if (!IsResult(i)) continue;
      const ir::IfSpec::Result& result = spec_.results[places_[i]];
      const bool then = result.then.is_none() || sides_[0].leavers[places_[i]].row_major;
      const bool otherwise = result.otherwise.is_none() || sides_[1].leavers[places_[i]].row_major;
      if (then && otherwise) layouts_.SetRowMajor(made_[i]);
      const auto overlaps = [&](const Side& side) { return side.leavers[places_[i]].overlaps; };
      if (std::ranges::any_of(sides_, overlaps)) functionalizer_.NoteOverlap(made_[i]);
    }
  }

  std::vector<Arg> FailAll() {
    results_.clear();
    for (size_t i = 0; i < spec_.results.size(); ++i) results_.push_back({recorder_.AddFailed()});
    for (const ValueId base : written_) {
      functionalizer_.Assign(base, recorder_.AddFailed(), Here(recorder_.places(), kBranch));
    }
    return results_;
  }

  record::Recorder& recorder_;
  functionalize::Layouts& layouts_;
  functionalize::Functionalizer& functionalizer_;
  functionalize::Aliases& aliases_ = functionalizer_.aliases();
  Values& values_;
  Reader& reader_;
  OpenRegions& open_;
  Leaving leaving_{&recorder_, &layouts_, &functionalizer_, &values_, &reader_, &open_};
  const ir::IfSpec spec_;  // the requested If
  Side sides_[2];
  std::vector<ValueId> written_;  // bases that either side writes to
  // The lowered If. Its results are those requested at `places_`, followed by `written_`.
  ir::IfSpec lowered_;
  std::vector<size_t> places_;
  std::vector<ValueId> made_;
  std::vector<Share> shares_;
  std::vector<Arg> results_;
};

}  // namespace

bool Regions::CanJoin(ValueId condition, const Arg& then, const Arg& otherwise) const {
  for (const Arg* side : {&then, &otherwise}) {
    if (side->is_none() || (side->value() && values_.IsFailed(*side->value()))) return true;
  }
  const auto yes = values_.TypeOf(then);
  const auto no = values_.TypeOf(otherwise);
  std::string why_not;
  if (!yes || !no || ir::Join(*yes, *no, &why_not)) return true;
  const auto empty = values_.EmptySideOf(condition);
  return empty && EmptyLike(*empty == 0 ? *yes : *no, *empty == 0 ? *no : *yes).has_value();
}

std::vector<Arg> Regions::If(ir::IfSpec spec, Region then, Region otherwise) {
  return Branches(&recorder_, &layouts_, &functionalizer_, &values_, &reader_, &open_, std::move(spec), std::move(then),
                  std::move(otherwise))
      .Join();
}

}  // namespace onnxport::trace
