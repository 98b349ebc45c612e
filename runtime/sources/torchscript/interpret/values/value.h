// The value of a variable of the interpreted program. Values refer to each other only through pointers of MakeOwned.
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
#include "runtime/base/refusal.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/interpret/values/owned.h"
#include "runtime/sources/torchscript/interpret/values/text.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

struct Value;
// The memory budget counts the values of a program, because a loop may double a list again and again.
using ValueList = std::vector<Value, BudgetAllocator<Value>>;
using ValueMap = std::map<std::string, Value, std::less<>, BudgetAllocator<std::pair<const std::string, Value>>>;

struct None {};

// Says if LibTorch treats a tensor as a Python number (wrapped_numbers.h). It depends on the value's way here.
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

// A complex number of Python. It is only an operand of calls on tensors; nothing is computed with it alone.
struct Complex {
  double real = 0;
  double imaginary = 0;
};

// The positions of the keys of a large dict, by their hashes. A change through the heap drops it, and copies lack it.
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
  size_t compared = 0;  // keys compared so far without `positions`
};

// Mutable objects have identity, because variables share them. Only Heap makes and changes them, so that branches can
// be undone.
struct Cell {
  enum class Kind : uint8_t { kList, kDict, kObject };
  Kind kind = Kind::kList;
  uint64_t serial = 0;     // in the order of creation; of the heap
  ValueList keys;          // kDict, in the order of insertion
  mutable KeyIndex index;  // of `keys`
  ValueList items;         // kList: elements; kDict: values, beside `keys`
  // kDict whose keys and their order are known only at run time, beside `keys`: if it has the key, `true` or a Number.
  // Empty: it has all of them, in this order.
  ValueList present;
  ValueMap attributes;          // kObject
  const Class* type = nullptr;  // kObject; null for bound C++ classes
  std::string type_name;        // kObject: qualified name
  std::string path;             // kObject: "layer1.0", of modules
  Type element;                 // kList: from annotations; the name is empty if unknown
  // For a kList whose length is known only at run time; `items` is then empty. At most one of them is set.
  ir::ValueId sequence = ir::ValueId::kNone;  // an ONNX sequence of tensors
  ir::ValueId stacked =
      ir::ValueId::kNone;  // a tensor, elements on its first axis; `element`: Tensor, int, float, bool

  // For a kList inside the body of a loop, if not 0: the body only appends to it, so it becomes a scan output.
  uint64_t scan = 0;

  bool is_dynamic() const { return sequence != ir::ValueId::kNone || stacked != ir::ValueId::kNone; }
};
using CellPtr = std::shared_ptr<Cell>;

// Immutable. It has a class if it is a named tuple.
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

// A free function, or one that `def` inside a function made: its body sees `captured`.
struct FunctionValue {
  const Function* function = nullptr;
  const Stmt* closure = nullptr;
  std::shared_ptr<const ValueMap> captured;
};

// No value: to use it is the error `reason`. It comes from variables that only one branch sets, `uninitialized(T)`, and
// failed calls.
struct Missing {
  Reason reason = "";
  bool reported = false;  // the cause has been reported as a failure
  bool unset = false;     // `uninitialized(T)`: the program never uses it, so any value would do
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
