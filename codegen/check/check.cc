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
    CheckEntryNames(entry_, ArgumentNames(schemas), spec_, options_.domains, diagnostics_);
    if (!with_kinds || diagnostics_->error_count() > before) return;  // kinds of unknown names mean nothing
    for (const ir::AtenSchema* schema : schemas) CheckOverload(*schema);
    issues_.Report(opsets_, diagnostics_);
    CheckReach();
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
      CheckKinds(folded, spec_.defs, &issues_, &uncovered);
      for (const Uncovered& item : uncovered)
        uncovered_[{item.place.line, item.place.column, item.op, item.dtypes.ToString()}].insert(opset);
    }
  }

  // Cases that a target with every domain could not take either.
  void CheckReach() {
    if (opsets_.empty()) {
      diagnostics_->Error(entry_.place, fmt::format("{} has a case at no opset", entry_.names[0]));
      return;
    }
    for (size_t i = 0; i < entry_.cases.size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      if (!reached_.contains(number) && !AsksForDomain(entry_.cases[i].when))
        diagnostics_->Error(entry_.cases[i].place, fmt::format("case {} can never be taken", number));
    }
  }

  static bool AsksForDomain(const ExprPtr& expr) {
    if (!expr) return false;
    if (expr->Is(Builtin::kDomain)) return true;
    for (const ExprPtr& operand : expr->operands)
      if (AsksForDomain(operand)) return true;
    return false;
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
  std::set<int> reached_;
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
  CheckFileDefs(spec, options.domains, diagnostics);
  const bool sound = diagnostics->error_count() == before;
  CheckDefsUsed(spec, diagnostics);
  for (const OpEntry& entry : spec.ops) EntryChecker(spec, entry, options, diagnostics).Check(sound);
}

}  // namespace onnxport::codegen
