// Why a call is not lowered.
#ifndef ONNXPORT_RUNTIME_BASE_REFUSAL_H_
#define ONNXPORT_RUNTIME_BASE_REFUSAL_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "onnxport/codes.h"

namespace onnxport {

// Why something is refused: its code, and the words for this case. Without a code, the general one of calls.
struct Reason {
  Reason(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  Reason(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
  Reason(Code why, std::string words) : code(why), text(std::move(words)) {}

  Code code = Code::kUnsupportedCall;
  std::string text;
};

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

  explicit Refusal(const Reason& reason) : Refusal(Kind::kNever, reason) {}
  Refusal(Code code, const std::string& text) : Refusal(Reason(code, text)) {}
  static Refusal NotDecided(const std::string& text) { return {Kind::kNotDecided, {Code::kNotDecided, text}}; }
  // In a side of an `if` decided at run time it drops the side, else the export fails.
  static Refusal Raised(const std::string& text) { return {Kind::kRaised, {Code::kProgramRaises, text}}; }
  static Refusal Reported(const std::string& text) { return {Kind::kReported, text}; }

  Kind kind() const { return kind_; }
  // The same of what is named: "dim: axis 4 is outside a rank of 2".
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
