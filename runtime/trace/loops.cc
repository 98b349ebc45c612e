// Regions::Loop.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/ir/join.h"
#include "runtime/trace/dummy.h"
#include "runtime/trace/functionalize/added_calls.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/leaving.h"
#include "runtime/trace/loop_memory.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/regions.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;

constexpr const char* kLoop = "a loop";

// One Loop under construction.
class LoopMaker {
 public:
  LoopMaker(record::Recorder* recorder, functionalize::Layouts* layouts, functionalize::Functionalizer* functionalizer,
            Values* values, Reader* reader, OpenRegions* open, ir::LoopSpec spec, Region body)
      : recorder_(*recorder),
        layouts_(*layouts),
        functionalizer_(*functionalizer),
        values_(*values),
        reader_(*reader),
        open_(*open),
        spec_(std::move(spec)),
        body_(std::move(body)),
        identities_(body_.rest->carried_identities) {}

  std::optional<std::vector<Arg>> Make(std::vector<ir::Value>* joined) {
    if (body_.failed || !ReadOutside()) return Fail();
    CollectInside();
    if (body_.failed) return Fail();
    if (!CheckWrites()) return Fail();
    bool again = false;
    if (!CheckTypes(joined, &again)) return Fail();
    if (again || AssumesOtherLayout()) return std::nullopt;
    FindMemory(&places_);
    if (AssumesOtherIdentity()) return std::nullopt;
    if (!CheckMemory()) return Fail();
    open_.Commit(body_);
    return recorder_.Loop(Lowered(), std::move(body_.rest->block), &made_) ? Finish() : FailAll();
  }

 private:
  using Place = LoopPlace;

  bool ReadOutside() {
    bool usable = true;
    for (Arg* arg : {&spec_.trip_count, &spec_.condition}) usable = reader_.Read(arg, kLoop) && usable;
    for (const ir::LoopSpec::Carried& carried : spec_.carried) {
      Place place;
      place.initial = leaving_.Leave(carried.initial);
      if (carried.initial.is_none()) Replace(&place.initial, carried.inside);
      usable = usable && !place.initial.failed;
      if (place.initial.poison) recorder_.findings().Report("", *place.initial.poison);
      places_.push_back(std::move(place));
    }
    for (const auto& [base, inside] : body_.rest->carried_writes) {
      usable = usable && !recorder_.IsFailed(aliases_.ValueOfBase(base));
    }
    return usable;
  }

  // A value that the program never uses may be anything.
  void Replace(Leaver* leaver, ValueId inside) {
    const ir::Value type = recorder_.graph().value(inside);
    const auto dummy = Dummy(&recorder_, type);
    leaver->failed = !dummy;
    if (dummy) leaver->arg = *dummy;
    leaver->type = dummy ? values_.TypeOf(*dummy) : type;
  }

  // Collects the values that leave the body at its end.
  void CollectInside() {
    open_.Append(&body_, [&] {
      reader_.Read(&spec_.next_condition, kLoop);
      for (size_t i = 0; i < places_.size(); ++i) CollectNext(spec_.carried[i], &places_[i]);
      for (Arg& scan : spec_.scans) {
        Leaver leaver = leaving_.Leave(scan);
        unusable_ = unusable_ || leaver.failed;
        scan = std::move(leaver.arg);
        scan_bases_.push_back(std::move(leaver.bases));
        scan_overlaps_.push_back(leaver.overlaps);
      }
    });
    for (const Region::Write& write : body_.writes) written_.emplace(write.base, write.value);
    unusable_ = unusable_ || body_.failed;
  }

  void CollectNext(const ir::LoopSpec::Carried& carried, Place* place) {
    place->inside = carried.inside;
    place->next = leaving_.Leave(carried.next);
    leaving_.FindIdentities(carried.next, &place->next);
    if (carried.next.is_none()) Replace(&place->next, carried.inside);
    if (place->next.poison) recorder_.findings().Report("", *place->next.poison);
    unusable_ = unusable_ || place->next.failed;
    if (ir::HoldsTensors(recorder_.graph().value(carried.inside).kind)) FindWrites(place);
    if (const CarriedIdentity* known = IdentityOf(*place)) place->still = StillIs(*place, *known);
  }

  const CarriedIdentity* IdentityOf(const Place& place) const {
    const auto found = std::ranges::find(identities_, place.inside, &CarriedIdentity::inside);
    return found == identities_.end() ? nullptr : &*found;
  }

  // Returns if the next value is the tensor that the place began as: a bool, or None if it may be another older one.
  Arg StillIs(const Place& place, const CarriedIdentity& known) {
    if (!place.next.identities) return {};
    const auto combine = [&](ir::Instruction instruction, Arg a, Arg b) {
      return functionalize::AddInstruction(&recorder_, instruction, {std::move(a), std::move(b)});
    };
    Arg still = {false};
    for (const functionalize::Identity& one : *place.next.identities) {
      Arg when = one.when;
      if (one.tensor == known.inside) {
        when = SameConstant(when, {true}) ? Arg{known.still} : combine(ir::Instruction::kAnd, when, {known.still});
      } else if (one.tensor != aliases_.WholeOf(known.initial)) {
        return {};
      }
      still = SameConstant(still, {false}) ? when : combine(ir::Instruction::kOr, still, when);
    }
    return still;
  }

