#include "codegen/emit/function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "codegen/emit/block.h"
#include "codegen/emit/names.h"
#include "codegen/model/spec_text.h"

namespace onnxport::codegen {
namespace {

std::string WidenText(const WidenRule& rule) {
  static constexpr std::pair<const char*, const char*> kFields[] = {
      {"int", "integers"}, {"half", "half"}, {"bool", "boolean"}, {"double", "float64"}};
  std::vector<std::string> items;
  const ExpressionWriter writer(0, {}, {});
  for (const auto& [word, field] : kFields) {
    const auto found = rule.to.find(word);
    if (found == rule.to.end()) continue;
    Expr dtype;
    dtype.kind = ExprKind::kDType;
    dtype.dtype = ir::ParseDType(found->second).value_or(ir::DType::kUndefined);
    items.push_back(fmt::format(".{} = {}", field, writer.Value(dtype, {})));
  }
  return fmt::format("c.widen({{{}}});", fmt::join(items, ", "));
}

// Whether an identifier occurs in a text.
bool Mentions(std::string_view text, std::string_view identifier) {
  const auto is_part = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(identifier); at != text.npos; at = text.find(identifier, at + 1))
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + identifier.size())) return true;
  return false;
}

class FunctionWriter {
 public:
  FunctionWriter(const FoldedEntry& folded, const DefNames& def_names, const std::string& hint)
      : folded_(folded),
        entry_(folded.entry),
        def_names_(def_names),
        hint_(hint),
        writer_(folded.target.opset, CalledNames(ExpressionsOf(folded.entry)),
                [this](const std::string& def) { return CallOf(def); }),
        block_(&writer_, 2) {}

  FunctionText Write() {
    Plan();
    WriteArguments();
    if (entry_.promote) WritePromote();
    if (const WidenRule* rule = CommonWiden()) block_.Statement(WidenText(*rule));
    WriteLetsAndRequire();
    if (entry_.fold && fold_place_ == kWholeFunction) WriteFold();
    for (size_t i = 0; i < entry_.cases.size(); ++i) WriteCase(static_cast<int>(i));
    if (entry_.cases.back().when) WriteNoCase();
    return {block_.text(), file_defs_};
  }

 private:
  std::string CallOf(const std::string& def) {
    const bool local = std::ranges::find(entry_.defs, def, &Def::name) != entry_.defs.end();
    if (local) return LocalName(def, {}) + "(";
    const std::string name = def_names_(def);
    file_defs_.insert(name);
    return name + "(c, ";
  }

  bool single() const { return entry_.cases.size() == 1 && !entry_.cases[0].when; }
  int PlaceOf(int index) const { return single() ? kWholeFunction : index; }

  // ---- where everything is computed ----

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

  void AddBodySites(const Body& body, int place) {
    for (size_t i = 0; i < body.emit.size(); ++i) {
      const bool branch = body.kind == Body::Kind::kIf && i > 0;
      if (branch || body.kind == Body::Kind::kMap)
        AddInnerSite(body.emit[i], !branch, place);
      else
        AddSite(body.emit[i], true, place);
    }
  }

  void Plan() {
    std::set<std::string> pinned;
    for (const Def& def : entry_.defs)
      for (const ExprPtr& expr : ExpressionsOf(def))
        for (const auto& [name, sure] : UsesOf(*expr, {})) pinned.insert(name);
    AddSite(entry_.require, true, kWholeFunction);
    for (size_t i = 0; i < entry_.cases.size(); ++i) {
      const int place = PlaceOf(static_cast<int>(i));
      AddSite(entry_.cases[i].when, i == 0, kWholeFunction);
      AddBodySites(entry_.cases[i].body, place);
      case_plans_.push_back(PlanBlock(entry_.cases[i].lets, place, entry_.defs, &sites_));
    }
    PlanFold();
    const bool widening = std::ranges::any_of(entry_.cases, [](const Case& item) { return !item.widen.to.empty(); });
    plan_ = PlanEntry(entry_.lets, entry_.defs, pinned, static_cast<int>(entry_.cases.size()),
                      widening && !CommonWiden(), &sites_);
    for (const Site& site : sites_)
      for (const auto& [name, sure] : site.uses) used_.insert(name);
  }

