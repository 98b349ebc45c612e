// The schemas of operators, ONNX's own and those that specs declare, as plain data. Each is looked up once per operator
// and opset.
#ifndef ONNXPORT_RUNTIME_LOWERING_TYPES_OP_INFO_H_
#define ONNXPORT_RUNTIME_LOWERING_TYPES_OP_INFO_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/ir/dtype_set.h"
#include "runtime/ir/operator.h"

namespace onnxport::lowering {

// A type constraint: "T", or a concrete type used by a parameter ("tensor(int64)").
struct TypeVariable {
  std::string name;
  ir::DTypeSet allowed;    // tensors
  ir::DTypeSet sequences;  // sequences of tensors
  bool only_sequences() const { return allowed.empty() && !sequences.empty(); }
};

struct FormalParameter {
  std::string name;
  int variable = 0;  // index into OpInfo::variables
  bool optional = false;
  bool variadic = false;    // the last parameter, which takes all remaining inputs
  bool homogeneous = true;  // variadic: all inputs have one type
};

enum class AttributeKind { kInt, kFloat, kString, kTensor, kInts, kFloats, kStrings, kOther };

struct AttributeInfo {
  std::string name;
  AttributeKind kind = AttributeKind::kOther;
  bool required = false;
};

struct NodeSchema;

// For example, Add at opset 18 has version 14, inputs A and B and output C of the same variable T, and exactly two
// inputs.
struct OpInfo {
  ir::Operator name;  // "Relu", "com.microsoft.Gelu"
  int since = 0;      // the version of its domain (for ONNX's: the opset) that introduced this form
  bool deprecated = false;
  std::vector<FormalParameter> inputs;
  std::vector<FormalParameter> outputs;
  std::vector<TypeVariable> variables;
  std::vector<AttributeInfo> attributes;
  int min_inputs = 0;
  int max_inputs = 0;
  int min_outputs = 0;
  int max_outputs = 0;
  const void* schema = nullptr;          // onnx::OpSchema, for inference; null if a spec declares it
  const NodeSchema* declared = nullptr;  // set if a spec declares it

  // The parameter at a position; null past the last.
  const FormalParameter* input(size_t position) const;
  const FormalParameter* output(size_t position) const;
  const TypeVariable& VariableOf(const FormalParameter& parameter) const;
  const AttributeInfo* FindAttribute(std::string_view name) const;
  int FindInput(std::string_view name) const;  // its position; -1: none
};

// The operators of one opset. Not thread-safe.
class OpCatalog {
 public:
  explicit OpCatalog(int opset) : opset_(opset) {}
  int opset() const { return opset_; }

  // Null if this opset does not have the operator. In domains other than the default one, only operators that a spec
  // declares are known. The result lives for ever. Opsets with the same form share it.
  const OpInfo* Find(std::string_view op);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  const OpInfo* Look(std::string_view op) const;

  int opset_;
  std::unordered_map<std::string, const OpInfo*, Hash, std::equal_to<>> infos_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_TYPES_OP_INFO_H_
