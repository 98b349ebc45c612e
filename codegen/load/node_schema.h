// Reads `schema:` items of a spec file: operators of the user's domains.
#ifndef ONNXPORT_CODEGEN_LOAD_NODE_SCHEMA_H_
#define ONNXPORT_CODEGEN_LOAD_NODE_SCHEMA_H_

#include "codegen/load/yaml.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

bool IsNodeSchema(const YamlNode& node);

// Reports every mistake. Use the result only if there was none.
NodeDeclaration ReadNodeSchema(const YamlNode& node, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_NODE_SCHEMA_H_
