#include "runtime/ir/name_values.h"

#include <string>
#include <vector>

#include "runtime/base/unique_names.h"

namespace onnxport::ir {

void NameValues(Graph* graph) {
  UniqueNames names;
  std::vector<bool> named(graph->values.size(), false);
  const auto assign = [&](ValueId id, const std::string& name) {
    if (named[static_cast<size_t>(id)]) return;
    named[static_cast<size_t>(id)] = true;
    graph->value(id).name = names.Take(name);
  };
  // Inputs first, then weights, because users know these by name. A later value with a used name gets another name.
  for (const Port& input : graph->inputs) assign(*input.value.value(), input.name);
  for (const Weight& weight : graph->weights) assign(weight.value, weight.name);
  for (size_t i = 0; i < graph->values.size(); ++i) {
    if (!named[i]) graph->values[i].name = names.Take(graph->values[i].name);
  }
}

}  // namespace onnxport::ir
