#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "onnxport/operators.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

// "aten::add", "add.Tensor" and "add" all match "aten::add.Tensor", as does the name itself.
bool Matches(std::string_view wanted, std::string_view name) {
  if (wanted.empty()) return true;
  const size_t colons = name.find("::");
  if (wanted.find("::") == std::string_view::npos && colons != std::string_view::npos) name.remove_prefix(colons + 2);
  return wanted == name || wanted == name.substr(0, name.find('.'));
}

void Print(const OperatorSupport& row, size_t width) {
  const auto [first, last] = row.opsets;
  const std::string opsets = first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  const std::string refusal = row.refusal.empty() ? "" : fmt::format("  refused: {}", row.refusal);
  SayLine(fmt::format("{:<{}}  {:<6} {}{}", row.name, width, opsets, row.spec, refusal));
}

int PrintKept(const OpsArguments& arguments) {
  std::vector<KeptOperator> rows = ListKeptOperators();
  std::erase_if(rows, [&](const KeptOperator& row) { return arguments.opset && row.since > *arguments.opset; });
  if (arguments.json) {
    Say(ToJson(rows));
    return 0;
  }
  for (const auto& [name, since, in_place_of] : rows)
    SayLine(fmt::format("{:<20} from opset {:<3} in place of {}", name, since, in_place_of));
  return 0;
}

int FailUsage(const std::string& text) { return Fail(Report(ErrorKind::kUsage, text)); }

}  // namespace

int RunOps(const OpsArguments& arguments) {
  const auto& [name, opset, kept, json] = arguments;
  const OpsetRange range = SupportedOpsets();
  if (opset && (*opset < range.first || *opset > range.last)) {
    return FailUsage(fmt::format("opset {} is not supported; {} to {} are", *opset, range.first, range.last));
  }
  if (kept) return PrintKept(arguments);
  const std::vector<OperatorSupport> operators = ListOperators();
  std::vector<OperatorSupport> rows;
  size_t width = 0;
  // There are two reasons to print nothing. An unknown operator is a usage error. An operator that this opset lacks is
  // a valid answer.
  bool known = false;
  for (const OperatorSupport& row : operators) {
    if (!Matches(name, row.name)) continue;
    known = true;
    if (opset && (*opset < row.opsets.first || *opset > row.opsets.last)) continue;
    rows.push_back(row);
    width = std::max(width, row.name.size());
  }
  if (!known) {
    const std::vector<std::string_view> nearest = NearestOperators(name, operators);
    const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, ", "));
    return FailUsage(fmt::format("no operator `{}` is supported{}", name, hint));
  }
  if (rows.empty()) TellLine(fmt::format("exporter: note: `{}` is supported, but not at opset {}", name, *opset));
  if (json) {
    Say(ToJson(rows));
    return 0;
  }
  for (const OperatorSupport& row : rows) Print(row, width);
  return 0;
}

}  // namespace onnxport::cli
