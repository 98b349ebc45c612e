#include "codegen/help/commands.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/check/name_check.h"
#include "codegen/declare/declare.h"
#include "codegen/help/help.h"
#include "codegen/help/json_schema.h"
#include "codegen/help/readable.h"
#include "codegen/help/watch.h"
#include "codegen/load/libraries.h"
#include "codegen/load/load.h"
#include "codegen/source/files.h"
#include "codegen/specialize/specialize.h"
#include "codegen/traits/resolve.h"

namespace onnxport::codegen {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{200};

fs::path PathOf(const std::string& path) {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");  // of who said `bazel run`
  return folder == nullptr ? fs::path(path) : fs::path(folder) / path;
}

bool IsSame(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

// In the folder or one below it.
bool IsWithin(const fs::path& path, const fs::path& folder) {
  fs::path inner = fs::weakly_canonical(path).parent_path();
  while (inner.has_relative_path() && !IsSame(inner, folder)) inner = inner.parent_path();
  return inner.has_relative_path();
}

bool IsLibrary(const HelpOptions& options, const fs::path& spec) {
  return std::ranges::any_of(LibraryFiles(options.workspace),
                             [&](const NamedFile& file) { return IsSame(file.path, spec); });
}

// Those of the workspace. If one of them is the file in question, messages use the name that the user gave.
Libraries LibrariesFor(const HelpOptions& options, const fs::path& spec, const std::string& shown,
                       Diagnostics* diagnostics) {
  std::vector<NamedFile> files = LibraryFiles(options.workspace);
  for (NamedFile& file : files)
    if (IsSame(file.path, spec)) file.name = shown;
  return ReadLibraries(files, diagnostics);
}

// Files whose `schema:` items a spec may use: those beside it, and the domains of the workspace.
std::set<fs::path> DeclaringFiles(const HelpOptions& options, const fs::path& spec) {
  std::set<fs::path> files;
  const fs::path own = spec.has_parent_path() ? spec.parent_path() : fs::path(".");
  for (const fs::path& folder : {own, fs::path(options.workspace) / "spec/domains"}) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& file : fs::directory_iterator(folder))
      if (file.path().extension() == ".yaml") files.insert(fs::weakly_canonical(file.path()));
  }
  return files;
}

// Mistakes in other files are not this one's: what can be read of them is known.
void DeclareFor(const HelpOptions& options, const fs::path& spec) {
  Declarations declarations;
  Diagnostics ignored;
  if (!options.aten_schemas.empty())
    ReadAtenSchemas(options.aten_schemas, ReadFile(PathOf(options.aten_schemas)), &declarations, &ignored);
  for (const fs::path& path : DeclaringFiles(options, spec)) {
    const std::string text = ReadFile(path);
    // Most files declare nothing, and looking for the word is cheaper than loading them.
    if (text.find("schema:") == std::string::npos) continue;
    if (const auto file = LoadReadable(path, LinesOf(text), Libraries()))
      AddNodeSchemas(*file, &declarations, &ignored);
  }
  Declare(declarations);
}

// A mistake in a definition may show only where it is called. So this checks the families that a library reaches, the
// smallest first, until one has mistakes.
void CheckFamiliesWith(const HelpOptions& options, const Libraries& libraries, const std::string& library,
                       Diagnostics* diagnostics) {
  std::vector<std::string> paths = SpecPaths(options.workspace);
  const auto file = [&](const std::string& path) { return fs::path(options.workspace) / path; };
  std::ranges::sort(paths, {}, [&](const std::string& path) { return fs::file_size(file(path)); });
  for (const std::string& path : paths) {
    Diagnostics own;  // mistakes of a family that are there already, which --check shows
    auto spec = LoadSpecFile(path, ReadFile(file(path)), &own, &libraries);
    if (!spec || own.has_errors() || !libraries.ReachedBy(*spec).contains(library)) continue;
    Check(Specialize(std::move(*spec)), {.notes = false, .needs_tests = true}, diagnostics);
    if (diagnostics->has_errors()) return;
  }
}

