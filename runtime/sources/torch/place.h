// Finds the place in the user's program where this thread is.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_

#include <string>

namespace onnxport::torch_export {

// Returns the functions of the program, and of LibTorch's modules, that called the current operator, innermost first:
// "torch::nn::LSTMImpl::forward, called by mine::Net::forward". It uses the dynamic linker's names: of shared
// libraries, and of a program linked with -rdynamic. Empty if there are none.
std::string PlaceInProgram();

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_PLACE_H_
