// Operators that PyTorch and ONNX do not know: schemas of ATen calls in a text file, those of nodes in spec files.
#ifndef ONNXPORT_CODEGEN_DECLARE_DECLARE_H_
#define ONNXPORT_CODEGEN_DECLARE_DECLARE_H_

#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {

struct Declarations {
  // One schema a line, sorted, and the order in which TorchScript tries overloads where it is another one: as
  // ir::AtenSchemaTable has them.
  std::string aten;
  std::string order;
  std::vector<lowering::NodeSchema> nodes;  // sorted by name
};

// A text of schemas, one a line as PyTorch prints them, and `#` comments: those of a base name in the order of their
// registration. A schema that PyTorch has itself is a mistake.
void ReadAtenSchemas(const std::string& path, std::string text, Declarations* declarations, Diagnostics* diagnostics);

// The `schema:` items of a file. One that comes a second time is a mistake.
void AddNodeSchemas(const SpecFile& spec, Declarations* declarations, Diagnostics* diagnostics);

// Makes them known to this process, as the generated code does to programs. Before any of them is asked for. The check
// of a set's entries then finds its operators as it finds PyTorch's and ONNX's, with no second way to look.
void Declare(const Declarations& declarations);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_DECLARE_DECLARE_H_
