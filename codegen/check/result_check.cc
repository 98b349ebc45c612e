// The results that an entry names, against those of its overloads.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/check/entry_check.h"
#include "codegen/model/result_names.h"

namespace onnxport::codegen {
namespace {

// `emit: [y, none]`, which says less than `emit: {values: y}`. It checks only a None that is written there. A name may
// become None, such as an argument that one overload lacks; then the result is refused where the model uses it.
void CheckPresent(const Body& body, const ir::AtenSchema& schema, Diagnostics* diagnostics) {
  const auto none = [](const ExprPtr& value) { return value->kind == ExprKind::kNone; };
  const auto missing = std::ranges::find_if(body.emit, none);
  if (missing == body.emit.end()) return;
  const auto given = static_cast<size_t>(std::ranges::find_if_not(body.emit, none) - body.emit.begin());
  const bool named = body.names.empty() && given < schema.results.size();
  const std::string advice =
      named ? fmt::format("; name those that there are: `emit: {{{}: ...}}`", ResultName(schema, given)) : "";
  diagnostics->Error((*missing)->place, "None is no result" + advice);
}

void CheckNamed(const Body& body, const ir::AtenSchema& schema, Diagnostics* diagnostics) {
  const std::vector<std::string> names = ResultNames(schema);
  if (names.size() == 1)
    return diagnostics->Error(body.names[0].place, fmt::format("{} has one result, which needs no name", schema.name));
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const NamedResult& result : body.names)
    if (std::ranges::find(names, result.name) == names.end())
      diagnostics->Error(result.place,
                         fmt::format("{} has no result `{}`{} (results: {})", schema.name, result.name.substr(0, 80),
                                     DidYouMean(result.name, known), fmt::join(names, ", ")));
  // Both branches of the node give them all.
  if (body.kind == Body::Kind::kIf && body.names.size() < names.size())
    diagnostics->Error(body.place,
                       fmt::format("{} has {} results, here are {}", schema.name, names.size(), body.names.size()));
}

}  // namespace

void CheckResults(const OpEntry& entry, const Schemas& schemas, Diagnostics* diagnostics) {
  for (const Case& item : entry.cases) {
    const Body& body = item.body;
    if (body.kind != Body::Kind::kEmit && body.kind != Body::Kind::kIf) continue;
    CheckPresent(body, *schemas[0], diagnostics);
    if (!body.names.empty())
      for (const ir::AtenSchema* schema : schemas) CheckNamed(body, *schema, diagnostics);
  }
}

}  // namespace onnxport::codegen
