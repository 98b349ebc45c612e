#include "codegen/load/load.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "codegen/load/calls.h"
#include "codegen/load/definition.h"
#include "codegen/load/entry.h"
#include "codegen/load/fields.h"
#include "codegen/load/imports.h"
#include "codegen/load/lexer.h"
#include "codegen/load/node_schema.h"
#include "codegen/load/results.h"
#include "codegen/load/traits.h"
#include "codegen/load/yaml.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

std::string StemOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

void ReadHeader(const Fields& fields, SpecFile* spec, Diagnostics* diagnostics) {
  if (const YamlNode* version = fields.Require("spec"))
    ReadInt(*version, "`spec` (the language's version)", 1, 1, diagnostics);
  const YamlNode* family = fields.Require("family");
  const PlacedText* name = family ? ReadText(*family, "`family`", diagnostics) : nullptr;
  if (name == nullptr) return;
  spec->family = name->text();
  const std::string stem = StemOf(spec->path);
  if (spec->family != stem || !IsIdentifier(stem)) {
    diagnostics->Error(family->place,
                       fmt::format("`family` is `{}`, but the file is named `{}`; both are one identifier",
                                   spec->family.substr(0, 80), stem));
  }
}

void ReadImports(const Fields& fields, SpecFile* spec, Diagnostics* diagnostics) {
  const YamlNode* import = fields.Find("import");
  if (import == nullptr) return;
  if (import->kind == YamlKind::kList && import->items.empty())
    diagnostics->Error(import->place, "`import` is an empty list");
  for (const YamlNode& item : ReadList(*import, "`import`", diagnostics)) {
    const PlacedText* name = ReadText(item, "a library's name", diagnostics);
    if (name == nullptr) continue;
    if (std::ranges::count(spec->imports, name->text(), &Import::name) > 0)
      diagnostics->Error(item.place, fmt::format("`{}` is imported twice", name->text()));
    else
      spec->imports.push_back({.name = name->text(), .place = item.place});
  }
}

// An entry may have a `def:`, too, with definitions of its own; `op` tells the two apart.
bool IsDef(const YamlNode& node) {
  const auto has = [&](std::string_view key) {
    return std::any_of(node.keys.begin(), node.keys.end(), [&](const YamlNode& k) { return k.text.text() == key; });
  };
  return node.kind == YamlKind::kMap && has("def") && !has("op");
}

}  // namespace

std::optional<SpecFile> LoadSpecFile(const std::string& path, std::string text, Diagnostics* diagnostics,
                                     const Libraries* libraries) {
  auto file = std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
  const int at_first = diagnostics->error_count();
  const auto root = ReadYaml(file, diagnostics);
  if (!root) return std::nullopt;
  int errors = diagnostics->error_count();
  SpecFile spec;
  spec.path = path;
  const Fields fields(*root, kOfFile, diagnostics);
  ReadHeader(fields, &spec, diagnostics);
  ReadImports(fields, &spec, diagnostics);
  const YamlNode* ops = fields.Require("ops");
  for (const YamlNode& node : ops ? ReadList(*ops, "`ops`", diagnostics) : std::span<const YamlNode>()) {
    if (IsDef(node)) {
      spec.defs.push_back(ReadDef(node, diagnostics));
      continue;
    }
    if (IsNodeSchema(node)) {
      spec.schemas.push_back(ReadNodeSchema(node, diagnostics));
      continue;
    }
    if (StatesTraitsOnly(node)) {
      spec.traits.push_back(ReadTraitEntry(node, diagnostics));
      continue;
    }
    // An entry with mistakes is left out, and its mistakes are not counted against the file: the others are still
    // checked, so that one run reports what is wrong everywhere.
    const int before = diagnostics->error_count();
    OpEntry entry = ReadEntry(node, diagnostics);
    if (diagnostics->error_count() == before) spec.ops.push_back(std::move(entry));
    errors += diagnostics->error_count() - before;
  }
  // First the definitions, then the arguments given by name, which need their parameters.
  const int before_imports = diagnostics->error_count();
  if (libraries != nullptr) FollowImports(*libraries, &spec, diagnostics);
  errors += diagnostics->error_count() - before_imports;  // what is called is known all the same
  PlaceNamedArguments(&spec, diagnostics);
  ResolveResults(&spec, diagnostics);
  if (diagnostics->error_count() > errors) return std::nullopt;  // the header or a shared definition
  // False keeps the checks from making a CheckedSpec of what is left.
  spec.complete = diagnostics->error_count() == at_first;
  return spec;
}

}  // namespace onnxport::codegen
