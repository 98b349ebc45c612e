#include "runtime/api/options/lowering_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/operators.h"
#include "runtime/api/options/custom_nodes.h"
#include "runtime/api/options/target_options.h"
#include "runtime/base/error.h"
#include "runtime/base/nearest_name.h"
#include "runtime/lowering/types/node_schema.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/lowering/types/operator_forms.h"

namespace onnxport {
namespace {

void CheckDomain(const std::string& domain) {
  const std::set<std::string> known = lowering::DeclaredDomains();
  if (known.contains(domain)) return;
  throw Error(
      Code::kOpsetIsNotSupported,
      fmt::format("no operator of the domain `{}` is known here, only of {}; with a version, {}=1, it is one that "
                  "the model imports",
                  domain, fmt::join(known, ", "), domain));
}

// Suggests another opset or operator, for an operator that the opset does not have.
std::string WhatWouldDo(std::string_view op, int opset) {
  std::vector<std::string_view> names;
  for (const lowering::OperatorForm& form : lowering::OperatorForms()) {
    if (form.name == op && form.since > opset) return fmt::format(", but from opset {} on", form.since);
    names.push_back(form.name);
  }
  const std::string_view nearest = NearestName(op, names);
  return nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest);
}

// The last opset with an operator that is deprecated at this one.
int LastOpsetWith(const std::string& op, int opset) {
  while (opset > SupportedOpsets().first) {
    lowering::OpCatalog catalog(--opset);
    const lowering::OpInfo* info = catalog.Find(op);
    if (info != nullptr && !info->deprecated) return opset;
  }
  return 0;
}

void CheckKept(const std::string& op, int opset) {
  lowering::OpCatalog catalog(opset);
  const lowering::OpInfo* info = catalog.Find(op);
  if (info != nullptr && !info->deprecated) return;
  if (info != nullptr) {
    throw Error(Code::kOpsetIsNotSupported,
                fmt::format("<<keep>>: `{}` is deprecated at opset {}, so that no model can have it; it is an "
                            "operator up to opset {}",
                            op, opset, LastOpsetWith(op, opset)));
  }
  throw Error(Code::kOpsetIsNotSupported,
              fmt::format("<<keep>>: ONNX has no operator `{}` at opset {}{}", op, opset, WhatWouldDo(op, opset)));
}

}  // namespace

lowering::Options LoweringOptions(const ExportOptions& options) {
  for (const std::string& domain : options.domains) CheckDomain(domain);
  for (const std::string& op : options.keep) CheckKept(op, OpsetOf(options));
  return {.custom_nodes = ForLowering(options),
          .choices = {.training = options.training,
                      .domains = {options.domains.begin(), options.domains.end()},
                      .kept = {options.keep.begin(), options.keep.end()}}};
}

}  // namespace onnxport
