// Identifies a value of a graph.
#ifndef ONNXPORT_RUNTIME_IR_VALUE_ID_H_
#define ONNXPORT_RUNTIME_IR_VALUE_ID_H_

#include <cstddef>
#include <cstdint>

namespace onnxport::ir {

// Index into Graph::values. Stable for the life of the graph.
enum class ValueId : int32_t { kNone = -1 };
// Returns the id that is `count` ids later.
constexpr ValueId After(ValueId id, size_t count) { return static_cast<ValueId>(static_cast<size_t>(id) + count); }

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_VALUE_ID_H_
