// The functional form of a call that writes.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_TWINS_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_TWINS_H_

#include <cstddef>
#include <vector>

#include "runtime/aten/aten_schema.h"

namespace onnxport::functionalize {

// Result i of `twin` is the new contents of argument written[i]; the twin takes the arguments `passed`, in order, and
// has defaults for others.
struct Twin {
  const ir::AtenSchema* schema = nullptr;
  std::vector<size_t> written;
  std::vector<size_t> passed;
};

// `relu_` -> `relu`, `__iand__` -> `__and__`, `add.out` -> `add.Tensor`: the overload of the plain name that takes the
// same arguments (less the `out` ones), or what the spec says (`functional`). Null schema when there is none.
Twin FindTwin(const ir::AtenSchema& schema);

// `add` has `add_`, `__and__` has `__iand__`.
bool HasInPlaceForm(const ir::AtenSchema& schema);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_TWINS_H_
