// Finds changes that no test notices.
//
//   ./bazelw run //tools/mutate -- [--n 100] [--seed 1] [--spec activation] [--keep FOLDER]
//   ./bazelw run //tools/mutate -- --only spec/aten/sort.yaml:31:12
//
// Changes one number, operator, comparison or node name of a random expression of the specs, and sees whether the
// generator refuses that or a conformance test of the operator fails. Prints the survivors; those that mean the same as
// what is written stand in equivalent.txt and are not tried.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/load/libraries.h"
#include "codegen/load/load.h"
#include "codegen/source/files.h"
#include "tools/mutate/mutants.h"
#include "tools/mutate/sites.h"
#include "tools/mutate/trial.h"

namespace onnxport::mutate {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

codegen::SpecFile Load(const fs::path& path, const codegen::Libraries& libraries) {
  codegen::Diagnostics diagnostics;
  auto spec = codegen::LoadSpecFile(path, ReadFile(path), &diagnostics, &libraries);
  if (!spec || diagnostics.has_errors()) throw std::runtime_error(diagnostics.ToText());
  return *std::move(spec);
}

codegen::Libraries LoadLibraries() {
  codegen::Diagnostics diagnostics;
  codegen::Libraries libraries = codegen::ReadLibraries(codegen::LibraryFiles("."), &diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.ToText());
  return libraries;
}

// The sites of one family or library, or of all.
std::vector<Site> AllSites(const std::string& name) {
  const codegen::Libraries libraries = LoadLibraries();
  std::vector<codegen::SpecFile> families;
  for (const std::string& path : codegen::SpecPaths(".")) families.push_back(Load(path, libraries));
  std::vector<Site> sites;
  const auto add = [&](const codegen::SpecFile& spec, std::vector<Site> more) {
    if (name.empty() || spec.family == name) std::ranges::move(more, std::back_inserter(sites));
  };
  for (const codegen::SpecFile& library : libraries.all()) add(library, SitesOfLibrary(library, families));
  for (const codegen::SpecFile& family : families) add(family, SitesOf(family));
  return sites;
}

// A program that Bazel names relative to the runfiles, which are the current folder at first.
std::string Program(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) throw std::runtime_error(std::string(variable) + " is not set: use ./bazelw run //tools/mutate");
  return fs::absolute(path);
}

void Summarize(unsigned seed, const std::map<std::string, std::vector<std::string>, std::less<>>& mutants) {
  size_t changed = 0;
  size_t noticed = 0;
  std::string by;
  for (const auto& [what, which] : mutants) {
    if (what == kSameCode) continue;
    changed += which.size();
    if (what == kNothing) continue;
    noticed += which.size();
    by += (by.empty() ? "" : ", ") + what + " " + std::to_string(which.size());
  }
  std::cout << "seed " << seed << ": " << noticed << " of " << changed << " mutants noticed, "
            << 100.0 * static_cast<double>(noticed) / static_cast<double>(std::max<size_t>(changed, 1)) << " % (" << by
            << ")\n";
  if (const auto same = mutants.find(kSameCode); same != mutants.end()) {
    std::cout << same->second.size() << " more leave the code as it is\n";
  }
  if (const auto survivors = mutants.find(kNothing); survivors != mutants.end()) {
    std::cout << "Nothing noticed:\n";
    for (const std::string& text : std::set(survivors->second.begin(), survivors->second.end())) {
      std::cout << "  " << text << "\n";
    }
  }
}

int Main(int argc, char** argv) {
  size_t count = 100;
  unsigned seed = 1;
  std::string family;
  std::vector<std::string> only;
  std::string keep;
  CLI::App app("Changes tokens of the specs, one at a time, and lists what no test notices.");
  app.add_option("--n", count, "how many mutants");
  app.add_option("--seed", seed, "of the choice of mutants");
  app.add_option("--spec", family, "of one family or library only: activation");
  app.add_option("--only", only, "all mutants of a line, spec/aten/sort.yaml:31, or a token, with :COLUMN; may repeat");
  app.add_option("--keep", keep, "folder that keeps code and logs");
  CLI11_PARSE(app, argc, argv);

  Tools tools{.runfiles = fs::current_path(),
              .codegen = Program("CODEGEN"),
              .tests = {{"conformance_test", Program("CONFORMANCE")}, {"cells_test", Program("CELLS")}}};
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  fs::current_path(workspace != nullptr ? workspace : ".");
  const fs::path folder =
      keep.empty() ? fs::temp_directory_path() / ("mutate" + std::to_string(getpid())) : fs::path(keep);

  const std::vector<Site> sites = AllSites(family);
  const Equivalents equivalents = ReadEquivalents(ReadFile("tools/mutate/equivalent.txt"));
  if (family.empty()) {
    for (const std::string& line : Outdated(equivalents, sites))
      std::cerr << "no such mutant any more: " << line << "\n";
  }
  std::vector<Mutant> mutants;
  for (const std::string& place : only)
    std::ranges::move(AllAt(place, sites, equivalents), std::back_inserter(mutants));
  if (only.empty()) mutants = Choose(sites, count, seed, equivalents);
  std::map<std::string, std::vector<std::string>, std::less<>> results;
  Trial trial(std::move(tools), folder);
  trial.CheckUnchanged(mutants);
  trial.Run(mutants, [&](const Mutant& mutant, std::string_view noticed) {
    std::cerr << noticed << " " << ToText(mutant) << "\n";
    results[std::string(noticed)].push_back(ToText(mutant));
  });
  Summarize(seed, results);
  if (keep.empty()) fs::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace onnxport::mutate

int main(int argc, char** argv) {
  try {
    return onnxport::mutate::Main(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "mutate: " << error.what() << "\n";
    return 1;
  }
}
