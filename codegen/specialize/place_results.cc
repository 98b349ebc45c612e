#include "codegen/specialize/place_results.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codegen/model/result_names.h"
#include "codegen/specialize/literals.h"

namespace onnxport::codegen {

void PlaceResults(const ir::AtenSchema& schema, Body* body) {
  if (body->names.empty()) return;
  const bool branches = body->kind == Body::Kind::kIf;
  const std::vector<ExprPtr> given = std::move(body->emit);
  body->emit.clear();
  if (branches) body->emit.push_back(given[0]);
  // Handles `emit`, or first `then` and afterwards `else`.
  for (size_t begin = branches ? 1 : 0; begin < given.size(); begin += body->names.size())
    for (const std::string& name : ResultNames(schema)) {
      const auto found = std::ranges::find(body->names, name, &NamedResult::name);
      const auto at = begin + static_cast<size_t>(found - body->names.begin());
      body->emit.push_back(found == body->names.end() ? NoneLiteral(body->place) : given[at]);
    }
  body->names.clear();
}

}  // namespace onnxport::codegen
