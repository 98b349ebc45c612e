#include "codegen/load/libraries.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "codegen/load/imports.h"
#include "codegen/load/load.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace onnxport::codegen {
namespace {

void CheckHasDefinitionsOnly(const SpecFile& file, Diagnostics* diagnostics) {
  std::vector<Place> others;
  for (const OpEntry& entry : file.ops) others.push_back(entry.place);
  for (const NodeDeclaration& schema : file.schemas) others.push_back(schema.place);
  for (const TraitEntry& entry : file.traits)
    others.insert(others.end(), entry.name_places.begin(), entry.name_places.end());
  for (const Place& place : others) diagnostics->Error(place, "a library has definitions only");
}

// Puts libraries behind those that they import.
class Sorter {
 public:
  Sorter(std::vector<SpecFile>* files, Diagnostics* diagnostics) : files_(*files), diagnostics_(diagnostics) {}

  std::vector<SpecFile> Sorted() {
    for (SpecFile& file : files_) Add(&file);
    std::vector<SpecFile> sorted;
    for (SpecFile* file : order_) sorted.push_back(std::move(*file));
    return sorted;
  }

 private:
  void Add(SpecFile* file) {
    if (std::ranges::count(order_, file) > 0) return;
    path_.push_back(file->family);
    for (const Import& import : file->imports) {
      if (std::ranges::count(path_, import.name) > 0) {
        ReportCircle(import);
        continue;
      }
      const auto imported = std::ranges::find(files_, import.name, &SpecFile::family);
      if (imported != files_.end()) Add(&*imported);
    }
    path_.pop_back();
    order_.push_back(file);
  }

  void ReportCircle(const Import& import) {
    const auto first = std::ranges::find(path_, import.name);
    diagnostics_->Error(import.place, fmt::format("libraries import each other: {} -> {}",
                                                  fmt::join(first, path_.end(), " -> "), import.name));
  }

  std::vector<SpecFile>& files_;
  Diagnostics* diagnostics_;
  std::vector<std::string> path_;  // of imports that are followed at the moment
  std::vector<SpecFile*> order_;
};

}  // namespace

Libraries::Libraries(std::vector<SpecFile> files, Diagnostics* diagnostics) : files_(std::move(files)) {
  for (const SpecFile& file : files_) CheckHasDefinitionsOnly(file, diagnostics);
  files_ = Sorter(&files_, diagnostics).Sorted();
  AddDefs(diagnostics);
  for (SpecFile& file : files_) {
    CheckImports(*this, &file, diagnostics);
    CheckImportsUsed(file.imports, diagnostics);
  }
}

void Libraries::AddDefs(Diagnostics* diagnostics) {
  for (size_t i = 0; i < files_.size(); ++i) {
    for (const Def& def : files_[i].defs) {
      if (const auto [known, is_new] = defining_.emplace(def.name, i); !is_new)
        diagnostics->Error(def.place,
                           fmt::format("`{}` is a definition of {} already", def.name, files_[known->second].path));
      defs_.push_back(def);
    }
  }
}

const SpecFile* Libraries::Find(std::string_view name) const {
  const auto file = std::ranges::find(files_, name, &SpecFile::family);
  return file == files_.end() ? nullptr : &*file;
}

const SpecFile* Libraries::Defining(const std::string& definition) const {
  const auto found = defining_.find(definition);
  return found == defining_.end() ? nullptr : &files_[found->second];
}

std::set<std::string> Libraries::ReachedBy(const SpecFile& file) const {
  std::set<std::string> reached;
  for (const Import& import : file.imports) reached.insert(import.name);
  // From the last one, so that each comes after all that import it.
  for (auto library = files_.rbegin(); library != files_.rend(); ++library)
    if (reached.contains(library->family))
      for (const Import& import : library->imports) reached.insert(import.name);
  return reached;
}

Libraries ReadLibraries(std::span<const NamedFile> files, Diagnostics* diagnostics) {
  std::vector<SpecFile> read;
  for (const NamedFile& file : files)
    if (auto spec = LoadSpecFile(file.name, ReadFile(file.path), diagnostics)) read.push_back(std::move(*spec));
  return Libraries(std::move(read), diagnostics);
}

}  // namespace onnxport::codegen
