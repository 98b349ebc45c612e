// The facts of each operator of ONNX, one row for each. Lowering and passes ask here instead of comparing operators by
// name, so a fact that holds for `Add` and `Max` is stated for both.
//
// The rows are in rows_*.h, by form. Types, attributes and which inputs there are at which opset are not here: ONNX's
// own schemas say that (lowering/types/op_info.h). The namespace is not `onnx`, as that is libonnx's.
#ifndef ONNXPORT_RUNTIME_ONNX_OP_FACTS_H_
#define ONNXPORT_RUNTIME_ONNX_OP_FACTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/ir/dim.h"
#include "runtime/ir/dtype.h"
#include "runtime/onnx/inferred_type.h"
#include "runtime/onnx/node_view.h"

namespace onnxport::onnx_ops {

// Told apart as far as somebody asks.
enum class Form : uint8_t {
  kOther,
  // The one result has at each place what follows from what the inputs, broadcast to one another, have there.
  kElementwise,
  // The elements of the first input, in their order, in another shape: a runtime copies nothing.
  kView,
  // Over the axes that `axes` names (absent: all), which stay as 1 with `keepdims`.
  kReduction,
  // A window slides over the axes of the first input from the third on; its sizes are those of input 1, the weight.
  kConvolution,
  // The same, with its sizes in the attribute `kernel_shape`.
  kPool,
};

struct Call;         // evaluate_call.h
struct ElementCall;  // evaluate_call.h
struct KnownTensor;  // known_tensor.h

// Computes the only result of known inputs, or says nothing where runtimes differ (evaluate.h).
struct Evaluation {
  using Function = std::optional<KnownTensor> (*)(const Call& call);
  // Fills elements of the result, which need not be what the dtype holds, and returns the dtype; kUndefined: nothing.
  using Elements = ir::DType (*)(const ElementCall& call);
  Elements integers = nullptr;  // and bools, of an elementwise operator
  Function floats = nullptr;    // where an input or the result is one
  Function any = nullptr;       // whatever the dtype
  // As `integers`, of an operator on bits, which is not computed of whole tensors (EvaluateElements alone): a program
  // takes packed numbers apart with it, and they are smaller packed.
  Elements bits = nullptr;
};

// The form of an operator on complex tensors, which are tensors of their parts: real[..., 2]. lowering/build/complex.cc
// makes the nodes.
enum class ComplexForm : uint8_t {
  kNone,
  kSame,         // it does the same to both parts
  kShape,        // input 1 is a shape, which gets the axis of the parts
  kRepeats,      // input 1 says how often each axis is repeated
  kOrder,        // of axes
  kAxis,         // counted from the front, as there is one more at the end
  kAxes,         // the same of those that input 1 lists
  kNewAxes,      // the same of those that it adds
  kReducedAxes,  // the same, and all but that of the parts where none are listed
  kSlicedAxes,   // the same of those that input 3 lists
  kCondition,    // input 0 gets an axis
  kSizes,        // reads them, but for the last
  kProduct,
  kQuotient,
  kMagnitude,
  kExponential,
};

// A row states facts, or leaves them out: then nothing is known, and callers go without. So a row with a name alone is
// right for any operator, and more facts make better models. The exception is `random`: an operator that draws numbers
// and does not say so would be merged with its like.
struct OpFacts {
  std::string_view op;  // "Add"
  Form form = Form::kOther;
  // Throws Refusal for attributes that ONNX's inference takes on trust. Left out: it looks at them itself.
  void (*grammar)(const NodeView& node) = nullptr;
  // Fills sizes of the results that ONNX's inference leaves open. Left out: none follow.
  // An elementwise operator leaves it out, as it broadcasts.
  void (*sizes)(const NodeView& node, InferredTypes* types) = nullptr;
  // Throws Refusal where sizes of the inputs do not fit each other, or fit for one size only of an axis that is to stay
  // free. Left out: any sizes are taken for fitting that inference takes. Again, elementwise ones leave it out.
  void (*fit)(const NodeView& node) = nullptr;
  // The elements of the only result, if it has integers and at most one axis, of those of the inputs. Left out:
  // unknown.
  std::optional<ir::Dims> (*contents)(const NodeView& node) = nullptr;
  // Left out: computed when the model runs, even if all inputs are known.
  Evaluation evaluate = {};
  // Returns true if the first result is the first input. Left out: never.
  bool (*is_noop)(const NodeView& node) = nullptr;
  // Integers that it does not change as its second operand; as its first, too, if it commutes. Left out: none.
  std::optional<int64_t> neutral = {};
  // Its operands may change places.
  bool commutes = false;
  // Done twice, it changes nothing.
  bool undoes_itself = false;
  // Equal inputs give other results each time.
  bool random = false;
  // Inference of some opset states symbols of results that they do not have. All of them are dropped before `sizes`.
  bool states_wrong_symbols = false;
  // Left out: no form for complex numbers.
  ComplexForm complex = ComplexForm::kNone;
  // The attributes that hold its blocks, in the order of ir::Node::blocks. Left out: it has none.
  std::span<const std::string_view> blocks = {};
};

// The row of an operator of ONNX's own domain. For any other name, as "com.microsoft.Gelu", one without a name in which
// everything is left out.
const OpFacts& Find(std::string_view op);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_OP_FACTS_H_