  // A fold is computed where its results are used: before the cases, or in the only case that does.
  void PlanFold() {
    if (!entry_.fold) return;
    std::set<int> places;
    for (const Site& site : sites_)
      for (const auto* results : {&entry_.fold->init, &entry_.fold->collect})
        for (const Let& let : *results)
          if (site.uses.contains(let.names[0])) places.insert(site.place);
    if (places.size() == 1) fold_place_ = *places.begin();
    AddSite(entry_.fold->in, true, fold_place_);
    const bool loop = entry_.fold->kind == Fold::Kind::kLoop;
    if (entry_.fold->go_on) AddInnerSite(entry_.fold->go_on, true, fold_place_);
    for (const Let& let : entry_.fold->init) AddSite(let.value, true, fold_place_);
    for (const auto* lets : {&entry_.fold->next, &entry_.fold->collect})
      for (const Let& let : *lets)
        loop ? AddInnerSite(let.value, true, fold_place_) : AddSite(let.value, true, fold_place_);
    if (loop)
      for (const Let& let : entry_.fold->lets) AddInnerSite(let.value, true, fold_place_);
    fold_plan_ = PlanBlock(entry_.fold->lets, fold_place_, entry_.defs, &sites_);
  }

  // The rule that all cases share, or null.
  const WidenRule* CommonWiden() const {
    const WidenRule& first = entry_.cases[0].widen;
    const bool same = std::ranges::all_of(entry_.cases, [&](const Case& item) { return item.widen.to == first.to; });
    return same && !first.to.empty() ? &first : nullptr;
  }

  // ---- arguments ----

  std::string ArgumentText(const std::string& name) const {
    return fmt::format("c.arg({})", folded_.schema->FindArgument(name));
  }

  const Refine* RefineOf(const std::string& name) const {
    const auto found = std::ranges::find(entry_.args, name, &std::pair<std::string, Refine>::first);
    return found == entry_.args.end() ? nullptr : &found->second;
  }

  void WriteArguments() {
    if (entry_.promote) promoted_.insert(entry_.promote->of.begin(), entry_.promote->of.end());
    for (const auto& argument : folded_.schema->arguments)
      if (used_.contains(argument.name) || promoted_.contains(argument.name)) WriteArgument(argument.name);
    for (const auto& [name, refine] : entry_.args)
      if (refine.kind == RefineKind::kMust && folded_.schema->FindArgument(name) >= 0)
        block_.Statement(fmt::format("c.must(\"{}\", {}, {});", name, ArgumentText(name), block_.Value(*refine.value)));
  }

  void WriteArgument(const std::string& name) {
    if (block_.scope().contains(name) || folded_.schema->FindArgument(name) < 0) return;
    const Refine* refine = RefineOf(name);
    if (refine && !refine->tensor.empty()) WriteArgument(refine->tensor);
    if (refine && refine->value)
      for (const auto& [used, sure] : UsesOf(*refine->value, {})) WriteArgument(used);
    block_.Statement(fmt::format("{} {} = {};", promoted_.contains(name) ? "Val" : "const Val", block_.Local(name),
                                 refine ? Refined(name, *refine) : ArgumentText(name)));
    block_.Bind(name, {block_.Local(name)});
  }

  std::string Refined(const std::string& name, const Refine& refine) const {
    const std::string argument = ArgumentText(name);
    const auto named = [&](const char* function, const std::string& last) {
      return fmt::format("c.{}(\"{}\", {}, {})", function, name, argument, last);
    };
    switch (refine.kind) {
      case RefineKind::kAxis:
        return named("axis", block_.Local(refine.tensor));
      case RefineKind::kAxisList:
        return named("axis_list", block_.Local(refine.tensor));
      case RefineKind::kRepeatTo:
        return fmt::format("repeat_to({}, {})", argument, block_.Value(*refine.value));
      case RefineKind::kEnum: {
        std::vector<std::string> rows;
        for (const auto& [from, to] : refine.table)
          rows.push_back(fmt::format("{{{}, {}}}", block_.Value(*from), block_.Value(*to)));
        return named("one_of", fmt::format("{{{}}}", fmt::join(rows, ", ")));
      }
      case RefineKind::kMust:
      case RefineKind::kIgnore:
      case RefineKind::kTensors:
        break;
    }
    return argument;
  }

  void WritePromote() {
    static constexpr const char* kKinds[] = {"kDefault", "kFloat", "kBool"};
    std::vector<std::string> items;
    for (const std::string& name : entry_.promote->of)
      if (folded_.schema->FindArgument(name) >= 0) items.push_back("&" + block_.Local(name));
    block_.Statement(fmt::format("c.promote({{{}}}, PromoteKind::{});", fmt::join(items, ", "),
                                 kKinds[static_cast<int>(entry_.promote->kind)]));
  }

  // ---- lets, defs, require ----

