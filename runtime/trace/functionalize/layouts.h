// The memory layout of the tensors of the source program. The file states it, or it follows from the calls that made
// them.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_LAYOUTS_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_LAYOUTS_H_

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/op_traits.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/strides.h"
#include "runtime/trace/functionalize/views.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// The layout of results that are no views, from the spec, else from the schema. An operator without tensor arguments
// allocates memory. The result of an operator with an in-place form has the layout of an argument.
op_traits::Layout LayoutOf(const ir::AtenSchema& schema);

class Layouts {
 public:
  explicit Layouts(record::Recorder* recorder) : recorder_(*recorder) {}

  // Sets the strides that the file states. They replace deduced ones.
  void State(ir::ValueId tensor, ir::Dims strides);
  // Marks it as row-major without gaps. Its sizes may be unknown.
  void SetRowMajor(ir::ValueId tensor) { Mark(tensor, true); }
  bool IsRowMajor(ir::ValueId tensor) const;
  // Nothing if it is not certain.
  std::optional<bool> IsContiguous(ir::ValueId tensor, MemoryFormat format);
  // Returns true if several of its elements are at the same place in memory. Nothing if it is not certain.
  std::optional<bool> Overlaps(ir::ValueId tensor) const;
  // Stores the strides of a row-major tensor in its ir::Value, if the sizes are known.
  void StateStrides(ir::ValueId tensor);

  // Deduces the layout of the results of `node`, whose inputs are tensors of the source program. `aliasing` says if
  // they share memory with input `argument`.
  void Deduce(const ir::Node& node, const ir::AtenSchema& schema, Aliasing aliasing, size_t argument);

 private:
  void Mark(ir::ValueId tensor, bool row_major);
  bool IsMarked(ir::ValueId tensor) const;
  bool AllRowMajor(const std::vector<ir::Arg>& args) const;
  void DeduceFresh(const ir::Node& node, const ir::AtenSchema& schema);
  void DeduceView(const ir::Node& node, const ir::AtenSchema& schema, ir::ValueId base);

  const ir::Graph& graph() const { return recorder_.graph(); }

  record::Recorder& recorder_;
  std::vector<bool> row_major_;                                           // by tensor; unknown for tensors past its end
  std::unordered_map<const ir::AtenSchema*, op_traits::Layout> layouts_;  // cache of LayoutOf
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_LAYOUTS_H_
