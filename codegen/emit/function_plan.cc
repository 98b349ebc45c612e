#include "codegen/emit/function_plan.h"

#include <algorithm>
#include <utility>

#include "codegen/check/uses.h"

namespace onnxport::codegen {
namespace {

class Planner {
 public:
  explicit Planner(const OpEntry& entry) : entry_(entry) {}

  FunctionPlan Plan() {
    std::set<std::string> pinned;
    for (const Def& def : entry_.defs)
      for (const ExprPtr& expr : ExpressionsOf(def))
        for (const auto& [name, sure] : UsesOf(*expr, {})) pinned.insert(name);
    AddSite(entry_.require, true, kWholeFunction);
    for (size_t i = 0; i < entry_.cases.size(); ++i) {
      const int place = single() ? kWholeFunction : static_cast<int>(i);
      AddSite(entry_.cases[i].when, i == 0, kWholeFunction);
      AddBody(entry_.cases[i].body, place);
      plan_.cases.push_back(PlanBlock(entry_.cases[i].lets, place, entry_.defs, &sites_));
    }
    if (entry_.fold) PlanRepetition(*entry_.fold);
    const bool widening = std::ranges::any_of(entry_.cases, [](const Case& item) { return !item.widen.to.empty(); });
    const bool hoist = !entry_.cases.back().when && (!widening || CommonWiden(entry_));
    plan_.lets = PlanEntry(entry_.lets, entry_.defs, pinned, static_cast<int>(entry_.cases.size()), hoist, &sites_);
    for (const Site& site : sites_)
      for (const auto& [name, sure] : site.uses) plan_.used.insert(name);
    return std::move(plan_);
  }

 private:
  bool single() const { return entry_.cases.size() == 1 && !entry_.cases[0].when; }

  void AddSite(const ExprPtr& expr, bool sure, int place) {
    if (expr) sites_.push_back({UsesOf(*expr, entry_.defs), sure, place});
  }

  // An expression evaluated inside a subgraph. `hoist`: what it uses is made before; else inside, and made again by
  // others (Lazy sees to that).
  void AddInnerSite(const ExprPtr& expr, bool hoist, int place) {
    Uses uses = UsesOf(*expr, entry_.defs);
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

  // Computed where its results are used: before the cases, or in the only case that does.
  void PlanRepetition(const Fold& fold) {
    std::set<int> places;
    for (const Site& site : sites_)
      for (const auto* results : {&fold.init, &fold.collect})
        for (const Let& let : *results)
          if (site.uses.contains(let.names[0])) places.insert(site.place);
    const int place = places.size() == 1 ? *places.begin() : kWholeFunction;
    const bool loop = fold.kind == Fold::Kind::kLoop;
    AddSite(fold.in, true, place);
    if (fold.go_on) AddInnerSite(fold.go_on, true, place);
    for (const Let& let : fold.init) AddSite(let.value, true, place);
    for (const auto* lets : {&fold.next, &fold.collect})
      for (const Let& let : *lets) loop ? AddInnerSite(let.value, true, place) : AddSite(let.value, true, place);
    if (loop)
      for (const Let& let : fold.lets) AddInnerSite(let.value, true, place);
    plan_.repetition_place = place;
    plan_.repetition = PlanBlock(fold.lets, place, entry_.defs, &sites_);
  }

  const OpEntry& entry_;
  std::vector<Site> sites_;
  FunctionPlan plan_;
};

}  // namespace

FunctionPlan PlanFunction(const OpEntry& entry) { return Planner(entry).Plan(); }

const WidenRule* CommonWiden(const OpEntry& entry) {
  const WidenRule& first = entry.cases[0].widen;
  const bool same = std::ranges::all_of(entry.cases, [&](const Case& item) { return item.widen.to == first.to; });
  return same && !first.to.empty() ? &first : nullptr;
}

}  // namespace onnxport::codegen
