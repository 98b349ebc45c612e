// The models that a program takes which runs ONNX models: a profile of spec/targets, compiled in.
#ifndef ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_
#define ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_

#include <span>
#include <string_view>

#include "runtime/ir/dtype_set.h"

namespace onnxport::target {

// Dtypes that an operator takes where ONNX's schema has a type variable: `T: [float32, float16]`.
struct VariableDTypes {
  std::string_view variable;
  ir::DTypeSet dtypes;
};

// An operator from an opset on, until the next entry of its name.
struct Form {
  std::string_view op;
  int since = 0;
  bool present = true;                           // false: it is not there at these opsets
  std::span<const VariableDTypes> kinds = {};    // any dtypes of other variables
  std::span<const std::string_view> zeros = {};  // inputs whose elements all have to be 0
  std::span<const std::string_view> known = {};  // inputs that have to be known before the model runs
  std::span<const std::string_view> sized = {};  // inputs whose sizes have to be numbers
  ir::DTypeSet saturating = {};                  // in which results beyond the dtype are its limits
  bool own_windows = false;                      // a pool has more than ONNX's where ceil_mode is set
  bool whole_blocks = false;                     // the last block of an axis has to be a whole one
};

struct Target {
  std::string_view name;  // "ort-cpu"
  std::string_view title;
  std::string_view source;  // where it is known from
  std::string_view date;    // when that was looked at
  int first_opset = 0;
  int last_opset = 0;
  bool static_axes = false;          // it takes no free ones
  bool narrow_int64 = false;         // it computes int64 in 32 bits
  bool no_functions = false;         // it takes no functions of the model
  ir::DTypeSet dtypes = {};          // of all tensors; empty: any
  std::span<const Form> forms = {};  // sorted by name and opset; others are not there
};

// Sorted by name.
std::span<const Target> Targets();
// Null for an unknown name.
const Target* FindTarget(std::string_view name);

// The entry for an operator in models of the opset; null: it is not there.
const Form* FindForm(const Target& target, std::string_view op, int opset);

}  // namespace onnxport::target

#endif  // ONNXPORT_RUNTIME_MODEL_TARGET_TARGET_H_
