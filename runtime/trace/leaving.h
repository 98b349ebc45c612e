// The values that leave a region: results of If and Loop.
#ifndef ONNXPORT_RUNTIME_TRACE_LEAVING_H_
#define ONNXPORT_RUNTIME_TRACE_LEAVING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/aliases.h"
#include "runtime/trace/functionalize/functionalizer.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/open_regions.h"
#include "runtime/trace/reader.h"
#include "runtime/trace/record/places.h"
#include "runtime/trace/record/recorder.h"
#include "runtime/trace/values.h"

namespace onnxport::trace {

struct Leaver {
  ir::Arg arg;                    // a present value, a host constant or None
  std::optional<ir::Value> type;  // of values and numbers
  bool failed = false;
  std::optional<Reason> poison;    // why it must not be used; nothing if it may be
  std::vector<ir::ValueId> bases;  // owners of memory that it may share
  bool row_major = false;          // a tensor that is known to be
  bool overlaps = false;           // elements of it may be one in memory
  // The tensors from outside that it may be; nothing if that is not known.
  std::optional<std::vector<functionalize::Identity>> identities = std::nullopt;
};

// Makes them, at the end of the innermost open region.
class Leaving {
 public:
  Leaving(record::Recorder* recorder, functionalize::Layouts* layouts, functionalize::Functionalizer* functionalizer,
          Values* values, Reader* reader, OpenRegions* open)
      : recorder_(*recorder),
        layouts_(*layouts),
        functionalizer_(*functionalizer),
        values_(*values),
        reader_(*reader),
        open_(*open) {}

  // The value of `arg` at this point.
  Leaver Leave(const ir::Arg& arg);
  // The same for a base, even if something may have written to it.
  Leaver LeaveBase(ir::ValueId base);
  // Finds the tensors from outside that `arg` may be.
  void FindIdentities(const ir::Arg& arg, Leaver* leaver);

 private:
  record::Recorder& recorder_;
  functionalize::Layouts& layouts_;
  functionalize::Functionalizer& functionalizer_;
  functionalize::Aliases& aliases_ = functionalizer_.aliases();
  Values& values_;
  Reader& reader_;
  OpenRegions& open_;
};

// Returns true if both are the same host constant.
bool SameConstant(const ir::Arg& a, const ir::Arg& b);

// Links results of an If or Loop that may be the same tensor, or one from before. After a write to one, it is an error
// to read the other. Make one Linker for each region; values with ids from `mark` on were made in it.
class Linker {
 public:
  Linker(functionalize::Aliases* aliases, size_t mark) : aliases_(*aliases), mark_(mark) {}
  void Link(ir::ValueId result, const std::vector<ir::ValueId>& bases);

 private:
  functionalize::Aliases& aliases_;
  size_t mark_;
  std::unordered_map<ir::ValueId, ir::ValueId> first_;  // base made in the region -> its first possible result
};

// Describes the construct that writes to a tensor, for messages: "an `if` (model.py:3)".
std::string Here(const record::Places& places, const char* what);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_LEAVING_H_
