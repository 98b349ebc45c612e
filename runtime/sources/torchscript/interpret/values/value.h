// The value of a variable of the interpreted program. Values hold each other through pointers of MakeOwned only.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/interpret/values/owned.h"
#include "runtime/sources/torchscript/interpret/values/text.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

struct Value;
// The values that a program makes are counted: it may double a list in a loop.
using ValueList = std::vector<Value, BudgetAllocator<Value>>;
using ValueMap = std::map<std::string, Value, std::less<>, BudgetAllocator<std::pair<const std::string, Value>>>;

struct None {};

// Says if LibTorch takes a tensor for a Python number (wrapped_numbers.h): depends on how the value came here.
enum class Wraps : uint8_t { kNo, kYes, kMaybe };

// A tensor of the tracer, or a quantized one: `id` is then its dequantized value.
struct Tensor {
  ir::ValueId id = ir::ValueId::kNone;
  Wraps wraps = Wraps::kNo;
};

// An int, float or bool known only at run time; its kind is the tracer's (kInt, kFloat, kBool).
struct Number {
  ir::ValueId id = ir::ValueId::kNone;
};

// A complex number of Python; an operand of calls on tensors, nothing is computed with it alone.
struct Complex {
  double real = 0;
  double imaginary = 0;
};

// Where a large dict has its keys, by their hashes. A change through the heap drops it, and no copy has it.
struct KeyIndex {
  using Positions = std::multimap<size_t, size_t, std::less<>, BudgetAllocator<std::pair<const size_t, size_t>>>;

  KeyIndex() = default;
  KeyIndex(const KeyIndex&) {}
  KeyIndex(KeyIndex&&) = default;
  KeyIndex& operator=(const KeyIndex& other) {
    if (this != &other) *this = KeyIndex();
    return *this;
  }
  KeyIndex& operator=(KeyIndex&&) = default;

  std::unique_ptr<Positions> positions;
  size_t compared = 0;  // keys that were looked through without `positions`
};

// Mutable objects have identity: variables share them. Made and changed through Heap only, so that branches can be
// undone.
struct Cell {
  enum class Kind : uint8_t { kList, kDict, kObject };
  Kind kind = Kind::kList;
  uint64_t serial = 0;          // in the order of creation; of the heap
  ValueList keys;               // kDict, in insertion order
  mutable KeyIndex index;       // of `keys`
  ValueList items;              // kList: elements; kDict: values, beside `keys`
  ValueMap attributes;          // kObject
  const Class* type = nullptr;  // kObject; null for bound C++ classes
  std::string type_name;        // kObject: qualified name
  std::string path;             // kObject: "layer1.0", of modules
  Type element;                 // kList: as annotated; name empty when unknown
  // kList whose length is known only at run time; `items` is empty then. At most one of them is set.
  ir::ValueId sequence = ir::ValueId::kNone;  // an ONNX sequence of tensors
  ir::ValueId stacked =
      ir::ValueId::kNone;  // a tensor, elements on its first axis; `element`: Tensor, int, float, bool

  // kList inside the body of a loop, not 0: one that the body may only append to; it becomes a scan output.
  uint64_t scan = 0;

  bool is_dynamic() const { return sequence != ir::ValueId::kNone || stacked != ir::ValueId::kNone; }
};
using CellPtr = std::shared_ptr<Cell>;

// Immutable. A named tuple has its class.
struct TupleValue {
  ValueList items;
  const Class* type = nullptr;
};
using TuplePtr = std::shared_ptr<const TupleValue>;

struct EnumValue {
  const Class* type = nullptr;
  std::string name;
  std::shared_ptr<const Value> value;
};

// A free function, or what `def` inside a function made: its body sees `captured`.
struct FunctionValue {
  const Function* function = nullptr;
  const Stmt* closure = nullptr;
  std::shared_ptr<const ValueMap> captured;
};

// No value: using it is the error `reason`. From variables that only one branch sets, `uninitialized(T)`, failed calls.
struct Missing {
  std::string reason;
  bool reported = false;  // the cause is among the failures already
  bool unset = false;     // `uninitialized(T)`: the program never uses it, any value would do
};

struct Value {
  std::variant<None, bool, int64_t, double, Text, ir::DType, ir::Word, Tensor, Number, Complex, CellPtr, TuplePtr,
               EnumValue, FunctionValue, Missing>
      v;

  template <typename T>
  const T* As() const {
    if constexpr (std::is_same_v<T, std::string>) {
      const Text* text = std::get_if<Text>(&v);
      return text == nullptr ? nullptr : &text->get();
    } else {
      return std::get_if<T>(&v);
    }
  }
  bool is_none() const { return std::holds_alternative<None>(v); }
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_VALUE_H_
