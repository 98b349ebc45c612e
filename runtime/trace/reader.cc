#include "runtime/trace/reader.h"

namespace onnxport::trace {

bool Reader::Read(ir::Arg* arg, const std::string& reader) {
  if (values_.CheckArgs("", {*arg})) return false;
  open_.NoteReads(*arg);
  const record::Findings& findings = recorder_.findings();
  const size_t reports = findings.reports();
  functionalizer_.Read(arg, reader);
  return findings.reports() == reports && !recorder_.AnyFailed({*arg});
}

}  // namespace onnxport::trace
