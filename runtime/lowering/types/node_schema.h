// Operators of users' domains as their specs declare them (`schema:`): what ONNX's registry is for ONNX's own.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_

#include <cstdint>
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
  enum class Count : uint8_t { kOne, kOptional, kAny, kSome };  // as the spec writes them: `T`, `T?`, `T*`, `T+`

  std::string name;
  std::string type;  // one of NodeSchema::types, or a dtype: "int64"
  Count count = Count::kOne;
  // Sizes; nothing: any shape. A name is one size wherever it stands, `*name` any number of axes, `?` any size. A
  // result has expressions over names, which ir::Dim::Parse reads.
  std::optional<std::vector<std::string>> dims;
  friend bool operator==(const NodeParameter&, const NodeParameter&) = default;
};

struct NodeAttribute {
  std::string name;
  AttributeKind kind = AttributeKind::kOther;
  bool required = false;
  std::optional<int64_t> number;  // kInt: what it is when it is left out
  friend bool operator==(const NodeAttribute&, const NodeAttribute&) = default;
};

// inputs {x: T[*lead, n], weight: T[n, m]?}: x is kOne, weight kOptional; where both are there, n is one size.
struct NodeSchema {
  std::string name;   // "acme.Foo": domain, operator
  int version = 1;    // of the domain: a model with such a node imports this one, or a later one
  bool pure = false;  // equal inputs give equal results
  std::vector<NodeType> types;
  std::vector<NodeParameter> inputs;
  std::vector<NodeAttribute> attributes;
  std::vector<NodeParameter> outputs;
  std::string place;  // "spec/foo.yaml:12"
};

// The places may differ.
bool SameNode(const NodeSchema& a, const NodeSchema& b);

struct NodeSchemaTable {
  std::string_view owner;
  std::vector<NodeSchema> schemas;
};
using NodeSchemaTables = LinkedTables<NodeSchemaTable>;

// Null for an operator that nobody declares. Throws Refusal for one that two sets declare differently.
const NodeSchema* FindNodeSchema(std::string_view op);
// "acme", "com.microsoft": those of all of them.
std::set<std::string> DeclaredDomains();

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_NODE_SCHEMA_H_