  void FindWrites(Place* place) {
    const std::vector<ValueId> entered = open_.Entered(place->inside);
    place->entered.insert(entered.begin(), entered.end());
    for (const ValueId base : aliases_.BasesAround(place->inside)) {
      place->written = place->written || (!open_.IsOlder(base) && aliases_.base_written(base));
    }
  }

  // Checks that every write to an older tensor is carried.
  bool CheckWrites() {
    if (unusable_) return false;
    std::unordered_set<ValueId> carried;
    for (const auto& [base, inside] : body_.rest->carried_writes) carried.insert(base);
    for (const Region::Write& write : body_.writes) {
      const bool known = carried.contains(write.base);
      if (known && !recorder_.IsFailed(write.value)) continue;
      if (!known)
        recorder_.findings().Report(
            "", {Code::kLoopDoesNotFit, "an iteration of a loop writes to another tensor than the one before"});
      return false;
    }
    return true;
  }

  // Returns false if a carried value cannot have a single type.
  bool CheckTypes(std::vector<ir::Value>* joined, bool* again) {
    joined->clear();
    for (size_t i = 0; i < places_.size(); ++i) {
      const ir::Value& inside = recorder_.graph().value(spec_.carried[i].inside);
      ir::Value type = inside;
      type.name.clear();
      for (const Leaver* leaver : {&places_[i].initial, &places_[i].next}) {
        std::string why_not = "a value that only the program's own code knows";
        const auto wider = leaver->type ? ir::Join(type, *leaver->type, &why_not) : std::nullopt;
        if (!wider) {
          recorder_.findings().Report(
              "", {Code::kLoopDoesNotFit,
                   fmt::format("a value that a loop changes is {}: before and after an iteration", why_not)});
          return false;
        }
        *again = *again || !ir::Fits(*leaver->type, inside);
        type = *wider;
      }
      joined->push_back(std::move(type));
    }
    for (const auto& [base, inside] : body_.rest->carried_writes) joined->push_back(recorder_.graph().value(inside));
    return true;
  }

  // Block inputs were assumed to be laid out as their initial values. Returns true if the body must be traced again
  // without that.
  bool AssumesOtherLayout() {
    bool again = false;
    for (size_t i = 0; i < places_.size(); ++i) {
      const ir::LoopSpec::Carried& carried = spec_.carried[i];
      if (carried.next.is_none() || places_[i].next.row_major || !KeepsLayout(i)) continue;
      again = open_.ForgetLayout(aliases_.NameOf(*carried.initial.value())) || again;
    }
    return again;
  }

  bool KeepsLayout(size_t i) const {
    const ir::LoopSpec::Carried& carried = spec_.carried[i];
    return carried.initial.value() != nullptr &&
           recorder_.graph().value(carried.inside).kind == ir::ValueKind::kTensor &&
           layouts_.IsRowMajor(carried.inside);
  }

  // The body followed its writes as if it were known when a place still is its initial tensor. Returns true if it must
  // be traced again without that.
  bool AssumesOtherIdentity() {
    ForgetShared(&places_, scan_bases_, body_.rest->mark);
    const bool writes =
        !body_.writes.empty() || std::ranges::any_of(places_, [](const Place& place) { return place.written; });
    bool again = false;
    for (const Place& place : places_) {
      const CarriedIdentity* known = IdentityOf(place);
      if (known == nullptr || !place.still.is_none() || !writes) continue;
      again = open_.ForgetIdentity(known->initial) || again;
    }
    return again;
  }

  bool CheckMemory() {
    const char* why_not = nullptr;
    const auto overlaps = [](const Place& place) { return place.written && place.MayOverlap(); };
    if (std::ranges::any_of(places_, overlaps)) {
      why_not =
          "a loop writes in place to a tensor that it carries and that has, or may have, elements that are one in "
          "memory; clone it before the write";
    } else if (!IsSharingFollowed(places_, body_)) {
      why_not =
          "a loop writes in place to a tensor that it carries and that has another name as well; clone it before the "
          "write";
    } else if (!StaysAsItIs(places_, scan_bases_, body_)) {
      why_not =
          "a loop appends a tensor to a list and writes to it in place in a later iteration; append a clone of it";
    }
    if (why_not != nullptr) recorder_.findings().Report("", {Code::kWriteIsNotFollowed, why_not});
    return why_not == nullptr;
  }

