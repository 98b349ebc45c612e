// Libraries of definitions, which spec files import by name: the files of spec/lib.
#ifndef ONNXPORT_CODEGEN_LOAD_LIBRARIES_H_
#define ONNXPORT_CODEGEN_LOAD_LIBRARIES_H_

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "codegen/source/files.h"

namespace onnxport::codegen {

// All that there are, whoever imports them. A name is defined in one of them at most.
class Libraries {
 public:
  Libraries() = default;
  // Reports mistakes in libraries: an item that is no definition, a name that two libraries define, faulty imports, and
  // cycles of imports.
  Libraries(std::vector<SpecFile> files, Diagnostics* diagnostics);

  // Null for an unknown one.
  const SpecFile* Find(std::string_view name) const;
  // The library that has a definition; null for another name.
  const SpecFile* Defining(const std::string& definition) const;
  // Those that are imported before those that import them.
  std::span<const SpecFile> all() const { return files_; }
  // The definitions of all, in that order.
  std::span<const Def> defs() const { return defs_; }
  // The names of the libraries that a file imports, directly or not.
  std::set<std::string> ReachedBy(const SpecFile& file) const;

 private:
  void AddDefs(Diagnostics* diagnostics);

  std::vector<SpecFile> files_;
  std::vector<Def> defs_;
  std::map<std::string, size_t> defining_;  // name of a definition -> index of the file
};

// Reads them; mistakes are reported at their places in the libraries. Throws where a file cannot be read.
Libraries ReadLibraries(std::span<const NamedFile> files, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_LIBRARIES_H_
