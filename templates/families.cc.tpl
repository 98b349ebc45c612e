// Generated from spec/. Do not edit: change a spec and build again.
#include "tests/conformance/case.h"

namespace onnxport::conformance {

{{declarations}}

std::span<const Family> Families() {
  static const Family kFamilies[] = {
      {{families}}
  };
  return kFamilies;
}

}  // namespace onnxport::conformance
