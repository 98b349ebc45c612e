// The traits that spec files state, checked against the schemas of their operators.
#ifndef ONNXPORT_CODEGEN_TRAITS_RESOLVE_H_
#define ONNXPORT_CODEGEN_TRAITS_RESOLVE_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "runtime/aten/op_traits.h"

namespace onnxport::codegen {

struct ResolvedCall {
  std::string op;  // empty: the part itself
  std::vector<op_traits::Operand> operands;
};

// The traits of one overload. In `traits`, `op` and the calls are not set.
struct ResolvedTraits {
  std::string op;
  op_traits::OpTraits traits;
  std::optional<ResolvedCall> write_back;
  std::optional<ResolvedCall> read_one;
  std::optional<ResolvedCall> functional;
  bool overrides = false;  // what onnxport's own specs state
  Place place;
};

// Overloads of which something is stated, in the file's order. Mistakes are reported.
std::vector<ResolvedTraits> ResolveTraits(const SpecFile& spec, Diagnostics* diagnostics);

// Reports traits that files state twice for one operator, or differently for two overloads. `base`: the traits of the
// set that these extend and may override.
void CheckTraitClaims(std::vector<ResolvedTraits> traits, Diagnostics* diagnostics,
                      std::vector<ResolvedTraits> base = {});

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TRAITS_RESOLVE_H_
