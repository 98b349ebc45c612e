// Texts of schemas that are compiled in: those of spec/*.txt (//runtime/aten:embed_schemas), and those of users'
// operators.
#ifndef ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
#define ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_

#include <string_view>

#include "runtime/base/linked_tables.h"

namespace onnxport::ir {

// If several tables have a name, the first is found.
struct AtenSchemaTable {
  std::string_view owner;
  // One schema per line, sorted by bytes; each line ends with '\n'. Never read as a whole: lookups touch a few pages.
  std::string_view text;
  // "aten::to device dtype other", one base name per line, sorted; "default" is the overload without a name. Base names
  // whose overloads are in sorted order need no line.
  std::string_view order;
  std::string_view origin;  // "LibTorch 2.14.1"
};

using AtenSchemaTables = LinkedTables<AtenSchemaTable>;

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
