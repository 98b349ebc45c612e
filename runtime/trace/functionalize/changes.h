// Changes to the tensors of a program within a block, stored so that they can be undone and redone.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_CHANGES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_CHANGES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

// A storage that may be another one.
struct Link {
  int other = 0;
  // kNone: nobody knows when. Else `mine`, of this storage, and `theirs`, of the other, are one tensor where this bool
  // is `when`, and share nothing where it is not.
  ir::ValueId condition = ir::ValueId::kNone;
  bool when = false;
  ir::ValueId mine = ir::ValueId::kNone;
  ir::ValueId theirs = ir::ValueId::kNone;
};

struct Change {
  enum class Kind : uint8_t {
    kValue,     // of `tensor`: value and version
    kName,      // the tensor that object `tensor` stands for: `value`
    kVersion,   // of storage `storage`
    kDoubtful,  // of storage `storage`
    kMaybe,     // `storage` was given `link`
  };
  Kind kind = Kind::kValue;
  ir::ValueId tensor = ir::ValueId::kNone;
  ir::ValueId value = ir::ValueId::kNone;
  int version = 0;
  int storage = 0;
  Link link = {};
  std::string doubtful;
};

struct Changes {
  std::vector<Change> all;  // in the order in which they were made
  struct Write {
    ir::ValueId base;
    ir::ValueId value;  // at the end
  };
  std::vector<Write> writes;
  // Bases that must not be read any more, and why.
  std::vector<std::pair<ir::ValueId, std::string>> doubts;
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_CHANGES_H_
