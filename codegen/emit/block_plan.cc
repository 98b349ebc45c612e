#include "codegen/emit/block_plan.h"

#include <algorithm>
#include <utility>

#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

class Planner {
 public:
  Planner(const Block& block, std::span<const Def> defs) : block_(block), defs_(defs) {}

  // `require`: null without one. `pinned`: names that must be known before the cases.
  BlockPlan Plan(const ExprPtr& require, const std::set<std::string>& pinned) {
    AddSite(require, true, kWholeFunction);
    for (size_t i = 0; i < block_.cases.size(); ++i) {
      const int place = single() ? kWholeFunction : static_cast<int>(i);
      // Only the first condition is sure to be asked: the others are when all before them were false.
      AddSite(block_.cases[i].when, i == 0, kWholeFunction);
      AddBody(block_.cases[i].body, place);
      plan_.cases.push_back(PlanLets(block_.cases[i].lets, place, defs_, &sites_));
    }
    // After the cases, whose uses say where the repetition stands; before the block's lets, which it uses.
    if (block_.repetition) PlanRepetition(*block_.repetition);
    const bool computes_in =
        std::ranges::any_of(block_.cases, [](const Case& item) { return !item.compute_in.to.empty(); });
    // See let_plan.h: some case is taken for sure, and no case has a `compute_in` of its own.
    const bool hoist = !block_.cases.back().when && (!computes_in || CommonComputeIn(block_));
    plan_.lets = PlanBlockLets(block_.lets, defs_, pinned, static_cast<int>(block_.cases.size()), hoist, &sites_);
    for (const Site& site : sites_)
      for (const auto& [name, sure] : site.uses) plan_.used.insert(name);
    return std::move(plan_);
  }

 private:
  bool single() const { return block_.cases.size() == 1 && !block_.cases[0].when; }

  void AddSite(const ExprPtr& expr, bool sure, int place) {
    if (expr) sites_.push_back({UsesOf(*expr, defs_), sure, place});
  }

  // An expression evaluated inside a subgraph. `hoist`: what it uses is made before; else inside, and made again by
  // others (Lazy sees to that).
  void AddInnerSite(const ExprPtr& expr, bool hoist, int place) {
    Uses uses = UsesOf(*expr, defs_);
    for (auto& [name, sure] : uses) sure = hoist;
    sites_.push_back({std::move(uses), hoist, place});
  }

  void AddBody(const Body& body, int place) {
    for (size_t i = 0; i < body.emit.size(); ++i) {
      const bool branch = body.kind == Body::Kind::kIf && i > 0;
      if (branch || body.kind == Body::Kind::kMap)
        AddInnerSite(body.emit[i], !branch, place);
      else
        AddSite(body.emit[i], true, place);
    }
  }

  // Before the cases when each of them uses its results, else in those that do: what no taken case needs is not made.
  std::set<int> PlacesOf(const Repetition& repetition) const {
    std::set<int> places;
    for (const Site& site : sites_)
      for (const auto* results : {&repetition.init, &repetition.collect})
        for (const Let& let : *results)
          if (site.uses.contains(let.names[0])) places.insert(site.place);
    const bool by_every_case = places.size() == block_.cases.size() && !block_.cases.back().when;
    if (places.contains(kWholeFunction) || by_every_case) return {kWholeFunction};
    return places;
  }

  void PlanRepetition(const Repetition& repetition) {
    plan_.repetition_places = PlacesOf(repetition);
    for (const int place : plan_.repetition_places) PlanRepetitionAt(place, repetition);
  }

  void PlanRepetitionAt(int place, const Repetition& repetition) {
    const bool loop = repetition.kind == Repetition::Kind::kLoop;
    AddSite(repetition.in, true, place);
    if (repetition.go_on) AddInnerSite(repetition.go_on, true, place);
    for (const Let& let : repetition.init) AddSite(let.value, true, place);
    for (const auto* lets : {&repetition.next, &repetition.collect})
      for (const Let& let : *lets) loop ? AddInnerSite(let.value, true, place) : AddSite(let.value, true, place);
    if (loop)
      for (const Let& let : repetition.lets) AddInnerSite(let.value, true, place);
    plan_.repetition = PlanLets(repetition.lets, place, defs_, &sites_);
  }

  const Block& block_;
  std::span<const Def> defs_;
  std::vector<Site> sites_;
  BlockPlan plan_;
};

}  // namespace

BlockPlan PlanOf(const Mapping& mapping) {
  // Definitions are lambdas in front of the cases, so what they see must be there, whichever case calls them.
  std::set<std::string> pinned;
  for (const Def& def : mapping.defs)
    for (const ExprPtr& expr : ExpressionsOf(def))
      for (const auto& [name, sure] : UsesOf(*expr, {})) pinned.insert(name);
  return Planner(mapping, mapping.defs).Plan(mapping.require, pinned);
}

BlockPlan PlanOf(const Def& def, std::span<const Def> defs) { return Planner(def, defs).Plan(nullptr, {}); }

const ComputeIn* CommonComputeIn(const Block& block) {
  const ComputeIn& first = block.cases[0].compute_in;
  const bool same = std::ranges::all_of(block.cases, [&](const Case& item) { return item.compute_in.to == first.to; });
  return same && !first.to.empty() ? &first : nullptr;
}

}  // namespace onnxport::codegen
