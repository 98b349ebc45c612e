// The generator's command. Rules of generated/defs.bzl call it with --spec, --merge, --traits and --declarations,
// people with the other options.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/check/check.h"
#include "codegen/declare/declare.h"
#include "codegen/declare/text.h"
#include "codegen/emit/arms.h"
#include "codegen/emit/cases.h"
#include "codegen/emit/family.h"
#include "codegen/emit/merge.h"
#include "codegen/emit/names.h"
#include "codegen/emit/show.h"
#include "codegen/format/format_files.h"
#include "codegen/help/commands.h"
#include "codegen/load/libraries.h"
#include "codegen/load/load.h"
#include "codegen/options.h"
#include "codegen/source/files.h"
#include "codegen/specialize/specialize.h"
#include "codegen/traits/resolve.h"
#include "codegen/traits/table.h"

namespace onnxport::codegen {
namespace {

// Reads the declarations of the specs and of a user's set. Returns nothing after mistakes, which are shown.
std::optional<Declarations> ReadDeclarations(const Options& options) {
  Declarations declarations;
  Diagnostics diagnostics;
  if (!options.aten_schemas.empty())
    ReadAtenSchemas(options.aten_schemas, ReadFile(options.aten_schemas), &declarations, &diagnostics);
  for (const NamedFile& file : options.declares) {
    const auto spec = LoadSpecFile(file.name, ReadFile(file.path), &diagnostics);
    if (spec) AddNodeSchemas(*spec, &declarations, &diagnostics);
  }
  std::cerr << diagnostics.ToText();
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(declarations));
}

std::optional<CheckedSpec> Checked(SpecFile spec, const Options& options, Diagnostics* diagnostics) {
  // A user's entry need not have tests; each of onnxport's own must.
  const CheckOptions check{.notes = options.notes, .needs_tests = options.owner == kBuiltIn};
  return Check(Specialize(std::move(spec)), check, diagnostics);
}

// Each rule of generated/defs.bzl runs one of these, and each is an action of Bazel by itself:
//   one family.yaml   --spec           family.gen.cc, its tests, family.rows.json
//   all .rows.json    --merge          dispatch_table.gen.cc, families.gen.cc, operators.md
//   all .yaml         --traits         op_traits.gen.cc
//   all .yaml         --declarations   declarations.gen.cc
// So an edit of one spec generates and compiles one family again; what spans families (an operator that two of them
// claim) is found when rows are merged.
int GenerateFamily(const Options& options) {
  Diagnostics diagnostics;
  Templates templates(options.templates);
  const Libraries libraries = ReadLibraries(options.libraries, &diagnostics);
  const auto spec = LoadSpecFile(options.spec_name.empty() ? options.spec : options.spec_name, ReadFile(options.spec),
                                 &diagnostics, &libraries);
  const auto checked = spec ? Checked(*spec, options, &diagnostics) : std::nullopt;
  std::cerr << diagnostics.ToText();
  // Nothing is written after a mistake: a file that is half right would compile and lower some calls.
  if (!checked || diagnostics.has_errors()) return 1;
  Arms arms;
  const FamilyCode family = WriteFamily(*checked, &templates, options.coverage ? &arms : nullptr, options.owner);
  WriteFiles(options.out_dir, {{CodeFilename(family.family), family.code},
                               {CasesFilename(family.family), CasesText(*checked, family, &templates)},
                               {RowsFilename(family.family), ToText(RowsOf(family))}});
  return 0;
}

std::vector<RowsFile> ReadRowsFiles(const std::vector<std::string>& paths) {
  std::vector<RowsFile> files;
  for (const std::string& path : paths) files.push_back(ReadRows(ReadFile(path)));
  return files;
}

int MergeFamilies(const Options& options) {
  const std::vector<RowsFile> files = ReadRowsFiles(options.merge);
  const std::vector<std::string> conflicts = Conflicts(files, ReadRowsFiles(options.merge_base));
  for (const std::string& conflict : conflicts) std::cerr << conflict << "\n";
  if (!conflicts.empty()) return 1;
  Templates templates(options.templates);
  const Merged merged = Merge(files, &templates, options.owner);
  WriteFiles(options.out_dir, {{"dispatch_table.gen.cc", merged.dispatch_table},
                               {"families.gen.cc", merged.families},
                               {"operators.md", merged.operators}});
  return 0;
}

std::vector<ResolvedTraits> ReadTraits(const std::vector<std::string>& paths, Diagnostics* diagnostics) {
  std::vector<ResolvedTraits> traits;
  for (const std::string& path : paths) {
    const auto spec = LoadSpecFile(path, ReadFile(path), diagnostics);
    if (spec) std::ranges::move(ResolveTraits(*spec, diagnostics), std::back_inserter(traits));
  }
  return traits;
}

int GenerateTraits(const Options& options) {
  Diagnostics diagnostics;
  std::vector<ResolvedTraits> traits = ReadTraits(options.traits, &diagnostics);
  CheckTraitClaims(traits, &diagnostics, ReadTraits(options.traits_base, &diagnostics));
  std::cerr << diagnostics.ToText();
  if (diagnostics.has_errors()) return 1;
  Templates templates(options.templates);
  WriteFiles(options.out_dir, {{"op_traits.gen.cc", TraitsTable(std::move(traits), &templates, options.owner)}});
  return 0;
}

int GenerateDeclarations(const Options& options, const Declarations& declarations) {
  Templates templates(options.templates);
  WriteFiles(options.out_dir, {{"declarations.gen.cc", DeclarationsText(declarations, &templates, options.owner)}});
  if (options.owner == kBuiltIn) return 0;  // whose ATen schemas are PyTorch's own
  WriteFiles(options.out_dir,
             {{"aten_declarations.gen.cc", AtenDeclarationsText(declarations, &templates, options.owner)}});
  return 0;
}

struct Workspace {
  std::vector<CheckedSpec> specs;
  std::string mistakes;  // and notes, as shown
  bool ok = true;
};

Workspace LoadAll(const Options& options) {
  Workspace workspace;
  Diagnostics diagnostics;
  const Libraries libraries = ReadLibraries(options.libraries, &diagnostics);
  std::vector<ResolvedTraits> traits;
  for (const std::string& path : SpecPaths(options.workspace)) {
    auto spec = LoadSpecFile(path, ReadFile(options.workspace + "/" + path), &diagnostics, &libraries);
    if (!spec) continue;
    std::ranges::move(ResolveTraits(*spec, &diagnostics), std::back_inserter(traits));
    if (auto checked = Checked(std::move(*spec), options, &diagnostics)) workspace.specs.push_back(std::move(*checked));
  }
  // Bazel's merge checks this by rows. Here the specs are checked, so that --check finds all that a build would.
  CheckClaims(workspace.specs, &diagnostics);
  CheckTraitClaims(traits, &diagnostics);
  workspace.mistakes = diagnostics.ToText();
  workspace.ok = !diagnostics.has_errors();
  return workspace;
}

// Families without mistakes can be shown whatever is wrong with the others.
int ShowOperator(const Options& options) {
  const Workspace workspace = LoadAll(options);
  Templates templates(options.templates);
  const std::string shown = Show(workspace.specs, options.show, &templates);
  std::cout << shown;
  if (!shown.empty()) return 0;
  std::cerr << workspace.mistakes << "no spec" << (workspace.ok ? "" : " without mistakes") << " claims "
            << options.show << "\n";
  return 1;
}

int CheckAll(const Options& options) {
  const Workspace workspace = LoadAll(options);
  std::cerr << workspace.mistakes;
  // The two answers below need specs without mistakes: what nobody claims, and what an opset changes.
  if (!workspace.ok) return 1;
  Templates templates(options.templates);
  if (options.notes)
    for (const std::string& name : Unclaimed(workspace.specs)) std::cout << "note: nobody claims " << name << "\n";
  if (options.what_changed > 0) std::cout << WhatChanged(workspace.specs, options.what_changed, &templates);
  return 0;
}

// People run it on the whole workspace, so specs may import spec/lib, and the schemas of spec/domains are declared; a
// rule names the files that it depends on.
void AddDefaults(Options* options) {
  if (options->templates.empty()) options->templates = options->workspace + "/templates";
  const bool for_rules =
      !options->spec.empty() || !options->traits.empty() || !options->merge.empty() || options->declarations;
  if (for_rules) return;
  for (NamedFile& file : LibraryFiles(options->workspace)) options->libraries.push_back(std::move(file));
  for (const std::string& path : DomainPaths(options->workspace))
    options->declares.push_back({.name = path, .path = options->workspace + "/" + path});
}

// The exit code; nothing when the options ask for nothing.
std::optional<int> Run(const Options& options) {
  // Read by every mode, as any of them may meet a node of a declared domain.
  const std::optional<Declarations> declarations = ReadDeclarations(options);
  if (!declarations) return 1;
  if (options.declarations) return GenerateDeclarations(options, *declarations);
  // Before specs are checked: calls and nodes of a user's entries are looked up where PyTorch's and ONNX's are.
  Declare(*declarations);
  if (!options.spec.empty()) return GenerateFamily(options);
  if (!options.traits.empty()) return GenerateTraits(options);
  if (!options.merge.empty()) return MergeFamilies(options);
  if (!options.show.empty()) return ShowOperator(options);
  if (options.format) return FormatFiles(options.workspace, options.files, options.check) ? 0 : 1;
  if (options.check || options.notes || options.what_changed > 0) return CheckAll(options);
  return std::nullopt;
}

int Main(int argc, char** argv) {
  Options options;
  if (const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY")) options.workspace = workspace;
  CLI::App app("Turns spec/aten/*.yaml into the C++ that lowers ATen operators to ONNX.");
  app.footer("Example: ./bazelw run //codegen -- --show aten::softmax.int");
  AddOptions(&app, &options);
  CLI11_PARSE(app, argc, argv);
  options.help.workspace = options.workspace;
  options.help.aten_schemas = options.aten_schemas;
  if (const std::optional<int> status = RunHelp(options.help)) return *status;
  AddDefaults(&options);
  if (const std::optional<int> status = Run(options)) return *status;
  std::cerr << app.help();
  return 2;
}

}  // namespace
}  // namespace onnxport::codegen

int main(int argc, char** argv) {
  try {
    return onnxport::codegen::Main(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "codegen: " << error.what() << "\n";
    return 1;
  }
}
