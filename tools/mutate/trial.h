// Tries mutants: generates their code, lays it over the conformance tests, and sees which of those fail.
#ifndef ONNXPORT_TOOLS_MUTATE_TRIAL_H_
#define ONNXPORT_TOOLS_MUTATE_TRIAL_H_

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/mutate/mutants.h"

namespace onnxport::mutate {

struct Tools {
  std::filesystem::path runfiles;  // where the tests find what they read; the programs are relative to it
  std::string codegen;
  std::vector<std::pair<std::string, std::string>> tests;  // name and program, dynamically linked; the quickest first
};

// The checks that can notice a mutant, besides tests.
inline constexpr std::string_view kSameCode = "same code";
inline constexpr std::string_view kGenerator = "generator";
inline constexpr std::string_view kCompiler = "compiler";
inline constexpr std::string_view kNothing = "NOTHING";

class Trial {
 public:
  using Report = std::function<void(const Mutant& mutant, std::string_view noticed)>;

  // Works in the workspace, which is the current folder; what is made goes to `folder`.
  Trial(Tools tools, std::filesystem::path folder);

  // Throws unless the tests of all that the mutants of families touch pass without them. (A definition of a library
  // touches nearly all.)
  void CheckUnchanged(const std::vector<Mutant>& mutants);

  // Calls `report` for each mutant, with the name of what noticed it first; one call at a time.
  void Run(const std::vector<Mutant>& mutants, const Report& report);

 private:
  using Suites = std::set<std::string>;

  // `root` has changed libraries in its spec/lib.
  bool Generate(const std::string& spec, const std::string& text, const std::filesystem::path& folder,
                const std::filesystem::path& root) const;
  bool Compile(const std::string& family, const std::filesystem::path& folder) const;
  std::optional<Suites> Failing(const std::string& program, const Suites& suites,
                                const std::filesystem::path& folder) const;
  std::string_view NoticedWithoutTests(const Mutant& mutant);
  void Try(const Batch& batch, const Report& report);
  std::string_view TryLibrary(const Mutant& mutant);
  // The check that notices a mutated library in one family; nothing if the family has the same code.
  std::optional<std::string_view> TryLibraryIn(const std::string& spec, const Mutant& mutant,
                                               const std::filesystem::path& root);
  void TryHalves(const Batch& batch, std::string_view noticed, const Report& report);
  bool IsUnchanged(const std::string& file, const std::filesystem::path& folder) const;
  std::filesystem::path NewFolder();

  Tools tools_;
  std::filesystem::path folder_;
  std::atomic<int> folders_ = 0;
};

}  // namespace onnxport::mutate

#endif  // ONNXPORT_TOOLS_MUTATE_TRIAL_H_
