// Numbers that are the same everywhere (SplitMix64).
#ifndef ONNXPORT_TESTS_FUZZ_RANDOM_H_
#define ONNXPORT_TESTS_FUZZ_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace onnxport {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  size_t Below(size_t limit) { return limit == 0 ? 0 : Next() % limit; }
  bool OneIn(size_t n) { return Below(n) == 0; }
  template <typename List>
  const auto& Pick(const List& list) {
    return list[Below(std::size(list))];
  }

 private:
  uint64_t state_;
};

}  // namespace onnxport

#endif  // ONNXPORT_TESTS_FUZZ_RANDOM_H_
