// Which overload a call of TorchScript means, and its arguments as the tracer takes them.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OVERLOADS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OVERLOADS_H_

#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {

struct ResolvedCall {
  const ir::AtenSchema* schema = nullptr;
  std::vector<ir::Arg> args;  // one for each argument of the schema
};

// Overloads are tried in LibTorch's order: first those that take the arguments as they are. Then come those with its
// implicit conversions (a tensor of one element or a bool as a number, a text as a device), last an int as a float.
// Dtypes, layouts and memory formats, which code has as ints, become ir::DType and ir::Word; a number for `int[2]` is
// repeated.
class Overloads {
 public:
  explicit Overloads(trace::Tracer* tracer) : tracer_(tracer) {}

  // Returns true if there are any of a name without overload: "aten::add".
  bool Has(const std::string& name) { return !CandidatesOf(name).empty(); }
  // The conversions of the chosen overload are calls of the tracer.
  // Else a text: the call, the kinds of its arguments, the candidates.
  std::variant<ResolvedCall, Reason> Resolve(const std::string& name, const ValueList& positional,
                                             const Keywords& keywords);

 private:
  using Candidates = std::vector<const ir::AtenSchema*>;

  const Candidates& CandidatesOf(const std::string& name);
  Reason Describe(const std::string& name, const ValueList& positional, const Keywords& keywords,
                  const Candidates& candidates) const;

  trace::Tracer* tracer_;
  std::unordered_map<std::string, Candidates> candidates_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_OPERATORS_OVERLOADS_H_
