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

// All libraries that exist, imported or not. Each name is defined in at most one.
class Libraries {
 public:
  Libraries() = default;
  // Reports mistakes in libraries: an item that is no definition, a name that two libraries define, faulty imports, and
  // cycles of imports.
  Libraries(std::vector<SpecFile> files, Diagnostics* diagnostics);

  // Returns null for an unknown library.
  const SpecFile* Find(std::string_view name) const;
  // Returns the library that has a definition; null if none has it.
  const SpecFile* Defining(const std::string& definition) const;
  // All libraries, each after those that it imports.
  std::span<const SpecFile> all() const { return files_; }
  // The definitions of all libraries, in that order.
  std::span<const Def> defs() const { return defs_; }
  // Returns the names of the libraries that a file imports, directly or not.
  std::set<std::string> ReachedBy(const SpecFile& file) const;

 private:
  void AddDefs(Diagnostics* diagnostics);

  std::vector<SpecFile> files_;
  std::vector<Def> defs_;
  std::map<std::string, size_t> defining_;  // name of a definition -> index of the file
};

// Reads the libraries, and reports mistakes at their places. Throws if a file cannot be read.
Libraries ReadLibraries(std::span<const NamedFile> files, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_LIBRARIES_H_
