// Numbers that a program may have computed of sizes.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_

#include <cstdint>
#include <set>
#include <vector>

namespace onnxport::pt2 {

// Sizes that depend on freed axes, as the program saw them when it was exported.
class AxisNumbers {
 public:
  // A tensor of these sizes; `depends`: whether a size is one of them. 0 and 1 tell nothing.
  void Add(const std::vector<int64_t>& sizes, const std::vector<bool>& depends);

  // A size, or a product of sizes of one tensor; or what is computed of a size: 1 more or less, twice, half, its
  // square, root, reciprocal or logarithm. `strict`: also half of a small one, and what is at most 2.
  bool IsLike(double number, bool strict) const;

 private:
  static bool IsComputed(double number, int64_t size, bool strict);

  std::set<int64_t> sizes_;
  std::set<int64_t> products_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_AXIS_NUMBERS_H_
