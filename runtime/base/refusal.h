// Why a call is not lowered.
#ifndef ONNXPORT_RUNTIME_BASE_REFUSAL_H_
#define ONNXPORT_RUNTIME_BASE_REFUSAL_H_

#include <stdexcept>

namespace onnxport {

// The call cannot be lowered; caught by the lowering loop, which adds operator, source line and module path.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A comparison that needs a value unknown until the model runs.
class NotDecided : public Refusal {
 public:
  using Refusal::Refusal;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_REFUSAL_H_
