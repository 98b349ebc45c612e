// Places in a spec file where one token of an expression can be another: what the mutation test changes.
#ifndef ONNXPORT_TOOLS_MUTATE_SITES_H_
#define ONNXPORT_TOOLS_MUTATE_SITES_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::mutate {

struct Site {
  codegen::Place place;
  std::string was;
  std::vector<std::string> alternatives;                      // at least one
  std::vector<std::string> overloads;                         // whose tests ought to notice
  std::map<std::string, std::vector<std::string>> elsewhere;  // the same in other files: of a library's definitions
};

// Numbers (one more, one less, doubled, with another digit), operators and comparisons (their neighbours), and node
// names (those that the file uses with as many arguments). Tests are no sites, nor are definitions of libraries. A
// definition of the file concerns all operators whose entries call it, directly or not.
std::vector<Site> SitesOf(const codegen::SpecFile& spec);

// Those of a library's definitions, which are the business of the families' operators.
std::vector<Site> SitesOfLibrary(const codegen::SpecFile& library, const std::vector<codegen::SpecFile>& families);

// Where the site begins in its file's text.
size_t OffsetOf(const codegen::Place& place);

}  // namespace onnxport::mutate

#endif  // ONNXPORT_TOOLS_MUTATE_SITES_H_
