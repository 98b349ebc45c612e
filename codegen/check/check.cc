#include "codegen/check/check.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <vector>

#include "codegen/check/entry_check.h"
#include "codegen/check/fold.h"
#include "codegen/check/issues.h"
#include "codegen/check/kind_check.h"
#include "codegen/check/name_check.h"
#include "codegen/check/onnx_schemas.h"
#include "codegen/check/opset_text.h"
#include "codegen/check/uses.h"

namespace onnxport::codegen {
namespace {

class EntryChecker {
 public:
  EntryChecker(const SpecFile& spec, const OpEntry& entry, const CheckOptions& options, Diagnostics* diagnostics)
      : spec_(spec), entry_(entry), options_(options), diagnostics_(diagnostics) {}

  // `with_kinds`: the defs of the file are sound.
  void Check(bool with_kinds) {
    const auto schemas = CheckNames(entry_, diagnostics_);
    if (schemas.empty()) return;
    CheckArguments(entry_, schemas, diagnostics_);
    CheckTests(entry_, schemas, diagnostics_);
    const int before = diagnostics_->error_count();
    CheckEntryNames(entry_, ArgumentNames(schemas), spec_, diagnostics_);
    if (!with_kinds || diagnostics_->error_count() > before) return;  // kinds of unknown names mean nothing
    for (const ir::AtenSchema* schema : schemas) CheckOverload(*schema);
    issues_.Report(opsets_, diagnostics_);
    CheckReach(schemas);
    if (options_.notes) ReportUncovered();
  }

 private:
  void CheckOverload(const ir::AtenSchema& schema) {
    for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
      const FoldedEntry folded = FoldEntry(entry_, schema, {.opset = opset, .domains = options_.domains});
      if (folded.entry.cases.empty()) continue;
      opsets_.insert(opset);
      reached_.insert(folded.case_numbers.begin(), folded.case_numbers.end());
      std::vector<Uncovered> uncovered;
      possible_.merge(CheckKinds(folded, spec_.defs, &issues_, &uncovered));
      for (const Uncovered& item : uncovered)
        uncovered_[{item.place.line, item.place.column, item.op, item.dtypes.ToString()}].insert(opset);
    }
  }

  // Cases that a target with every domain could not take either, and cases that no argument can.
  void CheckReach(const std::vector<const ir::AtenSchema*>& schemas) {
    if (opsets_.empty()) {
      diagnostics_->Error(entry_.place, fmt::format("{} has a case at no opset", entry_.names[0]));
      return;
    }
    const std::set<int> with_domains = ReachedWithDomains(schemas);
    for (size_t i = 0; i < entry_.cases.size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      if (!with_domains.contains(number))
        diagnostics_->Error(entry_.cases[i].place, fmt::format("case {} can never be taken", number));
      else if (reached_.contains(number) && !possible_.contains(number) && issues_.empty())
        diagnostics_->Error(entry_.cases[i].place,
                            fmt::format("case {} can never be taken: no arguments meet its condition", number));
    }
  }

  // Cases that can be taken when all the domains that the entry asks for are there, or only some.
  std::set<int> ReachedWithDomains(const std::vector<const ir::AtenSchema*>& schemas) const {
    std::set<int> reached = reached_;
    if (reached.size() == entry_.cases.size()) return reached;
    Target target{.opset = 0, .domains = options_.domains};
    for (const ExprPtr& expr : ExpressionsOf(entry_)) AddDomains(*expr, &target.domains);
    for (const Def& def : spec_.defs)
      for (const ExprPtr& expr : ExpressionsOf(def)) AddDomains(*expr, &target.domains);
    for (const ir::AtenSchema* schema : schemas)
      for (target.opset = FirstOpset(); target.opset <= LastOpset(); ++target.opset)
        for (const int number : FoldEntry(entry_, *schema, target).case_numbers) reached.insert(number);
    return reached;
  }

  static void AddDomains(const Expr& expr, std::set<std::string>* domains) {
    if (expr.Is(Builtin::kDomain) && !expr.operands.empty()) domains->insert(expr.operands[0]->text);
    for (const ExprPtr& operand : expr.operands) AddDomains(*operand, domains);
    for (const auto& [name, value] : expr.named) AddDomains(*value, domains);
  }

  void ReportUncovered() {
    for (const auto& [cell, opsets] : uncovered_) {
      const Place place{entry_.place.file, std::get<0>(cell), std::get<1>(cell)};
      diagnostics_->Note(place, fmt::format("{} does not take {} at {}; such calls are refused", std::get<2>(cell),
                                            std::get<3>(cell), OpsetText(opsets)));
    }
  }

  const SpecFile& spec_;
  const OpEntry& entry_;
  const CheckOptions& options_;
  Diagnostics* diagnostics_;
  Issues issues_;
  std::set<int> opsets_;
  std::set<int> reached_;   // numbers of cases that are left at some opset
  std::set<int> possible_;  // and whose condition some arguments meet
  std::map<std::tuple<int, int, std::string, std::string>, std::set<int>> uncovered_;
};

}  // namespace

void CheckClaims(const std::vector<SpecFile>& specs, Diagnostics* diagnostics) {
  std::map<std::string, Place> claimed;
  for (const SpecFile& spec : specs)
    for (const OpEntry& entry : spec.ops)
      for (size_t i = 0; i < entry.names.size(); ++i) {
        const Place& place = entry.name_places[i];
        const auto [first, is_new] = claimed.emplace(entry.names[i], place);
        if (!is_new)
          diagnostics->Error(place,
                             fmt::format("`{}` is claimed twice; first at {}:{}", entry.names[i],
                                         first->second.file ? first->second.file->path : "", first->second.line));
      }
}

void CheckSpec(const SpecFile& spec, const CheckOptions& options, Diagnostics* diagnostics) {
  CheckClaims({spec}, diagnostics);
  const int before = diagnostics->error_count();
  CheckFileDefs(spec, diagnostics);
  const bool sound = diagnostics->error_count() == before;
  CheckDefsUsed(spec, diagnostics);
  for (const OpEntry& entry : spec.ops) EntryChecker(spec, entry, options, diagnostics).Check(sound);
}

}  // namespace onnxport::codegen