  // Whether `require` cannot be asked before this let is there.
  std::set<std::string> NeededByRequire() const {
    std::set<std::string> needed;
    const auto add = [&](const Expr& expr) {
      for (const auto& [name, sure] : UsesOf(expr, entry_.defs)) needed.insert(name);
    };
    if (entry_.require) add(*entry_.require);
    for (size_t i = plan_.size(); i-- > 0;)
      if (std::ranges::any_of(plan_[i].let->names, [&](const auto& name) { return needed.contains(name); }))
        add(*plan_[i].let->value);
    return needed;
  }

  void WriteLetsAndRequire() {
    const std::set<std::string> early = NeededByRequire();
    const auto is_early = [&](const PlannedLet& planned) {
      return std::ranges::any_of(planned.let->names, [&](const auto& name) { return early.contains(name); });
    };
    for (const PlannedLet& planned : plan_)
      if (planned.place == kWholeFunction && is_early(planned)) WriteLet(planned);
    if (entry_.require) {
      WriteDefsOf(*entry_.require);
      block_.Statement(fmt::format("c.require({}, {});", writer_.Bool(*entry_.require, block_.scope()),
                                   CppString(entry_.require_text)));
    }
    for (const PlannedLet& planned : plan_)
      if (planned.place == kWholeFunction && !is_early(planned)) WriteLet(planned);
    OpEntry rest = entry_;
    rest.defs.clear();  // those that nothing calls at this opset
    rest.lets.clear();
    for (const ExprPtr& expr : ExpressionsOf(rest)) WriteDefsOf(*expr);
    for (const PlannedLet& planned : plan_) WriteDefsOf(*planned.let->value);
  }

  void WriteLet(const PlannedLet& planned) {
    WriteDefsOf(*planned.let->value);
    block_.AddLet(planned, used_);
  }

  // Defs that an expression calls, before it: as lambdas, since they see the entry's names.
  void WriteDefsOf(const Expr& expr) {
    std::set<std::string> calls;
    AddCalls(expr, &calls);
    for (const Def& def : entry_.defs)
      if (calls.contains(def.name) && written_defs_.insert(def.name).second) WriteDef(def);
  }

  void WriteDef(const Def& def) {
    for (const ExprPtr& expr : ExpressionsOf(def)) WriteDefsOf(*expr);
    const Scope outer = block_.scope();
    std::vector<std::string> parameters;
    for (const std::string& name : def.params) {
      block_.Bind(name, {block_.Local(name)});
      parameters.push_back("const Val& " + block_.Local(name));
    }
    block_.Open(fmt::format("const auto {} = [&]({}) -> Val {{", LocalName(def.name, {}), fmt::join(parameters, ", ")));
    AddDefBody(def, entry_.defs, &block_);
    block_.Close();
    block_.text().insert(block_.text().size() - 1, ";");
    block_.set_scope(outer);
  }

  // ---- fold ----

  void WriteFold() {
    const Fold& fold = *entry_.fold;
    if (fold.kind == Fold::Kind::kLoop) return WriteLoop(fold);
    for (const Let& let : fold.init) block_.AddVariable(let.names[0], *let.value);
    for (const Let& let : fold.collect) block_.Statement(fmt::format("Vals {};", block_.Local(let.names[0])));
    const Scope outer = block_.scope();
    const std::string each = fmt::format("{}", fmt::join(fold.each, "_"));
    const std::string element = fold.each.size() == 1 ? block_.Local(each) : each;
    block_.Statement(fmt::format("const Val every_{} = {};", each, block_.Value(*fold.in)));
    const bool counts_only = fold.each.size() == 1 && !used_.contains(each);
    block_.Open(fmt::format("for ({}const Val& {} : every_{}.AsList()) {{", counts_only ? "[[maybe_unused]] " : "",
                            element, each));
    if (fold.each.size() == 1) block_.Bind(each, {element});
    for (size_t i = 0; i < fold.each.size() && fold.each.size() > 1; ++i)
      block_.Bind(fold.each[i], {fmt::format("{}[{}]", element, i)});
    for (const PlannedLet& planned : fold_plan_) block_.AddLet(planned, used_);
    for (const Let& let : fold.collect)
      block_.Statement(fmt::format("{}.push_back({});", block_.Local(let.names[0]), block_.Value(*let.value)));
    WriteNext(fold.next);
    block_.Close();
    block_.set_scope(outer);
    for (const Let& let : fold.collect) block_.Bind(let.names[0], {block_.Local(let.names[0]), CppType::kList});
  }

  // ---- loop ----

