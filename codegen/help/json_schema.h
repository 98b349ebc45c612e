// Writes the keys of the language as a JSON schema (draft 7), so that editors can check a YAML file while it is typed.
#ifndef ONNXPORT_CODEGEN_HELP_JSON_SCHEMA_H_
#define ONNXPORT_CODEGEN_HELP_JSON_SCHEMA_H_

#include <string>

namespace onnxport::codegen {

std::string JsonSchemaText();

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_JSON_SCHEMA_H_
