// What an entry says at one opset, for one overload: everything that is decided while building is gone.
#ifndef ONNXPORT_CODEGEN_CHECK_FOLD_H_
#define ONNXPORT_CODEGEN_CHECK_FOLD_H_

#include <set>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {

// `opset`, since and until stay as they are: what an entry says at all opsets.
inline constexpr int kAnyOpset = 0;

// What the target of an export offers besides its opset.
struct Target {
  int opset = kAnyOpset;
  std::set<std::string> domains;  // "com.microsoft"; decide `domain("...")`
};

struct FoldedEntry {
  // `entry` with folded expressions. Its cases are those that can be taken: a null `when` is always true and ends the
  // list. Lets and defs with a literal or dict value are gone, put where they were used.
  OpEntry entry;
  std::vector<int> case_numbers;  // of entry.cases, as written, from 1
  bool several_cases = false;     // as written: each is marked for coverage
  const ir::AtenSchema* schema = nullptr;
  Target target;
};

// 1. `opset`, `domain(...)`, since and until, and what follows from them through not/and/or/if, become literals.
// 2. An argument that the overload lacks becomes None.
// 3. `**dict` becomes the dict's items.
FoldedEntry FoldEntry(const OpEntry& entry, const ir::AtenSchema& schema, const Target& target);

// The same for a def of the file.
Def FoldDef(const Def& def, const Target& target);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_FOLD_H_
