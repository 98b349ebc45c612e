// Finds the types of a loop's values, which are known only after its body is traced.
#ifndef ONNXPORT_RUNTIME_IR_UNTIL_SETTLED_H_
#define ONNXPORT_RUNTIME_IR_UNTIL_SETTLED_H_

#include <optional>
#include <type_traits>

namespace onnxport::ir {

// `round` traces the body with the types of the carried values found so far. If the body makes a type wider, `round`
// returns nothing and is called again with the wider type. Types only become wider, so a few rounds suffice. Returns
// nothing if they never settle.
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
