// The functional form of a call that writes.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_

#include <cstddef>
#include <vector>

#include "runtime/aten/aten_schema.h"

namespace onnxport::functionalize {

// The twin takes the arguments `passed`, in order, and has defaults for others. Its first `results` results are those
// of the call, less the arguments that it writes to; the last are the new contents of the arguments `written`.
struct Twin {
  const ir::AtenSchema* schema = nullptr;
  size_t results = 0;
  std::vector<size_t> written;
  std::vector<size_t> passed;
  bool out = false;  // of an `out=` form: what is written to may be given another shape
};

// `relu_` -> `relu`, `__iand__` -> `__and__`, `add.out` -> `add.Tensor`: the overload of the plain name that takes the
// same arguments, or the one that the spec names (`functional`). `out` arguments are left out; a maker of tensors has
// their dtype instead. Null schema when there is none.
Twin FindTwin(const ir::AtenSchema& schema);

// Positions of the arguments that a call writes to though its schema has no mark, by the spec (`writes`): batch_norm in
// training mode, when it has statistics to update.
std::vector<size_t> UnmarkedWrites(const ir::AtenSchema& schema, const std::vector<ir::Arg>& inputs);
// Returns true if it writes to an argument, marked or not.
bool Writes(const ir::AtenSchema& schema, const std::vector<ir::Arg>& inputs);

// `add` has `add_`, `__and__` has `__iand__`.
bool HasInPlaceForm(const ir::AtenSchema& schema);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_TWINS_H_
