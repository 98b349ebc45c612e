#ifndef ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_
#define ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_

#include <stdexcept>

namespace onnxport::verify {

// One of the two does not run, so nothing is said of the model. What is wrong with the command line or a file is an
// Error.
class CannotCompare : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_CANNOT_COMPARE_H_
