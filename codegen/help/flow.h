// Maps that stand on one line: `args: {dim: axis(self)}`.
#ifndef ONNXPORT_CODEGEN_HELP_FLOW_H_
#define ONNXPORT_CODEGEN_HELP_FLOW_H_

namespace onnxport::codegen {

struct Cursor;

// If the value before the cursor begins such a map, moves the cursor into it: its keys are added to the path.
void EnterFlow(Cursor* cursor);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_FLOW_H_
