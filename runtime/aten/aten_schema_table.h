// The texts of schemas that are compiled in: those of spec/*.txt (//runtime/aten:embed_schemas), and those of users'
// operators.
#ifndef ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
#define ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_

#include <string_view>

#include "runtime/base/linked_tables.h"

namespace onnxport::ir {

// If several tables contain a name, the first one counts.
struct AtenSchemaTable {
  std::string_view owner;
  // One schema per line, sorted by bytes; each line ends with '\n'. Lookups touch only a few pages of it.
  std::string_view text;
  // One base name per line, sorted: "aten::to device dtype other". "default" is the overload without a name. A base
  // name whose overloads are in sorted order needs no line.
  std::string_view order;
  std::string_view origin;  // "LibTorch 2.14.1"
};

using AtenSchemaTables = LinkedTables<AtenSchemaTable>;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
