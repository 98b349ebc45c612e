// Detects loops over a free axis that a trace has unrolled.
#ifndef ONNXPORT_RUNTIME_TRACE_UNROLLED_H_
#define ONNXPORT_RUNTIME_TRACE_UNROLLED_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::trace {

// For `for i in range(x.size(1)): x[:, i]` a trace has as many reads as there were elements. So the read that reaches
// the end of the axis by a constant tells of the loop, if the size in the trace is known.
class UnrolledLoops {
 public:
  // The axis of a named dimension had this size when the program was traced. Nothing: the file does not have it.
  void NoteSize(const std::string& symbol, std::optional<int64_t> size);
  // Says if the next calls come from code that a trace may have recorded.
  void SetRecorded(bool recorded) { recorded_ = recorded; }
  bool Watches() const { return recorded_ && !(known_.empty() && unknown_.empty()); }

  // A number among the arguments: a constant, or an expression of sizes; unknown if it is neither.
  using NumberOf = std::function<ir::Dim(const ir::Arg&)>;
  // Says why the call cannot be right for a free axis of its first argument, a tensor of these dimensions. It may be the
  // last step of a loop over the axis. Returns nothing for any other call.
  std::optional<std::string> Why(const ir::Operator& op, const std::vector<ir::Arg>& args, const ir::Dims& dims,
                                 const NumberOf& number_of) const;

 private:
  std::map<std::string, ir::Dim> known_;
  std::set<std::string> unknown_;
  bool recorded_ = false;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_UNROLLED_H_
