#include "codegen/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "codegen/check/dtypes.h"
#include "codegen/check/entry_check.h"
#include "codegen/check/issues.h"
#include "codegen/check/kind_check.h"
#include "codegen/check/name_check.h"
#include "codegen/check/opset_text.h"
#include "codegen/load/imports.h"
#include "codegen/model/onnx_ops.h"
#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

// The steps go from the most basic to the most dependent. Do the operators exist (schemas)? Do their arguments? Do
// names in expressions? Do kinds and nodes fit at each opset? Can each case be reached? If a step fails, the later ones
// would only report its consequences.
class EntryChecker {
 public:
  EntryChecker(const SpecializedSpec& spec, const SpecializedOp& op, const CheckOptions& options,
               Diagnostics* diagnostics)
      : spec_(spec), op_(op), entry_(op.entry), options_(options), diagnostics_(diagnostics) {}

  // `with_kinds`: the defs of the file are sound.
  void Check(bool with_kinds) {
    CheckNames(entry_, diagnostics_);
    const Schemas schemas = SchemasOf(op_);
    // An entry of unknown operators: CheckNames has said so, and there is nothing to hold it against.
    if (schemas.empty()) return;
    CheckArguments(entry_, schemas, diagnostics_);
    CheckResults(entry_, schemas, diagnostics_);
    if (options_.needs_tests || !entry_.tests.empty()) CheckTests(entry_, schemas, diagnostics_);
    const int before = diagnostics_->error_count();
    CheckEntryNames(entry_, ArgumentNames(schemas), spec_.defs, diagnostics_);
    if (!with_kinds || diagnostics_->error_count() > before) return;  // kinds of unknown names mean nothing
    for (const SpecializedOverload& overload : op_.overloads)
      for (const auto& [opset, specialized] : overload.at) CheckAt(specialized);
    // Once for all overloads and opsets: "Relu has no argument `a`" is one mistake, though it was found forty times.
    issues_.Report(opsets_, diagnostics_);
    CheckReach();
    if (options_.notes) ReportUncovered();
  }

 private:
  void CheckAt(const SpecializedEntry& specialized) {
    const int opset = specialized.opset;
    opsets_.insert(opset);
    reached_.insert(specialized.case_numbers.begin(), specialized.case_numbers.end());
    std::vector<Uncovered> uncovered;
    possible_.merge(CheckKinds(specialized, spec_.defs_at.at(opset), &issues_, &uncovered));
    for (const Uncovered& item : uncovered)
      // By what is said and not by opset, so that one note tells "at opset 7 to 12".
      uncovered_[{item.place.line, item.place.column, item.op, ToText(item.dtypes)}].insert(opset);
  }

  // Cases that are left at no opset, and cases that no argument can take.
  void CheckReach() {
    if (opsets_.empty()) {
      diagnostics_->Error(entry_.place, fmt::format("{} has a case at no opset", entry_.names[0]));
      return;
    }
    for (size_t i = 0; i < entry_.cases.size(); ++i) {
      const int number = static_cast<int>(i) + 1;
      if (entry_.cases[i].since.value_or(0) > LastOpset()) continue;  // it waits for a newer ONNX
      // The second is only said when there are no other mistakes: after one, kinds are not known well enough for it.
      if (!reached_.contains(number))
        diagnostics_->Error(entry_.cases[i].place, fmt::format("case {} can never be taken", number));
      else if (!possible_.contains(number) && issues_.empty())
        diagnostics_->Error(entry_.cases[i].place,
                            fmt::format("case {} can never be taken: no arguments meet its condition", number));
    }
  }

  void ReportUncovered() {
    for (const auto& [cell, opsets] : uncovered_) {
      const Place place{entry_.place.file, std::get<0>(cell), std::get<1>(cell)};
      diagnostics_->Note(place, fmt::format("{} does not take {} at {}; such calls are refused", std::get<2>(cell),
                                            std::get<3>(cell), OpsetText(opsets)));
    }
  }

  const SpecializedSpec& spec_;
  const SpecializedOp& op_;
  const OpEntry& entry_;
  const CheckOptions& options_;
  Diagnostics* diagnostics_;
  Issues issues_;
  std::set<int> opsets_;
  std::set<int> reached_;   // numbers of cases that are left at some opset
  std::set<int> possible_;  // and whose condition some arguments meet
  std::map<std::tuple<int, int, std::string, std::string>, std::set<int>> uncovered_;
};

// Operators and where they are claimed.
class Claims {
 public:
  explicit Claims(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  void Add(const OpEntry& entry) {
    for (size_t i = 0; i < entry.names.size(); ++i) {
      const Place& place = entry.name_places[i];
      const auto [first, is_new] = places_.emplace(entry.names[i], place);
      if (is_new) continue;
      diagnostics_->Error(place,
                          fmt::format("`{}` is claimed twice; first at {}", entry.names[i], LineText(first->second)));
    }
  }

 private:
  Diagnostics* diagnostics_;
  std::map<std::string, Place> places_;
};

bool IsAbout(const OpEntry& entry, std::string_view name) {
  return std::ranges::any_of(entry.names, [&](const std::string& claimed) {
    return claimed == name || claimed.substr(0, claimed.find('.')) == name;
  });
}

}  // namespace

CheckedSpec CheckedSpec::Only(std::string_view name) const {
  CheckedSpec only = *this;
  std::erase_if(only.spec_.ops, [&](const SpecializedOp& op) { return !IsAbout(op.entry, name); });
  return only;
}

std::optional<CheckedSpec> Check(SpecializedSpec spec, const CheckOptions& options, Diagnostics* diagnostics) {
  const int at_first = diagnostics->error_count();
  Claims claims(diagnostics);
  for (const SpecializedOp& op : spec.ops) claims.Add(op.entry);
  const int before = diagnostics->error_count();
  CheckFileDefs(spec.defs, diagnostics);
  CheckSince(spec.defs, diagnostics);
  // With unsound definitions, kinds would be evaluated of names that do not exist; names of entries are checked all the
  // same.
  const bool sound = diagnostics->error_count() == before;
  CheckDefsUsed(spec, diagnostics);
  if (spec.complete) CheckImportsUsed(spec.imports, diagnostics);
  for (const SpecializedOp& op : spec.ops) EntryChecker(spec, op, options, diagnostics).Check(sound);
  if (!spec.complete || diagnostics->error_count() > at_first) return std::nullopt;
  return CheckedSpec(std::move(spec));
}

void CheckClaims(const std::vector<CheckedSpec>& specs, Diagnostics* diagnostics) {
  Claims claims(diagnostics);
  for (const CheckedSpec& spec : specs)
    for (const SpecializedOp& op : spec->ops) claims.Add(op.entry);
}

}  // namespace onnxport::codegen
