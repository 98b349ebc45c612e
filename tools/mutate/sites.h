// Places in a spec file where one token of an expression can be another: what the mutation test changes.
#ifndef ONNXPORT_TOOLS_MUTATE_SITES_H_
#define ONNXPORT_TOOLS_MUTATE_SITES_H_

#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::mutate {

struct Site {
  codegen::Place place;
  std::string was;
  std::vector<std::string> alternatives;  // at least one
  std::vector<std::string> overloads;     // whose tests ought to notice
};

// Numbers (one more, one less, doubled), operators and comparisons (their neighbours), and node names (those that the
// file uses with as many arguments). Tests are no sites, nor are
// definitions of the prelude; a definition of the file is everybody's.
std::vector<Site> SitesOf(const codegen::SpecFile& spec);

// The file's text with `becomes` at the site.
std::string Mutated(const Site& site, const std::string& becomes);

}  // namespace onnxport::mutate

#endif  // ONNXPORT_TOOLS_MUTATE_SITES_H_
