// Writes random mutants of specs: mutants N SEED OUT PRELUDE SPEC...
//
// OUT/K/spec.yaml for K in 1..N, and OUT/list, a line for each with its fields separated by tabs: K, the spec's path,
// line:column, what stood there, what stands there now, and the conformance tests that ought to notice as a filter.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "tools/mutate/sites.h"

namespace onnxport::mutate {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Site> AllSites(const std::string& prelude_path, const std::vector<std::string>& specs) {
  codegen::Diagnostics diagnostics;
  const auto prelude = codegen::LoadSpecFile(prelude_path, ReadFile(prelude_path), &diagnostics);
  if (!prelude) throw std::runtime_error(diagnostics.ToText());
  std::vector<Site> sites;
  for (const std::string& path : specs) {
    const auto spec = codegen::LoadSpecFile(path, ReadFile(path), &diagnostics, prelude->defs);
    if (!spec || diagnostics.has_errors()) throw std::runtime_error(diagnostics.ToText());
    std::ranges::move(SitesOf(*spec), std::back_inserter(sites));
  }
  return sites;
}

// "aten::add.Tensor" -> "aten_add_Tensor.*", as conformance_test names its suites.
std::string Filter(const std::vector<std::string>& overloads) {
  std::string filter;
  for (std::string name : overloads) {
    if (const size_t at = name.find("::"); at != std::string::npos) name.replace(at, 2, "_");
    std::ranges::replace(name, '.', '_');
    filter += (filter.empty() ? "" : ":") + name + ".*";
  }
  return filter;
}

void WriteMutants(size_t count, unsigned seed, const fs::path& out, const std::string& prelude,
                  const std::vector<std::string>& specs) {
  std::mt19937 random(seed);
  std::vector<Site> sites = AllSites(prelude, specs);
  std::ranges::shuffle(sites, random);
  sites.resize(std::min(count, sites.size()));
  std::ofstream list(out / "list");
  for (size_t i = 0; i < sites.size(); ++i) {
    const Site& site = sites[i];
    const std::string& becomes = site.alternatives[random() % site.alternatives.size()];
    const fs::path folder = out / std::to_string(i + 1);
    fs::create_directories(folder);
    std::ofstream(folder / "spec.yaml", std::ios::binary) << Mutated(site, becomes);
    list << i + 1 << '\t' << site.place.file->path << '\t' << site.place.line << ':' << site.place.column << '\t'
         << site.was << '\t' << becomes << '\t' << Filter(site.overloads) << '\n';
  }
}

}  // namespace
}  // namespace onnxport::mutate

int main(int argc, char** argv) {
  if (argc < 6) {
    std::cerr << "usage: mutants N SEED OUT PRELUDE SPEC...\n";
    return 2;
  }
  try {
    onnxport::mutate::WriteMutants(std::strtoul(argv[1], nullptr, 10),
                                   static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)), argv[3], argv[4],
                                   {argv + 5, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "mutants: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
