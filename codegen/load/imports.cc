#include "codegen/load/imports.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/model/uses.h"
#include "codegen/model/walk.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace onnxport::codegen {
namespace {

using Names = std::set<std::string>;

void AddNames(std::span<const Def> defs, Names* names) {
  for (const Def& def : defs) names->insert(def.name);
}

// Parameters that stand for definitions: a call of one is no call of a definition with that name.
void AddParameters(const Def& def, Names* names) {
  for (const auto& [param, count] : def.given) names->insert(param);
}

class Importer {
 public:
  Importer(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics)
      : libraries_(libraries), file_(*file), reached_(libraries.ReachedBy(*file)), diagnostics_(diagnostics) {}

  // Names of the definitions of libraries that the file calls.
  Names Check() {
    for (Import& import : file_.imports) CheckIsLibrary(&import);
    Names of_file;
    AddNames(file_.defs, &of_file);
    for (const Def& def : file_.defs) {
      CheckIsNew(def);
      Names own = of_file;
      AddParameters(def, &own);
      ForEachWhole(def, [&](const ExprPtr& expr) { Calls(expr, {}, own); });
    }
    for (const OpEntry& entry : file_.ops) CheckEntry(entry, of_file);
    return std::move(called_);
  }

 private:
  void CheckIsLibrary(Import* import) {
    import->used = libraries_.Find(import->name) == nullptr;  // what it might have is not known
    if (!import->used) return;
    std::vector<std::string_view> names;
    for (const SpecFile& library : libraries_.all()) names.push_back(library.family);
    std::ranges::sort(names);
    diagnostics_->Error(import->place, fmt::format("there is no library `{}`{} (libraries: {})", import->name,
                                                   DidYouMean(import->name, names), fmt::join(names, ", ")));
  }

  // A name means one thing everywhere.
  void CheckIsNew(const Def& def) {
    const SpecFile* library = libraries_.Defining(def.name);
    if (library == nullptr || !reached_.contains(library->family)) return;
    diagnostics_->Error(def.place, fmt::format("`{}` is a definition of {}: call that one, or take another name",
                                               def.name, library->path));
  }

  void CheckEntry(const OpEntry& entry, Names own) {
    AddNames(entry.defs, &own);
    for (const Def& def : entry.defs) {
      CheckIsNew(def);
      AddParameters(def, &own);
    }
    ForEachWhole(entry, [&](const ExprPtr& expr) { Calls(expr, entry.defs, own); });
  }

  // `own`: names that are not of libraries here.
  void Calls(const ExprPtr& whole, std::span<const Def> of_entry, const Names& own) {
    if (whole == nullptr) return;
    Names names;
    AddCallsAndGiven(*whole, {libraries_.defs(), file_.defs, of_entry}, &names);
    for (const std::string& name : names)
      if (!own.contains(name)) Called(name, *whole);
  }

  void Called(const std::string& name, const Expr& whole) {
    const SpecFile* library = libraries_.Defining(name);
    // The name check has a better message for an unknown name.
    if (library == nullptr || library == &file_ || !called_.insert(name).second) return;
    const auto known = std::ranges::find(file_.imports, library->family, &Import::name);
    if (known != file_.imports.end()) {
      known->used = true;
      return;
    }
    const std::string advice = file_.imports.empty() ? fmt::format("add `import: [{}]`", library->family)
                                                     : fmt::format("add `{}` to `import`", library->family);
    diagnostics_->Error(PlaceOf(name, whole), fmt::format("`{}` is defined in {}: {}", name, library->path, advice));
  }

  static Place PlaceOf(const std::string& name, const Expr& whole) {
    Place place = whole.place;
    bool found = false;
    ForEach(whole, [&](const Expr& expr) {
      const bool names_it = (expr.kind == ExprKind::kCall || expr.kind == ExprKind::kName) && expr.text == name;
      if (names_it && !std::exchange(found, true)) place = expr.place;
    });
    return place;
  }

  const Libraries& libraries_;
  SpecFile& file_;
  const Names reached_;
  Names called_;
  Diagnostics* diagnostics_;
};

}  // namespace

Names CheckImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics) {
  return Importer(libraries, file, diagnostics).Check();
}

void FollowImports(const Libraries& libraries, SpecFile* file, Diagnostics* diagnostics) {
  Names called = CheckImports(libraries, file, diagnostics);
  // Definitions are called after their own in no order, so look until there is nothing new.
  for (size_t before = 0; before != called.size();) {
    before = called.size();
    for (const Def& def : libraries.defs()) {
      if (!called.contains(def.name)) continue;
      Names names;
      ForEachWhole(def, [&](const ExprPtr& expr) {
        if (expr != nullptr) AddCallsAndGiven(*expr, {libraries.defs()}, &names);
      });
      for (const std::string& name : names)
        if (!def.given.contains(name) && libraries.Defining(name) != nullptr) called.insert(name);
    }
  }
  // In front of the file's own, as those call them. In the order of the libraries, so that the generated text does not
  // depend on the order of calls.
  std::vector<Def> defs;
  for (const Def& def : libraries.defs())
    if (called.contains(def.name)) defs.push_back(def);
  std::ranges::move(file->defs, std::back_inserter(defs));
  file->defs = std::move(defs);
}

void CheckImportsUsed(std::span<const Import> imports, Diagnostics* diagnostics) {
  for (const Import& import : imports)
    if (!import.used)
      diagnostics->Error(import.place, fmt::format("`{}` is imported, and nothing of it is called", import.name));
}

}  // namespace onnxport::codegen
