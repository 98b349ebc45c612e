// Names of an ONNX file in a form that can be shown.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_

#include "onnx/onnx_pb.h"

namespace onnxport::onnx_file {

// Every text of the model as VisibleLine makes it (base/text.h). ONNX's printer writes names as they are: a line end in
// one would end the line of its node. The model is for printing then, and for nothing else.
void MakeNamesVisible(onnx::ModelProto* model);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_VISIBLE_NAMES_H_
