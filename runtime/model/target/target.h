// Describes the models that a runtime can run: a profile of spec/targets, compiled in.
#ifndef ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_
#define ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_

#include <span>
#include <string_view>

#include "runtime/ir/dtype_set.h"

namespace onnxport::target {

// Dtypes that the runtime's operator takes for a type variable of ONNX's schema: `T: [float32, float16]`.
struct VariableDTypes {
  std::string_view variable;
  ir::DTypeSet dtypes;
};

// An operator from an opset on, until the next entry with its name.
struct Form {
  std::string_view op;
  int since = 0;
  bool present = true;                           // false: the operator is missing at these opsets
  std::span<const VariableDTypes> kinds = {};    // other variables may have any dtypes
  std::span<const std::string_view> zeros = {};  // inputs whose elements must all be 0
  std::span<const std::string_view> known = {};  // inputs that must be known before the model runs
  std::span<const std::string_view> sized = {};  // inputs whose sizes must be numbers
  ir::DTypeSet saturating = {};                  // dtypes in which results beyond the range become its limits
  bool own_windows = false;                      // with ceil_mode, a pool has more windows than in ONNX
  bool whole_blocks = false;                     // the last block of an axis must be complete
};

struct Target {
  std::string_view name;  // "ort-cpu"
  std::string_view title;
  std::string_view source;  // the source of the facts
  std::string_view date;    // the date of the facts
  int first_opset = 0;
  int last_opset = 0;
  bool static_axes = false;          // it does not support free axes
  bool narrow_int64 = false;         // it computes int64 in 32 bits
  bool no_functions = false;         // it does not support functions of the model
  ir::DTypeSet dtypes = {};          // of all tensors; empty: any
  std::span<const Form> forms = {};  // sorted by name and opset; other operators are missing
};

// Sorted by name.
std::span<const Target> Targets();
// Null for an unknown name.
const Target* FindTarget(std::string_view name);

// The entry for an operator in models of the opset; null if it is missing.
const Form* FindForm(const Target& target, std::string_view op, int opset);

}  // namespace onnxport::target

#endif  // ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_
