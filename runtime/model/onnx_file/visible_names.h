// Makes names of an ONNX file safe to print.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Escapes every text of the model with VisibleLine (base/text.h). ONNX's printer prints names unchanged, so a line end
// in a name would end the line of its node. Afterwards the model can only be printed.
void MakeNamesVisible(onnx::ModelProto* model);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_
