// Converts a location to the form in reports.
#ifndef ONNXPORT_RUNTIME_IR_CALL_SITE_H_
#define ONNXPORT_RUNTIME_IR_CALL_SITE_H_

#include <string>

#include "onnxport/diagnostic.h"
#include "runtime/ir/location.h"

namespace onnxport::ir {

inline CallSite SiteOf(const Location& at) {
  return {.module = std::string(ModulePath(at)),
          .file = at.file(),
          .line = at.line(),
          .code = at.code(),
          .node = at.op_name};
}

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_CALL_SITE_H_
