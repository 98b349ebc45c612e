// Recognizes numbers that a program may have computed from sizes.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_

#include <cstdint>
#include <set>
#include <vector>

namespace onnxport::pt2 {

// Sizes that depend on freed axes, with their values during the program's export.
class AxisNumbers {
 public:
  // Adds a tensor of these sizes; `depends` marks those that depend on a freed axis. The sizes 0 and 1 are ignored,
  // because they identify nothing.
  void Add(const std::vector<int64_t>& sizes, const std::vector<bool>& depends);

  // Returns true for a size, and for a product of sizes of one tensor. Also for a number computed from a size: one more
  // or less, twice, half, its square, root, reciprocal or logarithm. `strict` includes half of a small size, and
  // numbers up to 2.
  bool IsLike(double number, bool strict) const;

 private:
  static bool IsComputed(double number, int64_t size, bool strict);

  std::set<int64_t> sizes_;
  std::set<int64_t> products_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_
