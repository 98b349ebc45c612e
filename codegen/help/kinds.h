// The kinds that a name may have where it stands, at each opset.
#ifndef ONNXPORT_CODEGEN_HELP_KINDS_H_
#define ONNXPORT_CODEGEN_HELP_KINDS_H_

#include <string>

#include "codegen/help/lines.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Lines as "  opset 7 to 12: a tensor of {float32}", below the overload where they differ; empty where the check never
// comes to the name. `column` 0: wherever the item uses it. An item that is a definition is looked at in every entry
// that calls it.
std::string KindsOf(const SpecFile& spec, const LineRange& item, const std::string& name, int line, int column);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_KINDS_H_
