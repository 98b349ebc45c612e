// Conditions that are known because of the sides that are open: `if c: ... if c: ...` asks once.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSUMPTIONS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_ASSUMPTIONS_H_

#include <map>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

class Assumptions {
 public:
  // While it lives, the condition is that.
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

  // The value, or what it is known to be.
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
