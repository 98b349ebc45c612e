// Mutants: specs with one token changed. Which there are, and which can be tried at once.
#ifndef ONNXPORT_TOOLS_MUTATE_MUTANTS_H_
#define ONNXPORT_TOOLS_MUTATE_MUTANTS_H_

#include <map>
#include <string>
#include <vector>

#include "tools/mutate/sites.h"

namespace onnxport::mutate {

struct Mutant {
  Site site;
  std::string becomes;
};

// "spec/aten/sort.yaml:31: emit: TopK(self, k=`k` -> `k + 1`)": for people.
std::string ToText(const Mutant& mutant);

// The spec's text with every mutant of the batch in it; all are of one file.
using Batch = std::vector<Mutant>;
std::string Mutated(const Batch& batch);

// Mutants that mean the same as what is written, "spec/aten/sort.yaml: LINE" (the mutant's, without indentation) ->
// why.
using Equivalents = std::map<std::string, std::string>;

// Reads lines `spec/aten/sort.yaml: LINE`, each followed by indented lines that say why. Throws for what is neither.
Equivalents ReadEquivalents(const std::string& text);

// Which of them no site can become: the specs have changed since.
std::vector<std::string> Outdated(const Equivalents& equivalents, const std::vector<Site>& sites);

// That many at random, one at a site, none of them known to be equivalent; fewer when there are not as many.
std::vector<Mutant> Choose(std::vector<Site> sites, size_t count, unsigned seed, const Equivalents& equivalents);

// All at one place, "spec/aten/sort.yaml:31:12" or "spec/aten/sort.yaml:31", but those known to be equivalent.
std::vector<Mutant> AllAt(const std::string& place, const std::vector<Site>& sites, const Equivalents& equivalents);

// Batches of one file whose members share no operator: a test that fails tells which of them it has noticed.
std::vector<Batch> Batches(const std::vector<Mutant>& mutants);

}  // namespace onnxport::mutate

#endif  // ONNXPORT_TOOLS_MUTATE_MUTANTS_H_