  std::string Values(const std::vector<Let>& lets) const {
    std::vector<std::string> items;
    for (const Let& let : lets) items.push_back(block_.Value(*let.value));
    return fmt::format("{{{}}}", fmt::join(items, ", "));
  }

  // The carried values as names.
  void BindCarried(const Fold& fold, const std::set<std::string>& used, const char* values) {
    for (size_t i = 0; i < fold.init.size(); ++i) {
      const std::string& name = fold.init[i].names[0];
      if (used.contains(name)) block_.Statement(fmt::format("const Val {} = {}[{}];", block_.Local(name), values, i));
      block_.Bind(name, {block_.Local(name)});
    }
  }

  std::set<std::string> NamesIn(const std::vector<ExprPtr>& expressions) const {
    std::set<std::string> names;
    for (const ExprPtr& expr : expressions)
      for (const auto& [name, sure] : UsesOf(*expr, entry_.defs)) names.insert(name);
    return names;
  }

  void WriteGoOn(const Fold& loop) {
    const Scope outer = block_.scope();
    block_.Open("const auto go_on = [&](const Vals& carried_values) -> Val {");
    BindCarried(loop, NamesIn({loop.go_on}), "carried_values");
    block_.Statement(fmt::format("return {};", block_.Value(*loop.go_on)));
    block_.Close();
    block_.text().insert(block_.text().size() - 1, ";");
    block_.set_scope(outer);
  }

  void WriteLoop(const Fold& loop) {
    if (loop.go_on) WriteGoOn(loop);
    const Scope outer = block_.scope();
    const std::string count = loop.in ? block_.Value(*loop.in) : "Val()";
    block_.Statement(fmt::format("const Vals carried_first = {};", Values(loop.init)));
    std::vector<ExprPtr> inside;
    for (const auto* lets : {&loop.lets, &loop.next, &loop.collect})
      for (const Let& let : *lets) inside.push_back(let.value);
    const std::set<std::string> used = NamesIn(inside);
    const bool counts = !loop.each.empty() && used.contains(loop.each[0]);
    if (counts) block_.Bind(loop.each[0], {block_.Local(loop.each[0])});
    const bool carries = std::ranges::any_of(loop.init, [&](const Let& let) { return used.contains(let.names[0]); });
    block_.Open(fmt::format("const auto body = [&](const Val&{}, const Vals&{}) -> Context::LoopStep {{",
                            counts ? " " + block_.Local(loop.each[0]) : "", carries ? " carried_values" : ""));
    BindCarried(loop, used, "carried_values");
    for (const PlannedLet& planned : fold_plan_) block_.AddLet(planned, used_);
    std::vector<Let> next;  // in the order of `carry`
    for (const Let& let : loop.init) next.push_back(*std::ranges::find(loop.next, let.names, &Let::names));
    block_.Statement(fmt::format("return {{.next = {}, .scans = {}}};", Values(next), Values(loop.collect)));
    block_.Close();
    block_.text().insert(block_.text().size() - 1, ";");
    block_.set_scope(outer);
    block_.Statement(fmt::format("const Vals carried_last = c.loop({}, carried_first, {}, body);", count,
                                 loop.go_on ? "go_on" : "nullptr"));
    size_t position = 0;
    for (const auto* results : {&loop.init, &loop.collect})
      for (const Let& let : *results) BindLast(let.names[0], position++);
  }

  void BindLast(const std::string& name, size_t position) {
    block_.Bind(name, {fmt::format("carried_last[{}]", position)});
  }

  // All next values are computed from the values before.
  void WriteNext(const std::vector<Let>& next) {
    if (next.size() > 1)
      for (const Let& let : next)
        block_.Statement(fmt::format("const Val next_{} = {};", let.names[0], block_.Value(*let.value)));
    for (const Let& let : next)
      block_.Statement(fmt::format("{} = {};", block_.Local(let.names[0]),
                                   next.size() > 1 ? "next_" + let.names[0] : block_.Value(*let.value)));
  }

  // ---- cases ----

  void WriteCase(int index) {
    const Case& item = entry_.cases[index];
    const Scope outer = block_.scope();
    if (item.when) block_.Open(fmt::format("if ({}) {{", writer_.Condition(*item.when, outer)));
    if (folded_.several_cases)
      block_.Statement(fmt::format("ONNXPORT_COVER({});", CppString(CaseId(entry_, folded_.case_numbers[index]))));
    if (!item.widen.to.empty() && !CommonWiden()) block_.Statement(WidenText(item.widen));
    for (const PlannedLet& planned : plan_)
      if (planned.place == index) block_.AddLet(planned, used_);
    if (entry_.fold && fold_place_ == index) WriteFold();
    for (const PlannedLet& planned : case_plans_[index]) block_.AddLet(planned, used_);
    WriteResult(item.body);
    if (item.when) block_.Close();
    block_.set_scope(outer);
  }

