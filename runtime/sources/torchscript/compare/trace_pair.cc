#include "runtime/sources/torchscript/compare/trace_pair.h"

#include <fmt/format.h>

#include "runtime/base/error.h"
#include "runtime/sources/fit/number_fit.h"

namespace onnxport::torchscript {

std::string TracePair::Name(const TracedProgram& trace) {
  const std::string sizes = fit::SizesText(trace.sizes);
  return trace.program->archive->name() + (sizes.empty() ? "" : " (" + sizes + ")");
}

void TracePair::Refuse(const std::string& what) {
  throw Error(Code::kTracesDiffer, fmt::format("the axes cannot be free: {}", what));
}

void TracePair::RefuseValue(const std::string& path) const {
  Refuse(fmt::format("'{}' is not the same in {} and {}: trace one model, in eval mode, with the same weights", path,
                     Name(a), Name(b)));
}

}  // namespace onnxport::torchscript
