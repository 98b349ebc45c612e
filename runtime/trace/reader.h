// Reads values of the program for what is no call: conditions, outputs, the values that leave a branch or loop.
#ifndef ONNXPORT_RUNTIME_TRACE_READER_H_
#define ONNXPORT_RUNTIME_TRACE_READER_H_

#include <string>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {

class Reader {
 public:
  Reader(record::Recorder* recorder, functionalize::Functionalizer* functionalizer, Values* values, OpenRegions* open)
      : recorder_(*recorder), functionalizer_(*functionalizer), values_(*values), open_(*open) {}
  Reader(const Reader&) = delete;

  // Replaces tensors by their current values. Returns true if the value can be used. `reader` is for messages.
  bool Read(ir::Arg* arg, const std::string& reader);

 private:
  record::Recorder& recorder_;
  functionalize::Functionalizer& functionalizer_;
  Values& values_;
  OpenRegions& open_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_READER_H_
