// The exception that ends an export.
#ifndef ONNXPORT_RUNTIME_BASE_ERROR_H_
#define ONNXPORT_RUNTIME_BASE_ERROR_H_

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "onnxport/diagnostic.h"

namespace onnxport {

// Thrown where work cannot continue. The library's border catches it once and hands the report to the caller. The text
// says what was seen, where, and what would work. It begins with a small letter and has no full stop.
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& reason) : Error(Report(code, reason)) {}
  // Takes the general code of the kind.
  Error(ErrorKind kind, const std::string& reason) : Error(Report(kind, reason)) {}
  explicit Error(Report report)
      : std::runtime_error(report.Text()), report_(std::make_shared<const Report>(std::move(report))) {}

  ErrorKind kind() const { return report_->kind(); }
  const Report& report() const { return *report_; }

  // Returns the same error with the place in front: "model.pt2: ".
  Error Behind(const std::string& where) const { return Error(report_->Behind(where)); }

 private:
  std::shared_ptr<const Report> report_;  // copies of an exception do not throw
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_ERROR_H_
