// Turns calls that write into calls that make new values, one after another.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_FUNCTIONALIZER_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_FUNCTIONALIZER_H_

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/stated.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/functionalize/twins.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// True for an in-place form of a view (`t_`): it changes what a tensor object is, not its elements. `twin` is its
// functional form (FindTwin).
bool ReshapesInPlace(const ir::AtenSchema& schema, const Twin& twin);

// A tensor of the source program is named for ever by the value that its call made. `aliases()` knows its current value
// in the rewritten graph.
class Functionalizer {
 public:
  Functionalizer(record::Recorder* recorder, Layouts* layouts)
      : recorder_(*recorder), layouts_(*layouts), aliases_(recorder) {}

  // Makes a call on tensors of the source program. Returns the results of the functional call; for an argument that the
  // call writes to, returns that tensor. `stated`, for the results, may be null.
  std::vector<ir::Arg> Call(ir::Node node, const ir::StatedTypes* stated);

  // Replaces tensors by their current values. `reader`, an operator or another reader, is for messages.
  void Read(ir::Arg* arg, const std::string& reader);
  // Returns true if elements of the tensor, or of one in the sequence, may be one in memory, so that a write to one
  // changes others. A result of If or Loop, and a sequence, have values of their own in the model, so only NoteOverlap
  // knows that of them.
  bool MayOverlap(ir::ValueId tensor);
  void NoteOverlap(ir::ValueId result) { overlapping_.insert(aliases_.BaseOf(result)); }

  // Sets `base`, a tensor with its own memory, to `value`. `what` describes the write for later messages.
  void Assign(ir::ValueId base, ir::ValueId value, const std::string& what);

  // From now on the program may mean `whole`, of which `object` shows all elements, by either name. Returns false if one
  // of them has been reshaped in place.
  bool Merge(ir::ValueId object, ir::ValueId whole);
  // Sets a remark for the user, given when a call writes to the tensor, an input or a weight.
  void RemarkOnWrite(ir::ValueId tensor, std::string remark) { remarks_[tensor] = std::move(remark); }

  Aliases& aliases() { return aliases_; }

 private:
  const ir::Graph& graph() const { return recorder_.graph(); }
  void Resolve(ir::Arg* arg) const;
  void ReadInputs(ir::Node* node);
  std::vector<ir::Arg> Plain(ir::Node node, const ir::AtenSchema* schema, const ir::StatedTypes* stated);
  std::vector<ir::Arg> MaybeView(ir::Node node, const ir::AtenSchema& schema, size_t argument,
                                 const ir::StatedTypes* stated);
  void LinkAll(const std::vector<ir::Arg>& inputs, std::span<const ir::ValueId> outputs);
  ir::ValueId MemoryOf(const ir::Node& node, const ir::AtenSchema& schema, ir::ValueId tensor);
  std::vector<ir::Arg> Write(const ir::Node& node, const ir::AtenSchema& schema, const Twin& twin,
                             const ir::StatedTypes* stated);
  ir::Node TwinCall(const ir::Node& node, const Twin& twin);
  std::vector<ir::Arg> CallTwin(const ir::Node& node, const Twin& twin, const ir::StatedTypes* stated);
  bool ReplaceEmpty(ir::ValueId target, ir::ValueId made);
  ir::ValueId AsTarget(const ir::Node& node, ir::ValueId value, ir::ValueId target);
  void WriteTo(const ir::Node& node, ir::ValueId target, ir::ValueId value);
  void RemarkOn(ir::ValueId base);
  std::vector<ir::Arg> RefuseWrite(const ir::Node& node, const ir::AtenSchema& schema, const std::string& reason);
  bool ReshapeInPlace(const ir::Node& node, const ir::AtenSchema& schema, const Twin& twin);
  std::string Describe(const ir::Node& node) const;
  void Refuse(const ir::Operator& op, const std::string& reason) {
    recorder_.findings().Report(op, {Code::kWriteIsNotFollowed, reason});
  }

  record::Recorder& recorder_;
  Layouts& layouts_;
  Aliases aliases_;
  std::unordered_map<ir::ValueId, std::string> remarks_;  // by base
  std::unordered_set<ir::ValueId> overlapping_;           // bases, see NoteOverlap
  std::unordered_set<ir::ValueId> one_object_;            // maybe one object with another value: `x.to(x.dtype)`
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_FUNCTIONALIZER_H_
