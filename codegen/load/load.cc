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

// An entry may have a `def:`, too, with definitions of its own; `op` tells the two apart.
bool IsDef(const YamlNode& node) {
  const auto has = [&](std::string_view key) {
    return std::any_of(node.keys.begin(), node.keys.end(), [&](const YamlNode& k) { return k.text.text() == key; });
  };
  return node.kind == YamlKind::kMap && has("def") && !has("op");
}

class FileReader {
 public:
  FileReader(SpecFile* spec, Diagnostics* diagnostics) : spec_(*spec), diagnostics_(diagnostics) {}

  // Errors in entries, which are left out and not counted against the file: the others are still checked, so that one
  // run reports what is wrong everywhere.
  int Read(const YamlNode& root) {
    const Fields fields(root, kOfFile, diagnostics_);
    if (const YamlNode* version = fields.Find("spec"))
      ReadInt(*version, "`spec` (the language's version)", 1, 1, diagnostics_);
    ReadClauses(fields, &spec_, [this](const YamlNode& node, const Clause&, auto&... parts) { Read(node, parts...); });
    return in_entries_;
  }

 private:
  void Read(const YamlNode& node, std::string& family) {
    const PlacedText* name = ReadText(node, "`family`", diagnostics_);
    if (name == nullptr) return;
    family = name->text();
    const std::string stem = StemOf(spec_.path);
    if (family != stem || !IsIdentifier(stem))
      diagnostics_->Error(node.place,
                          fmt::format("`family` is `{}`, but the file is named `{}`; both are one identifier",
                                      family.substr(0, 80), stem));
  }

  void Read(const YamlNode& node, std::vector<Import>& imports) {
    if (node.kind == YamlKind::kList && node.items.empty())
      diagnostics_->Error(node.place, "`import` is an empty list");
    for (const YamlNode& item : ReadList(node, "`import`", diagnostics_)) {
      const PlacedText* name = ReadText(item, "a library's name", diagnostics_);
      if (name == nullptr) continue;
      if (std::ranges::count(imports, name->text(), &Import::name) > 0)
        diagnostics_->Error(item.place, fmt::format("`{}` is imported twice", name->text()));
      else
        imports.push_back({.name = name->text(), .place = item.place});
    }
  }

  void Read(const YamlNode& node, std::vector<OpEntry>& ops, std::vector<Def>& defs, std::vector<TraitEntry>& traits,
            std::vector<NodeDeclaration>& schemas) {
    for (const YamlNode& item : ReadList(node, "`ops`", diagnostics_)) {
      if (IsDef(item))
        defs.push_back(ReadDef(item, diagnostics_));
      else if (IsNodeSchema(item))
        schemas.push_back(ReadNodeSchema(item, diagnostics_));
      else if (StatesTraitsOnly(item))
        traits.push_back(ReadTraitEntry(item, diagnostics_));
      else
        AddEntry(item, &ops);
    }
  }

  void AddEntry(const YamlNode& item, std::vector<OpEntry>* ops) {
    const int before = diagnostics_->error_count();
    OpEntry entry = ReadEntry(item, diagnostics_);
    if (diagnostics_->error_count() == before) ops->push_back(std::move(entry));
    in_entries_ += diagnostics_->error_count() - before;
  }

  SpecFile& spec_;
  Diagnostics* diagnostics_;
  int in_entries_ = 0;
};

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
  errors += FileReader(&spec, diagnostics).Read(*root);
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
