// One call of an operator, as the builtins see it, and the tables of builtins.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_CALL_SITE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_CALL_SITE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

// `requires_grad` of weights and of tensors on which `requires_grad_()` was called. It is both if tensors of the
// archive share memory and differ.
using RequiresGrad = std::map<ir::ValueId, std::set<bool>>;

struct CallSite {
  const Program* program;
  trace::Tracer* tracer;
  Heap* heap;
  RequiresGrad* requires_grad;
  Grids* grids;
  const std::string& op;
  ValueList& args;
  Keywords& keywords;

  size_t size() const { return args.size(); }
  const Value& At(size_t i) const;  // None when absent
  // Null if the argument has another type.
  template <typename T>
  const T* As(size_t i) const {
    return At(i).As<T>();
  }
  const Value* Keyword(std::string_view name) const;
  // Also null for a quantized tensor. Use it for operators that compute with elements: a quantized tensor needs another
  // operator, which is found when all rows have declined (CallOnGrid).
  const Tensor* FloatTensor(size_t i) const { return grids->Of(At(i)) == nullptr ? As<Tensor>(i) : nullptr; }

  // An argument that must be known at export: an int (a bool counts), an int with a default, a text, a truth value.
  int64_t Int(size_t i) const;
  int64_t Int(size_t i, int64_t absent) const;
  std::optional<int64_t> OptionalInt(size_t i) const;  // None: nothing
  const std::string& Text(size_t i) const;
  bool Bool(size_t i, bool absent) const;

  // The base name: "add" of "aten::add".
  std::string_view name() const { return std::string_view(op).substr(op.find("::") + 2); }

  // Throws if the tensor could not be computed, and reports why.
  void CheckUsable(ir::ValueId tensor) const;
  // Makes a call of the tracer with one result, which must not have failed.
  Value Run(const ir::Operator& run_op, std::vector<ir::Arg> run_args) const;
  // Makes a call of the tracer. Several results become a tuple; they may have failed.
  Value RunAll(const ir::Operator& run_op, std::vector<ir::Arg> run_args) const;
  // Computes a number or a bool known only at run time.
  Value Arithmetic(ir::Instruction instruction, std::initializer_list<Value> operands) const;
};

// A function that computes the call, or returns nothing if it does not handle these arguments. Then the next one is
// asked, and at last ATen's overloads.
using Builtin = std::optional<Value> (*)(const CallSite&);
struct BuiltinRow {
  std::string_view op;  // "aten::add"; "quantized::": the whole namespace, after operators with a row
  Builtin function;
  bool takes_keywords = false;
};

std::span<const BuiltinRow> ArithmeticBuiltins();
std::span<const BuiltinRow> ComparisonBuiltins();
std::span<const BuiltinRow> MathBuiltins();
std::span<const BuiltinRow> ExtremeBuiltins();
std::span<const BuiltinRow> ConversionBuiltins();
std::span<const BuiltinRow> ListBuiltins();
std::span<const BuiltinRow> WholeListBuiltins();
std::span<const BuiltinRow> DynamicListBuiltins();
std::span<const BuiltinRow> StackedListBuiltins();
std::span<const BuiltinRow> SearchBuiltins();
std::span<const BuiltinRow> DictBuiltins();
std::span<const BuiltinRow> FormattingBuiltins();
std::span<const BuiltinRow> StringBuiltins();
std::span<const BuiltinRow> LetterBuiltins();
std::span<const BuiltinRow> TensorBuiltins();
std::span<const BuiltinRow> TensorPairBuiltins();
std::span<const BuiltinRow> DTypeBuiltins();
std::span<const BuiltinRow> MakeTensorBuiltins();
std::span<const BuiltinRow> OtherBuiltins();
// Operators that are always refused.
std::span<const BuiltinRow> RefusedBuiltins();

// Two numbers; a dtype counts as its int.
struct Operands {
  Value a, b;
  bool is_known = false;
  bool has_float = false;  // one that is known
};
std::optional<Operands> NumberOperands(const CallSite& call);  // nothing when they are something else
int64_t IntOf(const Value& known_int_or_bool);

// Adds numbers that are known, or known only at run time. Other families of builtins need this, too.
Value AddNumbers(const CallSite& call, const Value& a, const Value& b);
Value LessNumbers(const CallSite& call, const Value& a, const Value& b);
// Throws Refusal (kRaised) if the result is no int64.
Value TruncatedInt(double value);
// Turns a tensor with one element into a Python number.
Value ItemOf(const CallSite& call, const Value& tensor);
// Makes a 0-d tensor from a number.
Value TensorOf(const CallSite& call, const Value& number, std::optional<ir::DType> dtype);
// Joins the numbers of an ONNX sequence in a 1-d tensor, and adds a 0 at the end: no ONNX operator can join the
// elements of an empty sequence.
ir::ValueId JoinNumbersAndZero(const CallSite& call, ir::ValueId sequence);
// The same, without the 0.
ir::ValueId JoinNumbers(const CallSite& call, ir::ValueId sequence);
// Makes one tensor from the numbers of a list whose length is known and not 0.
Value StackNumbers(const CallSite& call, const ValueList& items);
// The sizes of a tensor of that type. Throws Refusal if the rank is unknown.
const ir::Dims& DimsOf(const ir::Value& type);
// True if the elements of a list are no numbers. In sequences and stacks, numbers are 0-d tensors.
bool IsTensorElement(const Type& element);
// The size of an axis; negative axes count from the end.
Value SizeOf(const CallSite& call, const Value& tensor, int64_t axis);
// The limit for lists and texts that a program makes. No real model has longer ones.
inline constexpr size_t kMaxItems = size_t{1} << 20;
inline constexpr size_t kMaxTextBytes = size_t{1} << 20;
// Throws Refusal if there are more.
void CheckItems(size_t count);

// Returns the list, if its length is known; null for anything else.
const CellPtr* KnownList(const CallSite& call, size_t i = 0);
// The items of a tuple or a list of known length; null for anything else.
const ValueList* KnownItems(const Value& value);
Value NewListLike(const CallSite& call, ValueList items, const CellPtr& like);

inline constexpr std::string_view kBlanks = " \n\t\f\v\r";
inline bool IsText(const CallSite& call, size_t i = 0) { return call.As<std::string>(i) != nullptr; }
// Returns a text that must be known, because the operator reads it.
const std::string& KnownText(const CallSite& call, size_t i = 0);

// The type of a tensor, which must be usable; null for anything else.
const ir::Value* TypeOfTensor(const CallSite& call, size_t i = 0);

// -1 -> size - 1. Throws Refusal (kRaised) if it is out of range.
size_t ListIndex(int64_t index, size_t size);
// Python's `range(size)[start:end:step]`.
std::vector<size_t> SliceIndices(std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, size_t size);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_CALL_SITE_H_
