// The names that an expression may use at a place.
#ifndef ONNXPORT_CODEGEN_HELP_SCOPE_H_
#define ONNXPORT_CODEGEN_HELP_SCOPE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/help/lines.h"
#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

struct ScopeName {
  std::string name;
  std::string what;  // "argument `Tensor self` of aten::relu", "let at line 12: `cast(self, dtype)`"
  bool is_function = false;
  bool is_argument = false;
};

// Returns the names in an item of `ops`: arguments of its operators, lets, definitions, and the names of its fold or
// loop. Names of a case count only if `line` (from 1) is in that case.
std::vector<ScopeName> NamesOf(const YamlNode& item, int line);

// Finds the definitions of a file in its lines, with the comment above each.
std::vector<ScopeName> DefinitionsOf(const std::string& path, const std::vector<Line>& lines);

// Returns the definitions of a library.
std::vector<ScopeName> DefinitionsOf(const SpecFile& library);

// Returns "library spec/lib/shape.yaml: Axes and their order.", with the comment at its beginning.
std::string AboutLibrary(const SpecFile& library);

// Returns the operators of the item.
std::vector<std::string> OperatorsOf(const YamlNode& item);

struct ResultHelp {
  std::string name;
  std::string what;  // "result `Tensor indices` of aten::topk"
};
// Returns the results that an `emit` with names may have.
std::vector<ResultHelp> ResultsOf(const std::vector<std::string>& operators);

// Returns null if there is no such name.
const ScopeName* FindName(const std::vector<ScopeName>& names, std::string_view name);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_SCOPE_H_
