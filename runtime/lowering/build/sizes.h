// Sizes known only at run time, as int64 values of the graph.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_SIZES_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_SIZES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/lowering/build/scoped_map.h"
#include "runtime/lowering/build/val.h"

namespace onnxport::lowering {

class Emitter;

inline constexpr int kShapeSliceOpset = 15;  // Shape takes start and end

// Computes each size once: one 0-d value per symbolic expression, one Shape per tensor. Sizes computed inside a block
// are forgotten when the block ends.
class Sizes {
 public:
  explicit Sizes(Emitter* emitter) : emitter_(*emitter) {}

  // From now on, symbols that are dimensions of this graph input are read from it.
  void AddInput(ir::ValueId input);

  // Returns dimension `axis` (counted from the front) of x as a 0-d value. It must not be a number.
  ir::ValueId Dimension(ir::ValueId x, size_t axis);

  // Returns the 0-d int64 value that holds this expression, if there is one.
  std::optional<ir::ValueId> Find(const ir::Dim& dim) const;
  // Makes `scalar`, 0-d with known contents, available to `Find`.
  void Remember(ir::ValueId scalar);

  // Returns a 1-d int64 tensor of ints and 0-d integer tensors.
  ir::ValueId List(const Vals& elements);

  // Shape(x), and its elements [begin, end).
  ir::ValueId Shape(ir::ValueId x);
  ir::ValueId ShapeSlice(ir::ValueId x, size_t begin, size_t end);

  void EnterBlock();
  void LeaveBlock();

 private:
  struct Origin {
    ir::ValueId tensor;
    size_t axis;
  };
  ir::ValueId ReadDimension(const Origin& origin);
  ir::ValueId AsList(ir::ValueId scalar);
  size_t RunOfOrigins(const Vals& elements, size_t first) const;

  Emitter& emitter_;
  std::unordered_map<std::string, Origin> symbols_;
  std::unordered_map<ir::ValueId, Origin> origins_;  // of values, so without scopes
  ScopedMap<std::unordered_map<std::string, ir::ValueId>> expressions_;
  ScopedMap<std::unordered_map<ir::ValueId, ir::ValueId>> shapes_;
  ScopedMap<std::unordered_map<ir::ValueId, ir::ValueId>> lists_;  // 0-d -> 1-d
  ScopedMap<std::map<std::pair<ir::ValueId, size_t>, ir::ValueId>> unknown_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_SIZES_H_
