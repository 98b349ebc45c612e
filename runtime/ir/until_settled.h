// Loops whose types are known only once their body was traced.
#ifndef ONNXPORT_RUNTIME_IR_UNTIL_SETTLED_H_
#define ONNXPORT_RUNTIME_IR_UNTIL_SETTLED_H_

#include <optional>
#include <type_traits>

namespace onnxport::ir {

// `round` traces the body with the types of what it carries, as far as they are known. It gives nothing where the body
// makes them wider, and is then called again with those. Types only widen, so few rounds are needed. Nothing when they
// do not settle.
template <typename Round>
std::invoke_result_t<Round&> UntilSettled(Round round) {
  constexpr int kMostRounds = 16;
  for (int i = 0; i < kMostRounds; ++i) {
    if (auto result = round()) return result;
  }
  return std::nullopt;
}

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_UNTIL_SETTLED_H_
