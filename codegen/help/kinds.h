// Shows the kinds that a name may have at its place, at each opset.
#ifndef ONNXPORT_CODEGEN_HELP_KINDS_H_
#define ONNXPORT_CODEGEN_HELP_KINDS_H_

#include <string>

#include "codegen/help/lines.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// Returns lines such as "  opset 7 to 12: a tensor of {float32}", under each overload if these differ. Empty if the
// check never reaches the name. `column` 0 means every place in the item. A definition is checked in every entry that
// calls it.
std::string KindsOf(const SpecFile& spec, const LineRange& item, const std::string& name, int line, int column);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_KINDS_H_
