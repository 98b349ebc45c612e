// Chooses the overload for a call of TorchScript, and converts its arguments for the tracer.
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

// Overloads are tried in LibTorch's order. First come those that take the arguments unchanged. Then come those with
// implicit conversions (a tensor of one element or a bool as a number, a text as a device), and last an int as a float.
// Dtypes, layouts and memory formats are ints in the code and become ir::DType and ir::Word. A number for `int[2]` is
// repeated.
class Overloads {
 public:
  explicit Overloads(trace::Tracer* tracer) : tracer_(tracer) {}

  // Returns true if the name, without overload, has any: "aten::add".
  bool Has(const std::string& name) { return !CandidatesOf(name).empty(); }
  // Conversions for the chosen overload are calls of the tracer. If there is none, the result is a text with the call,
  // the kinds of its arguments, and the candidates.
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
