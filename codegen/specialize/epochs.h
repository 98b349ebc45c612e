// Runs of opsets at which an overload is the same.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_EPOCHS_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_EPOCHS_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

// A range of opsets that tests try one by one.
struct Epoch {
  int since = 0;
  // ONNX operator -> since_version of the schema in force, of every node that the entry can make; 0 for an operator
  // without a schema. The nodes of `+`, `cast` and other builtins are not counted: the runtime writes them at every
  // opset.
  std::map<std::string, int> versions;
  std::string meaning;  // what the entry says, with `opset` decided

  bool IsLike(const Epoch& other) const { return versions == other.versions && meaning == other.meaning; }
};

// The epoch that the opset of `entry` is in, as if it began there. `reachable`: its expressions.
Epoch EpochOf(const SpecializedEntry& entry, const std::vector<ExprPtr>& reachable);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_EPOCHS_H_
