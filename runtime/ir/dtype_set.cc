#include "runtime/ir/dtype_set.h"

namespace onnxport::ir {

std::string DTypeSet::ToString() const {
  std::string text;
  for (DTypeSet rest = *this; !rest.empty(); rest = rest - DTypeSet{rest.first()}) {
    text += text.empty() ? "" : ", ";
    text += Name(rest.first());
  }
  return text;
}

}  // namespace onnxport::ir
