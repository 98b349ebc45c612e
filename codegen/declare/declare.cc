#include "codegen/declare/declare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/aten_schema_table.h"

namespace onnxport::codegen {
namespace {

constexpr std::string_view kOwner = "codegen";  // in this process only

// "foo::op default a", for base names whose overloads are not in sorted order.
std::string OrderText(const std::map<std::string, std::vector<std::string>>& overloads) {
  std::string text;
  for (const auto& [base, names] : overloads) {
    if (std::ranges::is_sorted(names)) continue;
    text += base;
    for (const std::string& name : names) text += " " + (name.empty() ? "default" : name);
    text += '\n';
  }
  return text;
}

}  // namespace

void ReadAtenSchemas(const std::string& path, std::string text, Declarations* declarations, Diagnostics* diagnostics) {
  const auto file = std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
  // Sorted by name, as the runtime looks texts up by halving; so the order of the file, in which TorchScript tries
  // overloads, is kept beside it.
  std::map<std::string, std::string> lines;  // by name
  std::map<std::string, std::vector<std::string>> overloads;
  std::istringstream in(file->text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const Place place{file, ++number, 1};
    if (line.empty() || line.starts_with('#')) continue;
    std::string error;
    const auto schema = ir::ParseAtenSchema(line, &error);
    if (!schema) {
      diagnostics->Error(place, error);
    } else if (ir::FindAtenSchema(schema->name) != nullptr) {
      // Only PyTorch's own can be found here, as Declare comes later.
      diagnostics->Error(place, fmt::format("`{}` is an operator that onnxport knows", schema->name));
    } else if (!lines.emplace(schema->name, line).second) {
      diagnostics->Error(place, fmt::format("`{}` comes twice", schema->name));
    } else {
      overloads[schema->base_name()].push_back(schema->overload());
    }
  }
  for (const auto& [name, line] : lines) declarations->aten += line + "\n";
  declarations->order = OrderText(overloads);
}

void AddNodeSchemas(const SpecFile& spec, Declarations* declarations, Diagnostics* diagnostics) {
  for (const NodeDeclaration& declaration : spec.schemas) {
    const lowering::NodeSchema& schema = declaration.schema;
    const auto position = std::ranges::lower_bound(declarations->nodes, schema.name, {}, &lowering::NodeSchema::name);
    const bool twice = position != declarations->nodes.end() && position->name == schema.name;
    if (twice)
      diagnostics->Error(declaration.place,
                         fmt::format("`{}` is declared twice; first at {}", schema.name, position->place));
    else
      declarations->nodes.insert(position, schema);
  }
}

void Declare(const Declarations& declarations) {
  // Never freed, as tables are asked until the process ends.
  static auto& kept = *new Declarations(declarations);  // the table of texts refers to it
  ir::AtenSchemaTables::Add({.owner = kOwner, .text = kept.aten, .order = kept.order, .origin = {}});
  lowering::NodeSchemaTables::Add({.owner = kOwner, .schemas = lowering::KeptSchemas(kept.nodes)});
}

}  // namespace onnxport::codegen
