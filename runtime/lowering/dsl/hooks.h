// Operators that the spec language cannot express. Entries of specs name them with `hook:`.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering::hooks {

// The number of indices depends on a dtype: a bool mask of rank r stands for r index tensors, and None is a full slice.
// aten::index.Tensor(Tensor self, Tensor?[] indices)
Vals index(Context& context);

// aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False)
Vals index_put(Context& context);

// The spec language cannot ask if a value is a weight or constant. Only their bytes are known, and a view of them is a
// weight with the same bytes. Other tensors are refused. aten::view.dtype(Tensor self, ScalarType dtype)
Vals view_weight(Context& context);

// onnx_symbolic::_symbolic, _symbolic_multi_out: the program itself names the node and the types of its results
// (torch.onnx.ops.symbolic of PyTorch 2.14). Name, domain and attributes are arguments of the call.
Vals symbolic(Context& context);
Vals symbolic_multi_out(Context& context);

}  // namespace onnxport::lowering::hooks

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_
