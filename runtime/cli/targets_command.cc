#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "onnxport/operators.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {

int RunTargets(bool json) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& [name, title, opsets, source, date] : ListTargets()) {
    if (json) {
      rows.push_back({{"name", name},
                      {"title", title},
                      {"first_opset", opsets.first},
                      {"last_opset", opsets.last},
                      {"source", source},
                      {"date", date}});
    } else {
      const std::string range = fmt::format("{}-{}", opsets.first, opsets.last);
      Say(fmt::format("{:<9} {:<5} {}\n{:16}{}, {}\n", name, range, title, "", source, date));
    }
  }
  if (json) Say(rows.dump(2) + "\n");
  return 0;
}

}  // namespace onnxport::cli
