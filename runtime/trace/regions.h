// Traces If and Loop: the calls of their sides and bodies.
#ifndef ONNXPORT_RUNTIME_TRACE_REGIONS_H_
#define ONNXPORT_RUNTIME_TRACE_REGIONS_H_

#include <functional>
#include <optional>
#include <vector>

#include "runtime/ir/control_flow.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/region.h"

namespace onnxport::functionalize {
class Functionalizer;
class Layouts;
}  // namespace onnxport::functionalize

namespace onnxport::record {
class Recorder;
}

namespace onnxport::trace {

// Parts of a trace; internal to it.
class OpenRegions;
class Reader;
class Values;

// For the sources of programs.
class Regions {
 public:
  Regions(record::Recorder* recorder, functionalize::Layouts* layouts, functionalize::Functionalizer* functionalizer,
          Values* values, Reader* reader, OpenRegions* open)
      : recorder_(*recorder),
        layouts_(*layouts),
        functionalizer_(*functionalizer),
        values_(*values),
        reader_(*reader),
        open_(*open) {}
  Regions(const Regions&) = delete;

  // Opens a block in the current one. The next calls go into it.
  void Begin();
  // The tensor is about to leave the innermost region. Returns the older one that it is, always; or the tensor itself.
  // In-place changes of the shape of either are refused from now on.
  ir::ValueId Settle(ir::ValueId tensor);
  // Adds an input to the innermost block: an iteration number, or a carried value that starts as `initial`.
  ir::ValueId BlockInput(ir::Value type, const ir::Arg& initial = {});
  // Undoes the writes to older tensors since Begin, and returns the region. A region that is dropped has no effect: its
  // failures and remarks count only when If or Loop takes it.
  Region End();

  // ONNX If, with a condition that is known only at run time. None on one side of a result means that the result is
  // never used when that side ran. Returns one value for each result. Tensors have the joined type, which is found
  // here: equal dims stay, others become unknown; if dtypes or ranks differ, the result is a Poison that says so. Equal
  // numbers on both sides stay numbers. Tensors written in either region get their joined values.
  std::vector<ir::Arg> If(ir::IfSpec spec, Region then, Region otherwise);

  // Returns true if If can make one value of the two, or if one of them has failed already.
  bool CanJoin(ir::ValueId condition, const ir::Arg& then, const ir::Arg& otherwise) const;

  // ONNX Loop. The caller traces the body once to learn what changes, and drops that region. Then it traces the body
  // again between Begin and End with block inputs for everything that changes:
  //
  //     Begin(); iteration = BlockInput(int); carried = BlockInput(...)...;
  //     CarryWrites(trial.writes, maybe none); ... ; End()
  //
  // Older tensors that the body writes to become carried values. Call it in every body, after its BlockInputs.
  // A block input that is a tensor is the one that it began as until an iteration replaces it: a bool is carried that
  // says if it still is.
  void CarryWrites(const std::vector<Region::Write>& writes);
  // None as an initial or next value means that it is never used. Returns the carried values after the loop, then the
  // scans. Returns nothing if the type of a carried value at the end of the body does not fit its BlockInput. *joined
  // then has the types for the next attempt, in the order of `carried` followed by the writes.
  std::optional<std::vector<ir::Arg>> Loop(ir::LoopSpec spec, Region body, std::vector<ir::Value>* joined);

  // Returns true if no loop is needed: `body`, which makes calls, works on tensors that stack the elements on their
  // first axis, and its results stack those of each element. It is tried twice, and the tries leave no calls behind.
  using Body = std::function<std::vector<ir::Arg>(const std::vector<ir::Arg>& inputs)>;
  bool Vectorizes(const std::vector<ir::Arg>& stacks, const Body& body);

  // A result of If or Loop must have the type that the program's file states; otherwise this is a failure of `op`.
  void HoldTo(const ir::Operator& op, const ir::Value& stated, ir::ValueId result);

 private:
  struct Trial;
  Trial Try(const std::vector<ir::Value>& types, const Body& body);

  record::Recorder& recorder_;
  functionalize::Layouts& layouts_;
  functionalize::Functionalizer& functionalizer_;
  Values& values_;
  Reader& reader_;
  OpenRegions& open_;
};

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REGIONS_H_
