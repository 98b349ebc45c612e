// The facts of ATen operators that the runtime needs besides their mapping. spec/ states them, and the generator makes
// one table of them. Facts that follow from an operator's schema (alias marks, result types, in-place twins) are not
// here.
#ifndef ONNXPORT_RUNTIME_ATEN_OP_TRAITS_H_
#define ONNXPORT_RUNTIME_ATEN_OP_TRAITS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/base/linked_tables.h"

namespace onnxport::ir {
class Operator;
}  // namespace onnxport::ir

namespace onnxport::op_traits {

// How a view's elements lie in the memory of its argument; spec key `alias`. A number is a position in OpTraits::axes.
enum class Alias : int8_t {
  kUnknown,
  kSame,      // the argument's elements in its shape, as a new tensor
  kItself,    // the same, or the argument itself
  kReshaped,  // all elements in the same order
  kReversed,  // the axes in reverse order
  kSwapped,   // two axes exchanged: axes 0 and 1, or the last two if these are unset
  kPermuted,  // the axes in the order that 0 lists
  kRange,     // a part of axis 0, from 1 up to 2 in steps of 3; several results follow each other on the axis
  kElement,   // index 1 of axis 0, which is removed; several results are one index each
  kExpanded,  // elements may repeat
  kStrided,   // the sizes and strides count in memory
  kPlaced,    // some of the argument's elements, none of them twice; only the call tells which
  kWindows,   // windows of `size` elements, `step` apart, which may overlap; otherwise like kPlaced
  kMaybe,     // if the call has one tensor, the result may be a view in an unknown way; otherwise it is none
};

// When an operator that returns views copies instead; spec key `copies`.
enum class Copies : int8_t {
  kNever,
  kStrides,     // if the strides allow no view with the result's sizes
  kLayout,      // if the tensor is not in the memory format that the call asks for
  kConversion,  // if the dtype or the memory format changes, or `copy` is true
  kTraining,    // if `train` is true and `p` is not 0
  kComplex,     // if the tensor is complex
};

// The memory layout of a result that is no view; spec key `layout`.
enum class Layout : int8_t {
  kUnstated,
  kContiguous,  // row-major, whatever the arguments are
  kAsInputs,    // row-major if all tensor arguments are
  kOther,
};

// The effect of the operator on a tensor on a quantized grid; spec key `quantized`.
enum class Quantized : int8_t {
  kUnsupported,
  kKept,     // the result's values are on the first input's grid without rounding
  kRounded,  // the values are rounded to the first input's grid
  kGrid,     // the values are rounded to the operator's own grid
};

// An argument of a `Call`.
struct Operand {
  enum class Kind : int8_t {
    kBase,         // the tensor that was viewed, with its current value
    kPart,         // the view's new value
    kOutput,       // the number of the view among the results of its call
    kNumber,       // `number`
    kArgument,     // argument a of the call that has these traits
    kSizes,        // the sizes of the base
    kInversePerm,  // the permutation that undoes argument a
    kEnd,          // argument a + argument b, positions on an axis; a may count from the end
    kPieceStart,   // where this result begins on axis a, if the results follow each other; b: the usual size, or -1
    kPieceEnd,     // where this result ends
    kRowMajor,     // the strides of a row-major tensor with the sizes in argument a
  };
  int8_t position;  // among the arguments of `Call::op`
  Kind kind;
  int8_t a = -1;
  int8_t b = -1;
  int64_t number = 0;
};

// A call whose operands come from another call. An argument that is not listed has its default.
struct Call {
  std::string_view op;  // "aten::slice_scatter"; empty: the result is the part itself
  std::span<const Operand> operands;
};

struct Grid {
  double scale = 0;
  int64_t quint8_zero_point = 0;
  int64_t qint8_zero_point = 0;
};

// Example: aten::select.int has alias kElement, axes {1, 2} (dim and index are its arguments 1 and 2), and write_back
// select_scatter(base, part, dim, index).
struct OpTraits {
  std::string_view op;  // "aten::slice.Tensor"
  Alias alias = Alias::kUnknown;
  std::array<int8_t, 4> axes = {-1, -1, -1, -1};  // positions of the arguments in the spec's `alias`, in its order
  Copies copies = Copies::kNever;
  Layout layout = Layout::kUnstated;
  bool writes_nothing = false;  // the schema has marks of writing, but contents and shapes stay the same
  int8_t writes_when = -1;  // the schema has no marks, but the call writes if this argument is true: see `functional`
  Quantized quantized = Quantized::kUnsupported;
  Grid grid = {};                    // for Quantized::kGrid
  const Call* write_back = nullptr;  // gives the base after a write to the view; null: such a write is refused
  const Call* read_one = nullptr;    // makes one of several results again; null: all are made again
  // Gives the results of the call, if it has others than the arguments that it writes to, and then the new values of
  // those arguments. An argument has the schema's name, and `_out` behind it if the schema has no marks. Null: found by
  // name.
  const Call* functional = nullptr;
};

// Returns the traits of an overload; all are unstated if the spec states none. The lookup happens once; the operator
// keeps the result.
const OpTraits& TraitsOf(const ir::Operator& op);

// Returns the traits that all overloads of a base name ("aten::max") state: the generator checks that they agree.
// Returns kUnsupported if they state none.
const OpTraits& QuantizedTraitsOf(std::string_view base_name);

// The traits that one set of operators states. If a table has a row for an operator, later tables do not matter.
struct OpTraitsTable {
  std::string_view owner;
  std::span<const OpTraits> rows;  // sorted by `op`
};
using OpTraitsTables = LinkedTables<OpTraitsTable>;

}  // namespace onnxport::op_traits

#endif  // ONNXPORT_RUNTIME_ATEN_OP_TRAITS_H_
