// Why a call is not lowered.
#ifndef ONNXPORT_RUNTIME_BASE_REFUSAL_H_
#define ONNXPORT_RUNTIME_BASE_REFUSAL_H_

#include <cstdint>
#include <stdexcept>
#include <string>

namespace onnxport {

// This call cannot be made; others can. (An Error, base/error.h, ends the export.) Whoever makes the call catches it
// and adds operator, source line and module path.
class Refusal : public std::runtime_error {
 public:
  enum class Kind : uint8_t {
    kNever,       // as it stands it cannot be exported
    kNotDecided,  // a comparison needs what is not known before the model runs
    kRaised,      // the program itself fails, on values that are known: `raise`, an index outside a list
    kReported,    // for a reason that has been reported
  };

  explicit Refusal(const std::string& reason) : Refusal(Kind::kNever, reason) {}
  static Refusal NotDecided(const std::string& reason) { return {Kind::kNotDecided, reason}; }
  // In a side of an `if` decided at run time it drops the side, else the export fails.
  static Refusal Raised(const std::string& reason) { return {Kind::kRaised, reason}; }
  static Refusal Reported(const std::string& reason) { return {Kind::kReported, reason}; }

  Kind kind() const { return kind_; }
  // The same of what is named: "dim: axis 4 is outside a rank of 2".
  Refusal Of(const std::string& what) const { return {kind_, what + ": " + this->what()}; }

 private:
  Refusal(Kind kind, const std::string& reason) : std::runtime_error(reason), kind_(kind) {}

  Kind kind_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_REFUSAL_H_
