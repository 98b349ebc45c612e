// Conditions that are known inside the open sides of an `if`: in `if c: ... if c: ...` the second one is known.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSUMPTIONS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSUMPTIONS_H_

#include <map>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

class Assumptions {
 public:
  // While it lives, the condition has this value.
  class Open {
   public:
    Open(Assumptions* assumptions, ir::ValueId condition, bool truth) : known_(assumptions->known_), at_(condition) {
      known_[condition] = truth;
    }
    ~Open() { known_.erase(at_); }
    Open(const Open&) = delete;

   private:
    std::map<ir::ValueId, bool>& known_;
    ir::ValueId at_;
  };

  // Returns the assumed value of a condition, or the value itself.
  Value Apply(Value value) const {
    const auto* number = value.As<Number>();
    const auto known = number ? known_.find(number->id) : known_.end();
    return known == known_.end() ? std::move(value) : Value{known->second};
  }

 private:
  std::map<ir::ValueId, bool> known_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSUMPTIONS_H_