  std::string Branch(const Body& body, size_t begin, size_t end) const {
    std::vector<std::string> items;
    for (size_t i = begin; i < end; ++i) items.push_back(writer_.Val(*body.emit[i], block_.scope()));
    return fmt::format("[&]() -> Vals {{ return {{{}}}; }}", fmt::join(items, ", "));
  }

  void WriteIf(const Body& body) {
    const size_t results = body.emit.size() / 2;
    block_.Statement(fmt::format("return c.if_op({}, {}, {});", block_.Value(*body.emit[0]),
                                 Branch(body, 1, 1 + results), Branch(body, 1 + results, body.emit.size())));
  }

  void WriteMap(const Expr& map) {
    const Scope outer = block_.scope();
    const std::string list = block_.Value(*map.operands[1]);
    const std::string element = block_.Local(map.names[0]);
    block_.Bind(map.names[0], {element});
    block_.Statement(fmt::format("return {{c.map({}, [&](const Val& {}) -> Val {{ return {}; }})}};", list, element,
                                 block_.Value(*map.operands[0])));
    block_.set_scope(outer);
  }

  void WriteResult(const Body& body) {
    switch (body.kind) {
      case Body::Kind::kIf:
        return WriteIf(body);
      case Body::Kind::kMap:
        return WriteMap(*body.emit[0]);
      case Body::Kind::kHook:
        return block_.Statement(fmt::format("return {}(c);", body.text));
      case Body::Kind::kRefuse:
        return block_.Statement(fmt::format("c.refuse({});", CppString(body.text)));
      case Body::Kind::kEmit:
      case Body::Kind::kList:
      case Body::Kind::kSequence:
        break;
    }
    if (body.emit.size() == 1 && folded_.schema->results.size() > 1)
      return block_.Statement(fmt::format("return {}.AsList();", writer_.Val(*body.emit[0], block_.scope())));
    if (body.emit.size() == 1)
      return block_.Statement(fmt::format("return {{{}}};", writer_.ListSafe(*body.emit[0], block_.scope())));
    std::vector<std::string> items;
    for (const ExprPtr& value : body.emit) items.push_back(block_.Value(*value));
    block_.Statement(fmt::format("return {{{}}};", fmt::join(items, ", ")));
  }

  void WriteNoCase() {
    std::vector<std::string> conditions;
    for (const Case& item : entry_.cases) conditions.push_back(CppString(SpecText(*item.when)));
    block_.Statement(fmt::format("c.no_case({{{}}}, {});", fmt::join(conditions, ", "), CppString(hint_)));
  }

  const FoldedEntry& folded_;
  const OpEntry& entry_;
  const DefNames& def_names_;
  const std::string& hint_;
  ExpressionWriter writer_;
  Block block_;
  std::vector<Site> sites_;
  std::vector<PlannedLet> plan_;
  std::vector<PlannedLet> fold_plan_;
  std::vector<std::vector<PlannedLet>> case_plans_;
  int fold_place_ = kWholeFunction;
  std::set<std::string> used_;
  std::set<std::string> promoted_;
  std::set<std::string> written_defs_;
  std::set<std::string> file_defs_;
};

}  // namespace

std::string PlaceText(const Place& place) {
  return fmt::format("{}:{}", place.file ? place.file->path : "", place.line);
}

std::string CaseId(const OpEntry& entry, int number) {
  return fmt::format("{} case {}", PlaceText(entry.place), number);
}

FunctionText WriteFunction(const FoldedEntry& folded, const DefNames& def_names, const std::string& hint) {
  return FunctionWriter(folded, def_names, hint).Write();
}

DefText WriteDef(const Def& def, int opset, const DefNames& def_names) {
  DefText written;
  const ExpressionWriter writer(opset, CalledNames(ExpressionsOf(def)), [&](const std::string& called) {
    const std::string name = def_names(called);
    written.defs.insert(name);
    return name + "(c, ";
  });
  Block block(&writer, 2);
  for (const std::string& name : def.params) block.Bind(name, {block.Local(name)});
  AddDefBody(def, {}, &block);
  written.text = block.text();
  written.parameters = Mentions(written.text, "c") ? "Context& c" : "Context&";
  for (const std::string& name : def.params)
    written.parameters += ", const Val&" + (Mentions(written.text, block.Local(name)) ? " " + block.Local(name) : "");
  return written;
}

}  // namespace onnxport::codegen
