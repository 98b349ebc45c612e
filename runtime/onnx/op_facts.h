// The facts of each ONNX operator, one row for each. Lowering and passes read these instead of comparing operator
// names, so a fact that holds for `Add` and `Max` is stated for both.
//
// The rows are in rows_*.h, grouped by form. ONNX's own schemas define types, attributes, and the inputs at each opset
// (lowering/types/op_info.h). The namespace is not `onnx`, as that is libonnx's.
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

// Operators differ in form only as far as some code needs it.
enum class Form : uint8_t {
  kOther,
  // The only result has an element at each place that follows from the elements of the broadcast inputs at that place.
  kElementwise,
  // The result has the elements of the first input, in order, in another shape: a runtime copies nothing.
  kView,
  // Reduces the axes that `axes` names (absent: all). With `keepdims` they stay as 1.
  kReduction,
  // A window slides over the axes of the first input from the third on. Input 1, the weight, has the sizes of the
  // window.
  kConvolution,
  // The same, with the sizes in the attribute `kernel_shape`.
  kPool,
};

struct Call;         // evaluate_call.h
struct ElementCall;  // evaluate_call.h
struct KnownTensor;  // known_tensor.h

// Computes the only result from known inputs. Returns nothing if runtimes differ (evaluate.h).
struct Evaluation {
  using Function = std::optional<KnownTensor> (*)(const Call& call);
  // Fills the elements of the result, not yet wrapped to the dtype, and returns the dtype; kUndefined for no result.
  using Elements = ir::DType (*)(const ElementCall& call);
  Elements integers = nullptr;  // integers and bools, if the operator is elementwise
  Function floats = nullptr;    // if an input or the result is a float
  Function any = nullptr;       // for any dtype
  // Like `integers`, for an operator on bits. Only EvaluateElements uses it; tensors are not folded with it. A program
  // unpacks numbers with such operators, and the packed numbers are smaller.
  Elements bits = nullptr;
};

// How an operator computes on complex tensors, which are tensors of real and imaginary parts: real[..., 2].
// lowering/build/complex.cc makes the nodes.
enum class ComplexForm : uint8_t {
  kNone,
  kSame,         // works on both parts in the same way
  kShape,        // input 1 is a shape, which gets the axis of the parts
  kRepeats,      // input 1 tells how often each axis is repeated
  kOrder,        // reorders axes
  kAxis,         // one axis, which must count from the front, as the parts have the last one
  kAxes,         // the same for the axes that input 1 lists
  kNewAxes,      // the same for the axes that it adds
  kReducedAxes,  // the same; without a list, all axes but that of the parts
  kSlicedAxes,   // the same for the axes that input 3 lists
  kCondition,    // input 0, a condition, gets an axis
  kSizes,        // reads all sizes but the last
  kProduct,
  kQuotient,
  kMagnitude,
  kExponential,
};

// A row may leave out facts. Then nothing is known, and callers do without. So a row with only a name is right for any
// operator, and more facts make better models. The exception is `random`: if an operator draws numbers and its row does
// not say so, equal nodes would be merged.
struct OpFacts {
  std::string_view op;  // "Add"
  Form form = Form::kOther;
  // Throws Refusal for attributes that ONNX's inference does not check. Left out: inference checks them.
  void (*grammar)(const NodeView& node) = nullptr;
  // Fills sizes of the results that ONNX's inference leaves open. Left out: none follow. Elementwise operators leave it
  // out, as they broadcast.
  void (*sizes)(const NodeView& node, InferredTypes* types) = nullptr;
  // Throws Refusal if sizes of the inputs do not fit, or if they fit only for one size of an axis that must stay free.
  // Left out: all sizes pass that inference accepts. Elementwise operators leave it out here, too.
  void (*fit)(const NodeView& node) = nullptr;
  // Computes the elements of the only result from those of the inputs, if it has integers and at most one axis. Left
  // out: unknown.
  std::optional<ir::Dims> (*contents)(const NodeView& node) = nullptr;
  // Left out: computed at run time, even if all inputs are known.
  Evaluation evaluate = {};
  // Returns true if the first result equals the first input. Left out: never.
  bool (*is_noop)(const NodeView& node) = nullptr;
  // A second operand that changes nothing; also a first one, if the operator commutes. Holds for integers. Left out:
  // none.
  std::optional<int64_t> neutral = {};
  // The operands may change places.
  bool commutes = false;
  // Applied twice, it gives back its operand.
  bool undoes_itself = false;
  // Equal inputs give different results each time.
  bool random = false;
  // At some opset, inference gives results symbols that are wrong. All of them are dropped before `sizes` is called.
  bool states_wrong_symbols = false;
  // Left out: the operator takes no complex numbers.
  ComplexForm complex = ComplexForm::kNone;
  // The attributes that hold its blocks, in the order of ir::Node::blocks. Left out: none.
  std::span<const std::string_view> blocks = {};
};

// Returns the row of an operator of ONNX's own domain. Any other name, for example "com.microsoft.Gelu", gets a row
// without a name and without facts.
const OpFacts& Find(std::string_view op);

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_OP_FACTS_H_
