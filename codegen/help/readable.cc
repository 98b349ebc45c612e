// Reads as much as possible of a file that has mistakes: it tries each item by itself, then loads the good ones
// together. So a mistake in one entry, which is where the cursor is, leaves the help that the others give.
#include "codegen/help/readable.h"

#include <memory>
#include <utility>

#include "codegen/load/load.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {
namespace {

std::string FamilyOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

std::optional<YamlNode> OnlyItem(const std::string& path, std::string text) {
  Diagnostics ignored;
  const auto file = std::make_shared<const SourceFile>(SourceFile{path, std::move(text)});
  const auto root = ReadYaml(file, &ignored);
  if (!root || root->items.empty() || root->items.back().items.empty()) return std::nullopt;
  return root->items.back().items[0];
}

}  // namespace

std::optional<SpecFile> LoadReadable(const std::string& path, const std::vector<Line>& lines,
                                     const Libraries& libraries) {
  Header header{.family = FamilyOf(path), .imports = ImportsOf(lines)};
  std::erase_if(header.imports, [&](const std::string& name) { return libraries.Find(name) == nullptr; });
  std::vector<LineRange> readable;
  for (const LineRange& item : ItemsOf(lines)) {
    Diagnostics diagnostics;
    LoadSpecFile(path, TextOf(lines, {item}, header), &diagnostics, &libraries);
    if (!diagnostics.has_errors()) readable.push_back(item);
  }
  if (readable.empty()) return std::nullopt;
  Diagnostics ignored;
  return LoadSpecFile(path, TextOf(lines, readable, header), &ignored, &libraries);
}

std::optional<YamlNode> ReadItem(const std::string& path, std::vector<Line> lines, const LineRange& item, size_t line) {
  const Header header{.family = FamilyOf(path), .imports = {}};
  if (auto node = OnlyItem(path, TextOf(lines, {item}, header))) return node;
  lines[line].text.clear();
  return OnlyItem(path, TextOf(lines, {item}, header));
}

}  // namespace onnxport::codegen
