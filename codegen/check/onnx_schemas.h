// ONNX operator schemas of every opset, as plain data. Read in process from libonnx.
#ifndef ONNXPORT_CODEGEN_CHECK_ONNX_SCHEMAS_H_
#define ONNXPORT_CODEGEN_CHECK_ONNX_SCHEMAS_H_

#include <string>
#include <string_view>
#include <vector>

#include "codegen/check/dtypes.h"

namespace onnxport::codegen {

struct OnnxParameter {
  std::string name;
  bool optional = false;
  bool variadic = false;
  bool same_types = true;  // of a variadic one: all have one type
  bool tensor = true;      // false: sequences, optionals or maps only
  std::string type;        // a type variable ("T") or a type ("tensor(int64)")
  DTypes dtypes;           // what the type stands for
};

enum class OnnxAttributeType { kInt, kInts, kFloat, kFloats, kString, kStrings, kTensor, kOther };

struct OnnxAttribute {
  std::string name;
  OnnxAttributeType type = OnnxAttributeType::kOther;
  bool required = false;
};

struct OnnxSchema {
  std::string name;
  int since = 0;
  bool deprecated = false;
  std::vector<OnnxParameter> inputs;
  std::vector<OnnxParameter> outputs;
  std::vector<OnnxAttribute> attributes;  // sorted by name
  int min_inputs = 0;
  int max_inputs = 0;
  int min_outputs = 0;
  int max_outputs = 0;

  const OnnxAttribute* FindAttribute(std::string_view attribute) const;
  int FindInput(std::string_view input) const;  // -1: none
  // The parameter at a position, variadic ones included; null beyond the last.
  const OnnxParameter* InputAt(size_t position) const;
  const OnnxParameter* OutputAt(size_t position) const;
};

// "a float", "a list of ints" ...: for messages.
std::string_view Name(OnnxAttributeType type);

// First and last opset that the project writes: 7 and the newest that libonnx knows.
int FirstOpset();
int LastOpset();

// The schema in force at an opset. `op` is "Relu" or "com.microsoft.Gelu". Null when there is none (yet).
// Lives for ever.
const OnnxSchema* FindOnnxSchema(std::string_view op, int opset);

// All versions of an operator, oldest first; empty for an unknown name.
std::vector<const OnnxSchema*> OnnxVersions(std::string_view op);

// Names of the operators of the default domain, sorted.
const std::vector<std::string_view>& OnnxOperators();

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_ONNX_SCHEMAS_H_
