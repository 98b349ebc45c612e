#include "runtime/lowering/build/assumptions.h"

namespace onnxport::lowering {

bool Assumptions::Assume(const ir::Dim& size) {
  if (free_sizes_ == FreeSizes::kAsExported) return true;
  if (as_stated_) return false;
  made_.push_back(size);
  return true;
}

}  // namespace onnxport::lowering
