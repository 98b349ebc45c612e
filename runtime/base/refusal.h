// Tells why a call is not lowered.
#ifndef ONNXPORT_RUNTIME_BASE_REFUSAL_H_
#define ONNXPORT_RUNTIME_BASE_REFUSAL_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "onnxport/codes.h"

namespace onnxport {

// The reason for a refusal: its code, and the words for this case. Without a code, it is the general one for calls.
struct Reason {
  Reason(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  Reason(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
  Reason(Code why, std::string words) : code(why), text(std::move(words)) {}

  Code code = Code::kUnsupportedCall;
  std::string text;
};

// This call cannot be lowered; others can. (An Error, base/error.h, ends the export.) The caller catches it and adds
// the operator, the source line and the module path.
class Refusal : public std::runtime_error {
 public:
  enum class Kind : uint8_t {
    kNever,       // cannot be exported as it stands
    kNotDecided,  // a comparison needs a value that is known only at run time
    kRaised,      // the program itself fails on known values: `raise`, an index outside a list
    kReported,    // the reason was reported before
  };

  explicit Refusal(const Reason& reason) : Refusal(Kind::kNever, reason) {}
  Refusal(Code code, const std::string& text) : Refusal(Reason(code, text)) {}
  static Refusal NotDecided(const std::string& text) { return {Kind::kNotDecided, {Code::kNotDecided, text}}; }
  // If a branch of an `if` that is decided at run time throws this, the branch is dropped. Anywhere else the export
  // fails.
  static Refusal Raised(const std::string& text) { return {Kind::kRaised, {Code::kProgramRaises, text}}; }
  static Refusal Reported(const std::string& text) { return {Kind::kReported, text}; }

  Kind kind() const { return kind_; }
  // Puts the name of the argument in front: "dim: axis 4 is outside a rank of 2".
  Refusal Of(const std::string& what) const { return {kind_, {code_, what + ": " + this->what()}}; }
  Code code() const { return code_; }
  Reason reason() const { return {code_, what()}; }

 private:
  Refusal(Kind kind, const Reason& reason) : std::runtime_error(reason.text), kind_(kind), code_(reason.code) {}

  Kind kind_;
  Code code_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_REFUSAL_H_
