// Failures and issues.
#ifndef ONNXPORT_RUNTIME_BASE_ERROR_H_
#define ONNXPORT_RUNTIME_BASE_ERROR_H_

#include <stdexcept>
#include <string>

namespace onnxport {

// Why an export cannot go on; the command's exit status is the number.
enum class ErrorKind {
  kCannotExport = 1,  // the model: unsupported operators, a fixed axis ...
  kUsage = 2,         // options
  kBadInput = 3,      // a damaged or hostile file, an unknown version
  kCannotWrite = 4,   // the output
};

// Thrown where work cannot continue; caught once, in main or at the library's border.
// The text says what was seen, where, and what would work; lower case, no full stop.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_ERROR_H_
