// Operators that the spec language cannot say. Named by `hook:` entries of the specs.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_

#include "runtime/lowering/dsl/context.h"

namespace onnxport::lowering::hooks {

// The number of indices depends on a dtype: a bool mask of rank r stands for r of them; None is a full slice.
// aten::index.Tensor(Tensor self, Tensor?[] indices)
Vals index(Context& context);

// aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False)
Vals index_put(Context& context);

// No expression says if a value is a weight or a constant, and only then the bytes are known. Then there is a weight
// with the same bytes; another tensor is refused. aten::view.dtype(Tensor self, ScalarType dtype)
Vals view_weight(Context& context);

// onnx_symbolic::_symbolic, _symbolic_multi_out: the program says itself which node it means, and of what type its
// results are (torch.onnx.ops.symbolic of PyTorch 2.14). Name, domain and attributes are data of the call.
Vals symbolic(Context& context);
Vals symbolic_multi_out(Context& context);

}  // namespace onnxport::lowering::hooks

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_HOOKS_H_
