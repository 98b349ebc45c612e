// The facts of ATen operators that the runtime needs besides their mapping: stated in spec/, one generated table.
// Facts that an operator's schema states (alias marks, result types, in-place twins) are not in it.
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

// How a result lies in the memory of the argument that it is a view of; spec key `alias`.
enum class Alias : int8_t {
  kUnknown,
  kSame,      // the argument's elements in its shape, as another tensor
  kItself,    // the same, perhaps the argument itself
  kReshaped,  // all elements in the same order
  kReversed,  // the axes in reverse order
  kSwapped,   // two axes exchanged: arguments 0 and 1
  kPermuted,  // the axes in the order of argument 0
  kRange,     // a part of axis 0, from 1 up to 2 in steps of 3; results may be several parts, one after another
  kElement,   // one index, argument 1, of axis 0, which is gone; or each
  kExpanded,  // elements may repeat
  kStrided,   // counted in memory
  kPlaced,    // elements of the argument, each once at most, where the call itself puts them
  kWindows,   // the same of windows of the argument, which may overlap: `step` apart, of `size` elements
  kMaybe,     // of a call with one tensor: perhaps, in a way that is not known; of others, a result is no view
};

// When a call that may return a view copies instead; spec key `copies`.
enum class Copies : int8_t {
  kNever,
  kStrides,     // when strides do not allow a view of the result's sizes
  kLayout,      // when the tensor is not in the memory format asked for
  kConversion,  // when the dtype or the memory format changes, or `copy` asks for it
  kTraining,    // when `train` is true and `p` is not 0
  kComplex,     // when the tensor is complex
};

// Memory of a result that is no view; spec key `layout`.
enum class Layout : int8_t {
  kUnstated,
  kContiguous,  // row-major, whatever the arguments are
  kAsInputs,    // row-major when all tensor arguments are
  kOther,
};

// The operator's effect on a tensor on a quantized grid; spec key `quantized`.
enum class Quantized : int8_t {
  kUnsupported,
  kKept,     // float values of the result are on the first input's grid by themselves
  kRounded,  // they are rounded to the first input's grid
  kGrid,     // they are rounded to a grid that the operator has
};

// An argument of a `Call`.
struct Operand {
  enum class Kind : int8_t {
    kBase,         // what the view was made of, as it is now
    kPart,         // the view's new value
    kOutput,       // the number of the view among the results of its call
    kNumber,       // `number`
    kArgument,     // argument a of the other call
    kSizes,        // the sizes of the base
    kInversePerm,  // the permutation that undoes argument a
    kEnd,          // argument a + argument b, positions on an axis; a may count from the end
    kPieceStart,   // what the results before this one have together on axis a; b: the size of most, or -1
    kPieceEnd,     // the same with this one
    kRowMajor,     // the strides of a row-major tensor of the sizes that argument a is
  };
  int8_t position;  // among the arguments of the operator that is called
  Kind kind;
  int8_t a = -1;
  int8_t b = -1;
  int64_t number = 0;
};

// A call in terms of another call. Arguments that it does not give have their defaults.
struct Call {
  std::string_view op;  // "aten::slice_scatter"; empty: the part itself
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
  std::array<int8_t, 4> axes = {-1, -1, -1, -1};  // positions of the arguments that `alias` names
  Copies copies = Copies::kNever;
  Layout layout = Layout::kUnstated;
  bool writes_nothing = false;  // its schema says that it writes, but contents and shapes stay
  int8_t writes_when = -1;      // its schema has no mark, but while this argument is true it writes: see `functional`
  Quantized quantized = Quantized::kUnsupported;
  Grid grid = {};                    // of Quantized::kGrid
  const Call* write_back = nullptr;  // the base after a write to the view; null: such a write cannot be followed
  const Call* read_one = nullptr;    // one result of several, made again; null: all are made again
  // Gives the results of the call, if it has any but the arguments that it writes to, and then their new values. The
  // arguments have the schema's names; those with `_out` where it has no marks. Null: found by name.
  const Call* functional = nullptr;
};

// Those of an overload; all unstated when the spec says nothing. Looked up once and kept with the operator.
const OpTraits& TraitsOf(const ir::Operator& op);

// The traits that all overloads of a base name ("aten::max") state: they agree, the generator checks it. kUnsupported
// when none are stated.
const OpTraits& QuantizedTraitsOf(std::string_view base_name);

// The traits that a set of operators states. An operator with traits in one table has none from the tables after it.
struct OpTraitsTable {
  std::string_view owner;
  std::span<const OpTraits> rows;  // sorted by `op`
};
using OpTraitsTables = LinkedTables<OpTraitsTable>;

}  // namespace onnxport::op_traits

#endif  // ONNXPORT_RUNTIME_ATEN_OP_TRAITS_H_