  // Returns the Loop with current values. Tensors that are written in place are carried, too.
  ir::LoopSpec Lowered() {
    ir::LoopSpec lowered = spec_;
    for (size_t i = 0; i < places_.size(); ++i) {
      lowered.carried[i].initial = places_[i].initial.arg;
      lowered.carried[i].next = places_[i].next.arg;
    }
    for (const auto& [base, inside] : body_.rest->carried_writes) {
      const auto found = written_.find(base);
      const ValueId next = found == written_.end() ? inside : found->second;
      lowered.carried.push_back({{aliases_.ValueOfBase(base)}, inside, {next}});
    }
    for (const CarriedIdentity& known : identities_) {
      const auto place = std::ranges::find(places_, known.inside, &Place::inside);
      lowered.carried.push_back({{true}, known.still, place->still.is_none() ? Arg{false} : place->still});
    }
    return lowered;
  }

  std::vector<Arg> Finish() {
    const std::string what = Here(recorder_.places(), kLoop);
    const auto& writes = body_.rest->carried_writes;
    for (size_t i = 0; i < writes.size(); ++i) {
      recorder_.Refine(made_[places_.size() + i], writes[i].first);
      functionalizer_.Assign(writes[i].first, made_[places_.size() + i], what);
    }
    std::vector<Arg> results;
    for (size_t i = 0; i < places_.size(); ++i) {
      const Arg& initial = spec_.carried[i].initial;
      const bool followed = IdentityOf(places_[i]) != nullptr && !places_[i].still.is_none();
      if (places_[i].written && initial.value() != nullptr && !followed) aliases_.Doubt(*initial.value(), what);
      if (KeepsLayout(i)) layouts_.SetRowMajor(made_[i]);
      if (places_[i].MayOverlap()) functionalizer_.NoteOverlap(made_[i]);
      results.push_back({made_[i]});
    }
    LinkResults(&results);
    return results;
  }

  // Adds the scans to the results.
  void LinkResults(std::vector<Arg>* results) {
    const size_t first_bool = places_.size() + body_.rest->carried_writes.size();
    const size_t first_scan = first_bool + identities_.size();
    Linker outside(&aliases_, recorder_.graph().values.size());
    Linker inside(&aliases_, body_.rest->mark);
    for (size_t i = 0; i < places_.size(); ++i) {
      const CarriedIdentity* known = IdentityOf(places_[i]);
      if (known != nullptr && !places_[i].still.is_none()) {
        const auto place = static_cast<size_t>(known - identities_.data());
        aliases_.AddMaybeOn(made_[i], known->initial, made_[first_bool + place], true);
      } else {
        outside.Link(made_[i], places_[i].initial.bases);
        inside.Link(made_[i], {places_[i].memory.begin(), places_[i].memory.end()});
      }
    }
    for (size_t i = first_scan; i < made_.size(); ++i) {
      const std::vector<ValueId>& bases = scan_bases_[i - first_scan];
      if (scan_overlaps_[i - first_scan]) functionalizer_.NoteOverlap(made_[i]);
      inside.Link(made_[i], bases);
      outside.Link(made_[i], OlderMemory(places_, bases, body_.rest->mark));
      results->push_back({made_[i]});
      layouts_.SetRowMajor(made_[i]);
    }
  }

  std::vector<Arg> Fail() {
    open_.Commit(body_);
    return FailAll();
  }

  std::vector<Arg> FailAll() {
    std::vector<Arg> results;
    for (size_t i = 0; i < spec_.carried.size() + spec_.scans.size(); ++i) {
      results.push_back({recorder_.AddFailed()});
    }
    for (const Region::Write& write : body_.writes) {
      functionalizer_.Assign(write.base, recorder_.AddFailed(), Here(recorder_.places(), kLoop));
    }
    return results;
  }

  record::Recorder& recorder_;
  functionalize::Layouts& layouts_;
  functionalize::Functionalizer& functionalizer_;
  functionalize::Aliases& aliases_ = functionalizer_.aliases();
  Values& values_;
  Reader& reader_;
  OpenRegions& open_;
  Leaving leaving_{&recorder_, &layouts_, &functionalizer_, &values_, &reader_, &open_};
  ir::LoopSpec spec_;
  Region body_;
  const std::vector<CarriedIdentity> identities_;
  std::vector<Place> places_;  // for each carried value
  std::vector<std::vector<ValueId>> scan_bases_;
  std::vector<bool> scan_overlaps_;
  std::unordered_map<ValueId, ValueId> written_;  // older base -> its value at the end of the body
  bool unusable_ = false;
  std::vector<ValueId> made_;
};

}  // namespace

void Regions::CarryWrites(const std::vector<Region::Write>& writes) {
  const std::string what = Here(recorder_.places(), kLoop);
  for (const Region::Write& write : writes) functionalizer_.Assign(write.base, open_.CarryWrite(write.base), what);
  open_.LinkInputs();
}

std::optional<std::vector<Arg>> Regions::Loop(ir::LoopSpec spec, Region body, std::vector<ir::Value>* joined) {
  return LoopMaker(&recorder_, &layouts_, &functionalizer_, &values_, &reader_, &open_, std::move(spec),
                   std::move(body))
      .Make(joined);
}

}  // namespace onnxport::trace
