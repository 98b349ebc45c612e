#ifndef ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_
#define ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_

#include "runtime/lowering/build/choices.h"
#include "runtime/lowering/custom_nodes.h"

namespace onnxport::lowering {

// Options of lowering that the caller of an export sets, besides the opset.
struct Options {
  CustomNodes custom_nodes = {};
  Choices choices = {};
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_
