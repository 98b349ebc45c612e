// Reads YAML text to a tree with places. Only lists, maps and texts are accepted.
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

// Inside {...} or [...] a comma ends a plain text. This is the most frequent mistake in a spec, so each node stores if
// it is inside (ReadLets and ParseExpression in fields.cc and expression.cc use it).
struct YamlNode {
  YamlKind kind = YamlKind::kEmpty;
  Place place;
  PlacedText text;              // kText
  bool quoted = false;          // kText: not a plain scalar
  bool in_flow = false;         // inside {...} or [...]
  std::vector<YamlNode> keys;   // kMap: kText each, one per item, without repeats
  std::vector<YamlNode> items;  // kList, kMap
};

// Refuses texts over 1 MiB, bytes that are not UTF-8, control characters and tabs, and characters that change the
// direction of text. Refuses directives, anchors, aliases, tags, merge keys and a second document. Refuses keys that
// repeat, and keys that YAML 1.1 reads as booleans or null. Refuses nesting deeper than 16 and more than 50,000 values.
// Returns nothing if the text cannot be read to its end. Other mistakes are reported, and the tree is complete.
std::optional<YamlNode> ReadYaml(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_YAML_H_
