// Memory layout of the tensors of the source program: what its file states, else what is certain from the calls that
// made them.
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

// The layout of results that are no views: the spec's, else the schema's. An operator without tensor arguments makes
// its own memory, one with an in-place form a result that would fit into an argument.
op_traits::Layout LayoutOf(const ir::AtenSchema& schema);

class Layouts {
 public:
  explicit Layouts(record::Recorder* recorder) : recorder_(*recorder) {}

  // Sets the strides that the file states, whatever was deduced.
  void State(ir::ValueId tensor, ir::Dims strides);
  // Row-major without gaps. Its sizes need not be known.
  void SetRowMajor(ir::ValueId tensor) { Mark(tensor, true); }
  bool IsRowMajor(ir::ValueId tensor) const;
  // Nothing when that is not certain.
  std::optional<bool> IsContiguous(ir::ValueId tensor, MemoryFormat format);
  // Several of its elements are one in memory. Nothing when that is not certain.
  std::optional<bool> Overlaps(ir::ValueId tensor) const;
  // Puts the strides of a row-major tensor into its ir::Value, where the sizes are known.
  void StateStrides(ir::ValueId tensor);

  // Deduces the layout of the results of `node`, whose inputs are the tensors of the source program. `aliasing`: with
  // input `argument`.
  void Deduce(const ir::Node& node, const ir::AtenSchema& schema, Aliasing aliasing, size_t argument);

 private:
  void Mark(ir::ValueId tensor, bool row_major);
  bool IsMarked(ir::ValueId tensor) const;
  bool AllRowMajor(const std::vector<ir::Arg>& args) const;
  void DeduceFresh(const ir::Node& node, const ir::AtenSchema& schema);
  void DeduceView(const ir::Node& node, const ir::AtenSchema& schema, ir::ValueId base);

  const ir::Graph& graph() const { return recorder_.graph(); }

  record::Recorder& recorder_;
  std::vector<bool> row_major_;  // by tensor; those past its end are not known to be
  std::unordered_map<const ir::AtenSchema*, op_traits::Layout> layouts_;  // LayoutOf
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_LAYOUTS_H_
