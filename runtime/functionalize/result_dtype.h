// The element type that the functional form of a writing call has.
#ifndef ONNXPORT_RUNTIME_FUNCTIONALIZE_RESULT_DTYPE_H_
#define ONNXPORT_RUNTIME_FUNCTIONALIZE_RESULT_DTYPE_H_

#include <string_view>

#include "runtime/ir/aten_schema.h"
#include "runtime/ir/graph.h"

namespace onnxport::functionalize {

struct ResultDType {
  bool cast = false;                        // the result must be cast to what is written to
  ir::DType dtype = ir::DType::kUndefined;  // before the cast; undefined when not known
};

// `half.add_(float)` stays half where `half.add(float)` is float; `x.gt_(y)` keeps x's type where `gt` is bool.
// `node` is the writing call, `twin` its functional form, `target` the type of what it writes to.
ResultDType TwinDType(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, std::string_view twin,
                      ir::DType target);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_FUNCTIONALIZE_RESULT_DTYPE_H_
