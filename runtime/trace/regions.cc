// The rest of Regions is in branches.cc, loops.cc and vectorize.cc.
#include "runtime/trace/regions.h"

#include <utility>

#include "runtime/trace/open_regions.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {

void Regions::Begin() { open_.Begin(); }

ir::ValueId Regions::BlockInput(ir::Value type, const ir::Arg& initial) {
  return open_.BlockInput(std::move(type), initial);
}

Region Regions::End() { return open_.End(); }

void Regions::HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result) {
  if (!values_.IsFailed(result)) recorder_.HoldTo(op, stated, result);
}

}  // namespace onnxport::trace
