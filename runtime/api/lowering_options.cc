#include "runtime/api/lowering_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

#include "runtime/api/custom_nodes.h"
#include "runtime/base/error.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport {
namespace {

void CheckDomain(const std::string& domain) {
  const std::set<std::string> known = lowering::DeclaredDomains();
  if (known.contains(domain)) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("no operator of the domain `{}` is known here, only of {}; with a version, {}=1, it is one that "
                  "the model imports",
                  domain, fmt::join(known, ", "), domain));
}

}  // namespace

lowering::Options LoweringOptions(const ExportOptions& options) {
  for (const std::string& domain : options.domains) CheckDomain(domain);
  return {.custom_nodes = ForLowering(options.custom_nodes),
          .choices = {.training = options.training, .domains = {options.domains.begin(), options.domains.end()}}};
}

}  // namespace onnxport
