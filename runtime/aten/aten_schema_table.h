// The texts of spec/*.txt, compiled in by //runtime/ir:embed_schemas.
#ifndef ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
#define ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_

#include <string_view>

namespace onnxport::ir {

// One schema per line, sorted by bytes; each line ends with '\n'. Never read as a whole: lookups touch a few pages.
std::string_view AtenSchemaText();

// "aten::to device dtype other", one base name per line, sorted; "default" is the overload without a name.
std::string_view OverloadOrderText();

// "LibTorch 2.14.1"
std::string_view AtenSchemaOrigin();

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_TABLE_H_
