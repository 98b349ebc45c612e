// The sizes that named axes had when the program was traced, which detect unrolled loops.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_TRACED_SIZES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_TRACED_SIZES_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "runtime/inputs/inputs.h"
#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"
#include "runtime/trace/unrolled.h"

namespace onnxport::torchscript {

class TracedSizes {
 public:
  // `stated` are the sizes that the user states, and must outlive this.
  TracedSizes(const AxisSizes* stated, trace::UnrolledLoops* loops) : stated_(*stated), loops_(*loops) {}

  // Notes the sizes of the input's named axes: as stated, or as in the example that the trace has recorded, which may
  // be null. Throws Error (kUsage) if the two differ.
  void Note(const Input& spec, const PickledPtr& example);
  // Throws Error (kUsage) if a size is stated of an axis that no input has.
  void CheckStated() const;

 private:
  void NoteSize(const std::string& name, std::optional<int64_t> recorded);

  const AxisSizes& stated_;
  trace::UnrolledLoops& loops_;
  std::set<std::string> names_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_TRACED_SIZES_H_
