// Declares operators that PyTorch and ONNX do not have: ATen schemas from a text file, node schemas from spec files.
#ifndef ONNXPORT_CODEGEN_DECLARE_DECLARE_H_
#define ONNXPORT_CODEGEN_DECLARE_DECLARE_H_

#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {

struct Declarations {
  // One schema a line, sorted, in the form of ir::AtenSchemaTable. If TorchScript tries the overloads in another order,
  // that order is included.
  std::string aten;
  std::string order;
  std::vector<lowering::NodeSchema> nodes;  // sorted by name
};

// Reads a text of schemas, one a line as PyTorch prints them, with `#` comments. Overloads of one name are in the order
// of their registration. It is a mistake to declare a schema of PyTorch.
void ReadAtenSchemas(const std::string& path, std::string text, Declarations* declarations, Diagnostics* diagnostics);

// Adds the `schema:` items of a file. It is a mistake to declare a schema twice.
void AddNodeSchemas(const SpecFile& spec, Declarations* declarations, Diagnostics* diagnostics);

// Registers the declarations in this process, as the generated code does in a program. Call it before the first
// look-up. Then the check of a user's entries finds the user's operators like those of PyTorch and ONNX.
void Declare(const Declarations& declarations);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_DECLARE_DECLARE_H_
