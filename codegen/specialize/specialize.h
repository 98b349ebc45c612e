// Specializes a spec for each opset and each overload: all build-time decisions are gone from the result.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZE_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

// `opset`, since and until stay as they are: what an entry says at all opsets.
inline constexpr int kAnyOpset = 0;

// An entry for one overload at one opset.
struct SpecializedEntry {
  // Its cases are those that can be taken: a null `when` is always true and ends the list. Lets and defs with a literal
  // or dict value are gone, put where they were used.
  Mapping mapping;
  std::vector<int> case_numbers;  // of mapping.cases, as written, from 1
  bool several_cases = false;     // as written: then each is an arm
  const ir::AtenSchema* schema = nullptr;
  int opset = kAnyOpset;
};

struct SpecializedOverload {
  const ir::AtenSchema* schema = nullptr;
  SpecializedEntry at_any;             // at kAnyOpset: what its function is written from
  std::map<int, SpecializedEntry> at;  // the opsets at which it has a case
};

struct SpecializedOp {
  OpEntry entry;                               // as written, but for words that are arguments
  std::vector<SpecializedOverload> overloads;  // of the names that an entry may claim
};

struct SpecializedSpec {
  std::string path;
  std::string family;
  std::vector<Import> imports;              // as of the file
  bool complete = true;                     // the same
  std::vector<Def> defs;                    // of the file, as written
  std::map<int, std::vector<Def>> defs_at;  // of each opset, kAnyOpset included, with what is given to them
  std::vector<SpecializedOp> ops;
};

// Why a call of a definition is refused before its `since`: "complex numbers need opset 13".
std::string RefusalBefore(const Def& def);

// For every entry, overload and opset from FirstOpset() to LastOpset(). The spec need not have been checked.
SpecializedSpec Specialize(SpecFile spec);

// 1. `opset`, since and until, and what follows from them through not/and/or/if, become literals.
// 2. An argument that the overload lacks becomes None.
// 3. `**dict` becomes the dict's items.
SpecializedEntry SpecializeEntry(const OpEntry& entry, const ir::AtenSchema& schema, int opset);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_SPECIALIZE_H_
