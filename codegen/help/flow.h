// Maps that stand on one line: `args: {dim: axis(self)}`.
#ifndef ONNXPORT_CODEGEN_HELP_FLOW_H_
#define ONNXPORT_CODEGEN_HELP_FLOW_H_

namespace onnxport::codegen {

struct Cursor;

// Where the value before the cursor is the beginning of such a map, goes on into it: its keys become part of the path.
void EnterFlow(Cursor* cursor);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_FLOW_H_
