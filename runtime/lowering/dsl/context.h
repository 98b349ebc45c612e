// The interface of generated functions: the arguments of a call, and functions that emit ONNX nodes. No torch, no
// protobuf.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_CONTEXT_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_CONTEXT_H_

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/function_ref.h"
#include "runtime/lowering/build/compute_in.h"
#include "runtime/lowering/build/val.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::lowering {

class Emitter;  // graph under construction, schema look-up, type inference: runtime/lowering/build/emitter.h

// One input position, or a list whose elements take one position each (`*list`).
struct Input {
  Input(const Val& value) : value(value) {}
  Input(Val&& value) : value(std::move(value)) {}
  Input(Val list, bool splat) : value(std::move(list)), splat(splat) {}
  template <typename T>
    requires std::convertible_to<T, Val>
  Input(T value) : value(Val(std::move(value))) {}
  Val value;
  bool splat = false;
};
inline Input Splat(Val list) { return Input(std::move(list), true); }

// An argument of a node by its name in the ONNX operator schema of the target opset. It is an attribute or an input.
struct Named {
  const char* name;
  Val value;  // None: left out
};

using Inputs = std::vector<Input>;
using NamedArgs = std::vector<Named>;

enum class PromoteKind { kDefault, kFloat, kBool };

// There is one per lowered call. Each function is a construct of the spec language with the same name.
class Context {
 public:
  Context(Emitter* emitter, Vals args);
  ~Context();
  Context(const Context&) = delete;

  // The argument at a position of the ATen schema; None if this overload lacks it.
  Val arg(size_t position) const { return position < args_.size() ? args_[position] : Val(); }
  const Vals& args() const { return args_; }
  // The first n arguments.
  template <size_t n>
  std::array<Val, n> args() const {
    return [this]<size_t... i>(std::index_sequence<i...>) {
      return std::array<Val, n>{arg(i)...};
    }(std::make_index_sequence<n>());
  }
  int opset() const;
  Emitter& emitter() { return *emitter_; }

  // Emits a node of ONNX operator `op` ("Relu", "com.microsoft.Gelu") and returns its first output. Inputs are given by
  // position, or among the named arguments.
  //
  // - A host value in an input position becomes a constant. Its dtype is the one that the schema's type variable has
  //   from the other inputs, else the only one the schema allows there, else one by kind (int64, float32, bool).
  // - None is an absent optional input; absent ones at the end are dropped.
  // - A list with unknown sizes in it becomes a Concat.
  // - Attribute values are converted to the attribute's type.
  // - Result types come from the schema's inference.
  Val op(std::string_view op, const Inputs& inputs, const NamedArgs& named = {});
  // The same for arguments in braces. There are ten thousand such calls, and this one makes no vector at each of them.
  Val op(std::string_view op, std::initializer_list<Input> inputs, std::initializer_list<Named> named = {});
  // The same with `outputs` results.
  Val ops(std::string_view op, const Inputs& inputs, const NamedArgs& named, const Val& outputs);

  // ONNX If. Both functions are called, each in a block of its own. Both must return as many results, with equal dtypes
  // in pairs. If the condition is a host value, only that side is called, and there is no If node.
  Vals if_op(const Val& condition, FunctionRef<Vals()> then, FunctionRef<Vals()> otherwise);
  // ONNX Loop. trip_count: int, 0-d int64 tensor or None (then only `go_on` decides). go_on (may be empty) computes a
  // bool from the carried values. It is called before the first iteration (outside) and at the end of each (inside,
  // with the next values). Results: the carried values after the loop, then the scans. A value that is None before the
  // loop stays None and is not carried. If the number of rounds is small and known, the loop is unrolled.
  struct LoopStep {
    Vals next;
    Vals scans;
  };
  Vals loop(const Val& trip_count, const Vals& carried, FunctionRef<Val(const Vals& carried)> go_on,
            FunctionRef<LoopStep(const Val& i, const Vals& carried)> body);
  // For a host list: the list of f of each element. For a sequence: a sequence, made by a Loop (from opset 13 on).
  Val map(const Val& list, FunctionRef<Val(const Val&)> f);

  // Applies PyTorch's type promotion: tensors with dimensions decide before 0-d tensors and numbers. Casts every value
  // in place; None stays. kFloat: integers and bools become float32. kBool: the dtype in which two operands are
  // compared. Source: c10/core/ScalarType.h, aten/src/ATen/native/TypeProperties.cpp `result_type`.
  void promote(std::initializer_list<Val*> values, PromoteKind kind);

  // Holds until the next call of it, or the end of the function.
  void compute_in(const ComputeIn& dtypes);

  // ---- builtins whose arguments may have no tensor from which to find the graph
  Val constant(const Val& value, const Val& like);            // `const(...)`: a tensor of like's dtype, 0-d or 1-d
  Val shape_tensor(const Val& list);                          // a 1-d int64 tensor of ints and unknown sizes
  bool statically_true(FunctionRef<bool()> condition);        // by stated facts; false if known only at run time
  std::optional<bool> stated(FunctionRef<bool()> condition);  // the same; nothing if known only at run time
  // Returns true if a comparison can be decided, perhaps by assuming that free sizes are neither 0 nor 1.
  bool decided(FunctionRef<bool()> condition);
  // States the sizes of a tensor where they are open: a list of ints and sizes. Where one is no size that is known, or
  // the list itself is refused, nothing is said. Throws Refusal if a number contradicts one that is known.
  Val sized(const Val& tensor, FunctionRef<Val()> sizes);
  // The choices of the export's caller (build/choices.h).
  bool has_domain(const Val& name) const;
  bool keeps_training() const;
  bool keeps(const Val& name) const;
  // A `let` that only some branch uses.
  template <typename Compute>
  Lazy<Compute> lazy(const Compute& compute) {
    return {emitter_, compute};
  }

  // Argument refinements. `name` is the argument's, for messages.
  Val axis(const char* name, const Val& value, const Val& tensor);       // counted from the front; rank 0 counts as 1
  Val axis_list(const char* name, const Val& value, const Val& tensor);  // None and an int are taken too (None stays)

 private:
  // `loop` with a None among the carried values.
  Vals loop_of_present(const Val& trip_count, const Vals& carried, FunctionRef<Val(const Vals& carried)> go_on,
                       FunctionRef<LoopStep(const Val& i, const Vals& carried)> body);
  Vals rounds_in_line(int64_t count, const Vals& carried,
                      FunctionRef<LoopStep(const Val& i, const Vals& carried)> body);

  Emitter* emitter_;
  Vals args_;
  ComputeIn outer_;  // the setting when this context was made
};

// Argument refinements that only check the value.
void must(const char* name, const Val& value, const Val& expected);  // throws Refusal unless they are equal
Val one_of(const char* name, const Val& value, std::initializer_list<std::pair<Val, Val>> table);  // enum({..})

// `require: condition`
void require(bool condition, const char* text);
// Refuses a call that matches no case. `conditions` has those of each.
[[noreturn]] void no_case(std::initializer_list<const char*> conditions);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_CONTEXT_H_
