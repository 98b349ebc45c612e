// ATen operator schemas as data, parsed from the canonical text of LibTorch's registry. The generator uses them to
// check specs, and the runtime to read defaults and alias marks. So both agree.
#ifndef ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_H_
#define ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/ir/operator.h"

namespace onnxport::ir {

enum class AtenKind : uint8_t {
  kTensor,
  kInt,
  kSymInt,
  kFloat,
  kBool,
  kString,
  kScalar,
  kScalarType,
  kDevice,
  kLayout,
  kMemoryFormat,
  kGenerator,
  kOther,
};

// `Tensor(a!)?`, `int[2]`, `SymInt[]`, `Tensor?[]`, `Tensor(a)[]` ...
struct AtenType {
  AtenKind kind = AtenKind::kOther;
  bool optional = false;  // all of it: `int[]?`, `Tensor?`
  bool list = false;
  bool optional_elements = false;  // `Tensor?[]`
  std::optional<int> list_size;    // `int[2]`
  std::string alias;               // "a" for `Tensor(a!)`; "a -> *" and "*" as written; empty without a mark
  bool written = false;            // `!`
  std::string text;                // as written, without default and name
};

struct AtenArgument {
  std::string name;
  AtenType type;
  bool keyword_only = false;
  std::optional<Arg> default_value;  // parsed: None, bool, int, float, string, list, DType, Word
};

struct AtenSchema {
  Operator name;  // "aten::add.Tensor": namespace, base name, overload
  std::vector<AtenArgument> arguments;
  std::vector<AtenArgument> results;  // names may be empty
  std::string text;

  std::string base_name() const;                  // "aten::add"
  std::string overload() const;                   // "Tensor"; empty for the default overload
  int FindArgument(std::string_view name) const;  // -1 when absent
  bool mutates() const;                           // some argument is written
  bool returns_alias() const;                     // some result views an argument
};

// Returns nothing for a text that is no schema, with the reason in *error.
std::optional<AtenSchema> ParseAtenSchema(std::string_view text, std::string* error);

// Looks in the registry that was compiled in (spec/aten_schemas.txt) and in those of users' operators. Returns null for
// an unknown operator and for an instruction. The schema is parsed on first use and kept with the operator. The lookup
// is thread-safe and takes no lock.
const AtenSchema* FindAtenSchema(const Operator& op);

// Returns the origin of the registry: "LibTorch 2.14.1".
std::string_view AtenSchemasOrigin();

// Returns all overloads of a base name ("aten::add"), sorted; none for an unknown name.
std::vector<std::string_view> OverloadsOf(std::string_view base_name);

// Returns the same overloads in the order in which TorchScript tries them, LibTorch's order of registration.
std::vector<std::string_view> OverloadsInOrder(std::string_view base_name);

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_ATEN_ATEN_SCHEMA_H_
