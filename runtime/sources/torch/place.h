// Where in the user's program this thread is.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_

#include <string>

namespace onnxport::torch_export {

// The functions of the program, and of LibTorch's modules, that led to the operator at work, the innermost first:
// "torch::nn::LSTMImpl::forward, called by mine::Net::forward". Names are those that the dynamic linker knows: of
// shared libraries, and of a program that is linked with -rdynamic. Empty where it knows none.
std::string PlaceInProgram();

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_
