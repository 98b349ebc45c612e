// Finds the functional form of a call that writes.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_

#include <cstddef>
#include <vector>

#include "runtime/aten/aten_schema.h"

namespace onnxport::functionalize {

// The twin takes the arguments `passed`, in order, and defaults for others. Its first `results` results are those of
// the call without the arguments that the call writes to. The last ones are the new contents of the arguments
// `written`.
struct Twin {
  const ir::AtenSchema* schema = nullptr;
  size_t results = 0;
  std::vector<size_t> written;
  std::vector<size_t> passed;
  bool out = false;  // the call has the `out=` form, which may change the shape of its target
};

// `relu_` -> `relu`, `__iand__` -> `__and__`, `add.out` -> `add.Tensor`. The twin is the overload of the plain name
// that takes the same arguments, or the one that the spec names (`functional`). `out` arguments are left out. An
// operator that creates tensors gets their dtype instead. The schema is null if there is none.
Twin FindTwin(const ir::AtenSchema& schema);

// Positions of the arguments that a call writes to though its schema does not mark them. The spec states them
// (`writes`): batch_norm in training mode updates its statistics.
std::vector<size_t> UnmarkedWrites(const ir::AtenSchema& schema, const std::vector<ir::Arg>& inputs);
// Returns true if the call writes to an argument, marked or not.
bool Writes(const ir::AtenSchema& schema, const std::vector<ir::Arg>& inputs);

// Returns true for `add`, which has `add_`, and for `__and__`, which has `__iand__`.
bool HasInPlaceForm(const ir::AtenSchema& schema);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_