// All mistakes of one library.
void CheckLibrary(const HelpOptions& options, const Libraries& libraries, const SpecFile& library,
                  Diagnostics* diagnostics) {
  CheckFileDefs(library.defs, diagnostics);
  if (!diagnostics->has_errors()) CheckFamiliesWith(options, libraries, library.family, diagnostics);
}

// All mistakes of one file. The build checks whether another file claims the same operator.
void CheckSpec(const HelpOptions& options, const fs::path& path, const std::string& shown, Diagnostics* diagnostics) {
  const Libraries libraries = LibrariesFor(options, path, shown, diagnostics);
  auto spec = LoadSpecFile(shown, ReadFile(path), diagnostics, &libraries);
  if (!spec) return;
  if (IsLibrary(options, path)) return CheckLibrary(options, libraries, *spec, diagnostics);
  ResolveTraits(*spec, diagnostics);
  // Each entry of onnxport's own must have tests.
  const bool needs_tests = IsWithin(path, fs::path(options.workspace) / "spec/aten");
  Check(Specialize(std::move(*spec)), {.notes = false, .needs_tests = needs_tests}, diagnostics);
}

// Schemas are declared before the file is loaded: what it calls is looked up while it is read.
int CheckFile(const HelpOptions& options, const std::string& path) {
  const fs::path place = PathOf(path);
  DeclareFor(options, place);
  Diagnostics diagnostics;
  CheckSpec(options, place, path, &diagnostics);
  std::cout << diagnostics.ToText() << path << (diagnostics.has_errors() ? ": has mistakes\n" : ": no mistakes\n");
  return diagnostics.has_errors() ? 1 : 0;
}

// A process of its own for each file: what files declare is kept until the end of one.
void CheckApart(const HelpOptions& options, const std::string& path) {
  std::cout << std::flush;
  const pid_t child = fork();
  // _exit, and the buffer emptied by hand before it: what the parent would do at its end must not be done twice.
  if (child == 0) {
    int status = 1;
    try {
      status = CheckFile(options, path);
    } catch (const std::exception& error) {
      std::cout << path << ": " << error.what() << "\n";
    }
    std::cout << std::flush;
    _exit(status);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

int WatchFolder(const HelpOptions& options) {
  FolderWatch watch(PathOf(options.watch));
  std::cout << fmt::format("watching {} spec files in {}; Ctrl-C ends it\n", watch.size(), options.watch) << std::flush;
  while (true) {
    for (const std::string& path : watch.Changed()) CheckApart(options, path);
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

int ExplainAt(const HelpOptions& options) {
  const Location at = ParseLocation(options.explain);
  const fs::path path = PathOf(at.path);
  DeclareFor(options, path);
  Diagnostics ignored;
  const Libraries libraries = LibrariesFor(options, path, at.path, &ignored);
  const std::string text = Explain({at.path, ReadFile(path)}, libraries, at.line, at.column);
  std::cout << text;
  if (text.empty()) std::cerr << options.explain << ": nothing is known of what stands here\n";
  return text.empty() ? 1 : 0;
}

int CompleteAt(const HelpOptions& options) {
  const Location at = ParseLocation(options.complete);
  const fs::path path = PathOf(at.path);
  DeclareFor(options, path);
  Diagnostics ignored;
  const Libraries libraries = LibrariesFor(options, path, at.path, &ignored);
  const auto completions = Complete({at.path, ReadFile(path)}, libraries, at.line, at.column);
  for (const Completion& completion : completions) std::cout << completion.name << "\t" << completion.what << "\n";
  return completions.empty() ? 1 : 0;
}

}  // namespace

std::optional<int> RunHelp(const HelpOptions& options) {
  if (!options.explain.empty()) return ExplainAt(options);
  if (!options.complete.empty()) return CompleteAt(options);
  if (!options.watch.empty()) return WatchFolder(options);
  if (!options.schema) return std::nullopt;
  std::cout << JsonSchemaText();
  return 0;
}

}  // namespace onnxport::codegen
