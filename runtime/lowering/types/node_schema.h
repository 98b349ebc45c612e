// Operators of users' domains that specs declare with `schema:`. This is their registry, as ONNX has one for its own.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/linked_tables.h"
#include "runtime/ir/dtype_set.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {

struct NodeType {
  std::string name;  // "T"
  ir::DTypeSet dtypes;
  friend bool operator==(const NodeType&, const NodeType&) = default;
};

struct NodeParameter {
  enum class Count : uint8_t { kOne, kOptional, kAny, kSome };  // in a spec: `T`, `T?`, `T*`, `T+`

  std::string name;
  std::string type;  // one of NodeSchema::types, or a dtype: "int64"
  Count count = Count::kOne;
  // Sizes; nothing means any shape. A name is the same size wherever it occurs, `*name` is any number of axes, `?` is
  // any size. A result has expressions over names, which ir::Dim::Parse reads.
  std::optional<std::vector<std::string>> dims;
  friend bool operator==(const NodeParameter&, const NodeParameter&) = default;
};

struct NodeAttribute {
  std::string name;
  AttributeKind kind = AttributeKind::kOther;
  bool required = false;
  std::optional<int64_t> number;  // kInt: the default value
  friend bool operator==(const NodeAttribute&, const NodeAttribute&) = default;
};

// For inputs {x: T[*lead, n], weight: T[n, m]?}, x is kOne and weight is kOptional. If both are given, their n is
// equal.
struct NodeSchema {
  std::string name;   // "acme.Foo": domain, operator
  int version = 1;    // of the domain: a model with such a node imports this version or a later one
  bool pure = false;  // equal inputs always give equal results
  std::vector<NodeType> types;
  std::vector<NodeParameter> inputs;
  std::vector<NodeAttribute> attributes;
  std::vector<NodeParameter> outputs;
  std::string place;  // "spec/foo.yaml:12"
};

// Returns true if the two are equal except for their places.
bool SameNode(const NodeSchema& a, const NodeSchema& b);

struct NodeSchemaTable {
  std::string_view owner;
  // Makes them when they are first asked for: few programs have such a node.
  std::function<const std::vector<NodeSchema>&()> schemas;
};
using NodeSchemaTables = LinkedTables<NodeSchemaTable>;

// For a table of schemas that exist already.
std::function<const std::vector<NodeSchema>&()> KeptSchemas(std::vector<NodeSchema> schemas);

// Null if nobody declares the operator. Throws Refusal if two sets declare it differently.
const NodeSchema* FindNodeSchema(std::string_view op);
// The domains of all declared operators: "acme", "com.microsoft".
std::set<std::string> DeclaredDomains();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_
