// YAML text as a tree with places. Everything that YAML offers beyond lists, maps and texts is refused.
#ifndef ONNXPORT_CODEGEN_LOAD_YAML_H_
#define ONNXPORT_CODEGEN_LOAD_YAML_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/load/placed_text.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

enum class YamlKind {
  kText,   // also numbers and booleans: YAML's own types are not used
  kNull,   // `null`, `~`
  kEmpty,  // a key without a value
  kList,
  kMap,
};

// In flow, a comma ends a plain text, which is the most frequent mistake in a spec: so nodes know where they stand
// (ReadLets and ParseExpression in fields.cc and expression.cc).
struct YamlNode {
  YamlKind kind = YamlKind::kEmpty;
  Place place;
  PlacedText text;              // kText
  bool quoted = false;          // kText: not a plain scalar
  bool in_flow = false;         // inside {...} or [...]
  std::vector<YamlNode> keys;   // kMap: kText each, one per item, unique
  std::vector<YamlNode> items;  // kList, kMap
};

// Refuses texts over 1 MiB, bytes that are not UTF-8, control characters and tabs, and characters that change the order
// in which text is shown. Refuses directives, anchors, aliases, tags, merge keys and a second document. Refuses keys
// that repeat, and keys that YAML 1.1 reads as booleans or null. Refuses nesting deeper than 16 and more than 50,000
// values. Nothing is returned if the text cannot be read to its end; after other mistakes, which are reported, the tree
// is whole.
std::optional<YamlNode> ReadYaml(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_YAML_H_
