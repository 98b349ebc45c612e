// Records the assumptions about free sizes behind decisions about the graph.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_ASSUMPTIONS_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_ASSUMPTIONS_H_

#include <utility>
#include <vector>

#include "runtime/ir/dim.h"
#include "runtime/lowering/types/free_sizes.h"

namespace onnxport::lowering {

class Assumptions {
 public:
  explicit Assumptions(FreeSizes free_sizes) : free_sizes_(free_sizes) {}
  Assumptions(const Assumptions&) = delete;

  FreeSizes free_sizes() const { return free_sizes_; }
  // Returns true if a decision may assume that free sizes are neither 0 nor 1. If the ranges of the graph do not imply
  // the assumption, it is kept for a remark.
  bool Assume(const ir::Dim& size);
  std::vector<ir::Dim> Take() { return std::exchange(made_, {}); }

  // While it lives, conditions are decided only by stated facts: nothing is assumed.
  class AsStated {
   public:
    explicit AsStated(Assumptions* assumptions)
        : assumptions_(*assumptions), outer_(std::exchange(assumptions->as_stated_, true)) {}
    ~AsStated() { assumptions_.as_stated_ = outer_; }
    AsStated(const AsStated&) = delete;

   private:
    Assumptions& assumptions_;
    bool outer_;
  };

 private:
  const FreeSizes free_sizes_;
  bool as_stated_ = false;
  std::vector<ir::Dim> made_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_ASSUMPTIONS_H_
