// The only intermediate representation: ATen calls before lowering, ONNX nodes after it.
#ifndef ONNXPORT_RUNTIME_IR_GRAPH_H_
#define ONNXPORT_RUNTIME_IR_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/base/rare.h"
#include "runtime/ir/dim.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/node_name.h"
#include "runtime/ir/operator.h"
#include "runtime/ir/value_id.h"
#include "runtime/ir/value_ids.h"
#include "runtime/ir/word.h"

namespace onnxport::ir {

// The location of a node: an index into Graph::locations, or kNone if it is unknown.
enum class LocationId : int32_t { kNone = -1 };

struct Location;  // location.h

// Receives bytes piece by piece. A piece is valid only during the call.
using ByteSink = std::function<void(std::span<const std::byte>)>;

// The bytes of a tensor in a file or in memory. They are read when they are written to the model, and never kept.
class TensorBytes {
 public:
  virtual ~TensorBytes() = default;
  // Calls `sink` with consecutive pieces of the tensor's bytes: row-major, little-endian. Throws onnxport::Error
  // (kBadInput) if the source is damaged (checksum). Exceptions of `sink` pass through.
  virtual void Stream(const ByteSink& sink) const = 0;
  // Streams bytes [begin, begin + size). This default implementation streams all bytes and drops the others.
  virtual void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const;
  // True if StreamRange reads only the range.
  virtual bool has_ranges() const { return false; }
  // Tensors with the same storage share memory in the source program. The pointer is only compared.
  virtual const void* storage() const { return this; }
  // Only the tensor's type is known: Stream throws Error (kCannotExport).
  virtual bool absent() const { return false; }
};

// Returns all bytes; for small tensors.
std::string BytesOf(const TensorBytes& bytes);

// A tensor with contents. `bytes` is shared: tied weights point to one object.
struct TensorData {
  DType dtype = DType::kUndefined;
  std::vector<int64_t> shape;
  std::shared_ptr<const TensorBytes> bytes;
};

struct None {
  friend bool operator==(None, None) { return true; }
};

struct Arg;
using ArgList = std::vector<Arg>;

// An argument, an attribute or an output: a host value or a value of the graph.
struct Arg {
  using Variant = std::variant<None, bool, int64_t, double, std::string, DType, Word, ValueId, ArgList,
                               std::shared_ptr<const TensorData>>;
  Variant v;

  bool is_none() const { return std::holds_alternative<None>(v); }
  const ValueId* value() const { return std::get_if<ValueId>(&v); }
  const ArgList* list() const { return std::get_if<ArgList>(&v); }
};

enum class ValueKind : uint8_t {
  kTensor,
  kInt,       // SymInt of the source; in an ONNX graph it is a 0-d int64 tensor (kTensor)
  kFloat,     // SymFloat
  kBool,      // SymBool
  kSequence,  // an ONNX sequence of tensors of dtype and dims (the elements'; its length is known only at run time)
};

// Returns true for kinds that are not numbers. They can be written to, may share memory, and have an ONNX dtype.
constexpr bool HoldsTensors(ValueKind kind) { return kind == ValueKind::kTensor || kind == ValueKind::kSequence; }

struct Value {
  std::string name;  // unique within the graph; naming rules: runtime/model/passes/finish/naming.h
  ValueKind kind = ValueKind::kTensor;
  DType dtype = DType::kUndefined;
  std::optional<Dims> dims;  // nothing: rank unknown. kInt/kFloat/kBool: empty
  Rare<Dims> contents;       // elements of a 0-d or 1-d integer tensor (or of a kInt) that are known
  Rare<Dims> strides;        // of the source program, in elements; not used in ONNX graphs
};

struct Node;

// A list of nodes with inputs and outputs: the body of a graph, or of an If or Loop.
struct Block {
  std::vector<ValueId> inputs;
  std::vector<Node> nodes;   // in execution order
  std::vector<Arg> outputs;  // usually ValueIds; a host constant or None is allowed before lowering
};

struct Attribute {
  std::string name;
  Arg value;
};

struct Node {
  Operator op;              // "aten::add.Tensor" or an instruction before lowering; "Relu", "com.microsoft.Gelu" after
  std::vector<Arg> inputs;  // before lowering: one per schema argument, defaults filled in; after: ValueIds or None
  // The attributes of an ONNX node. For a call without a schema: the names of `inputs`, with no values.
  RareList<Attribute> attributes;
  ValueIds outputs;  // kNone: unused optional output (ONNX) or a None result (ATen)
  RareList<Block> blocks;
  LocationId location = LocationId::kNone;
  NodeName name;  // set by the naming pass, in ONNX graphs only
};

// A named input or output, as the user sees it: "input", "past.0.key" (dots for nested containers).
struct Port {
  std::string name;
  Arg value;  // inputs: a ValueId. Outputs: a ValueId; or a constant (number, None) of the source program
};

struct Weight {
  ValueId value;
  std::string name;  // state_dict name ("layer1.0.conv1.weight") or the constant's name
  std::shared_ptr<const TensorData> data;
  bool constant = false;  // a constant in the program's code, not in the state_dict
};

// Immutable, because the graphs of one program share them.
using Locations = std::vector<std::shared_ptr<const Location>>;

struct Graph {
  // A deque: a reference to a value stays valid while values are added. A vector would move them.
  std::deque<Value> values;
  Locations locations;
  Block body;  // body.inputs: the user inputs, in the order of `inputs`
  std::vector<Port> inputs;
  std::vector<Port> outputs;    // order of body.outputs
  std::vector<Weight> weights;  // parameters, buffers, constants
  Ranges ranges;                // of the symbols in dims
  int opset = 0;                // 0 before lowering
  // Stated versions of operator domains other than ONNX's. A domain is imported only if a node uses it.
  std::map<std::string, int> domains;

  ValueId AddValue(Value value);
  // The id that the next AddValue returns.
  ValueId next_value() const { return static_cast<ValueId>(values.size()); }
  Value& value(ValueId id) { return values[static_cast<size_t>(id)]; }
  const Value& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  LocationId AddLocation(Location location);
  const Location& location(LocationId id) const;  // an empty one for kNone
};

// Tensor data held in memory, little-endian.
std::shared_ptr<const TensorData> MakeTensor(DType dtype, std::vector<int64_t> shape, std::string bytes);

// A tensor without elements. `why` is the error when somebody reads them.
std::shared_ptr<const TensorData> MakeAbsent(DType dtype, std::vector<int64_t> shape, const void* storage,
                                             std::string why);

// The graph as text, one node a line, for `inspect`, golden files and debugging. The format is stable.
std::string ToText(const Graph& graph);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_GRAPH_H_
