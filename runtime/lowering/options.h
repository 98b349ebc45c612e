#ifndef ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_
#define ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_

#include "runtime/lowering/build/choices.h"
#include "runtime/lowering/custom_nodes.h"

namespace onnxport::lowering {

// The options of lowering that an export's caller sets, besides the opset.
struct Options {
  CustomNodes custom_nodes = {};
  Choices choices = {};
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_OPTIONS_H_
