#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "onnxport/operators.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

constexpr size_t kMostSuggestions = 5;

// Edits that turn one text into the other (Levenshtein).
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// "aten::add.Tensor" -> "aten::add"
std::string_view BaseName(std::string_view name) { return name.substr(0, name.find('.')); }

std::string_view WithoutNamespace(std::string_view name) {
  const size_t colons = name.find("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

bool Matches(std::string_view wanted, std::string_view name) {
  if (wanted.empty()) return true;
  if (wanted.find("::") == std::string_view::npos) name = WithoutNamespace(name);
  return wanted == name || wanted == BaseName(name);
}

// At most this many edits away, the nearest first.
std::vector<std::string_view> Nearest(std::string_view wanted, const std::vector<OperatorSupport>& operators) {
  wanted = WithoutNamespace(wanted);
  const size_t most = wanted.size() / 3 + 1;
  std::set<std::pair<size_t, std::string_view>> found;
  for (const OperatorSupport& row : operators) {
    const std::string_view name = WithoutNamespace(row.name);
    const size_t distance = std::min(Distance(wanted, BaseName(name)), Distance(wanted, name));
    if (distance <= most) found.emplace(distance, BaseName(row.name));
  }
  std::vector<std::string_view> names;
  for (const auto& [distance, name] : found) {
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (is_new && names.size() < kMostSuggestions) names.push_back(name);
  }
  return names;
}

void Print(const OperatorSupport& row, size_t width) {
  const auto [first, last] = row.opsets;
  const std::string opsets = first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  const std::string refusal = row.refusal.empty() ? "" : fmt::format("  refused: {}", row.refusal);
  Say(fmt::format("{:<{}}  {:<6} {}{}\n", row.name, width, opsets, row.spec, refusal));
}

// A line for each.
void PrintJson(const std::vector<const OperatorSupport*>& rows) {
  std::string_view before = "[\n";
  for (const OperatorSupport* row : rows) {
    nlohmann::ordered_json entry = {
        {"name", row->name}, {"first_opset", row->opsets.first}, {"last_opset", row->opsets.last}, {"spec", row->spec}};
    if (!row->refusal.empty()) entry["refusal"] = row->refusal;
    Say(fmt::format("{}{}", before, entry.dump()));
    before = ",\n";
  }
  Say(rows.empty() ? "[]\n" : "\n]\n");
}

int FailUsage(std::string text) { return Fail(Report(ErrorKind::kUsage, std::move(text))); }

}  // namespace

int RunOps(const OpsArguments& arguments) {
  const auto& [name, opset, json] = arguments;
  const OpsetRange range = SupportedOpsets();
  if (opset && (*opset < range.first || *opset > range.last)) {
    return FailUsage(fmt::format("opset {} is not supported; {} to {} are", *opset, range.first, range.last));
  }
  const std::vector<OperatorSupport> operators = ListOperators();
  std::vector<const OperatorSupport*> rows;
  size_t width = 0;
  bool known = false;
  for (const OperatorSupport& row : operators) {
    if (!Matches(name, row.name)) continue;
    known = true;
    if (opset && (*opset < row.opsets.first || *opset > row.opsets.last)) continue;
    rows.push_back(&row);
    width = std::max(width, row.name.size());
  }
  if (!known) {
    const std::vector<std::string_view> nearest = Nearest(name, operators);
    const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(nearest, ", "));
    return FailUsage(fmt::format("no operator `{}` is supported{}", name, hint));
  }
  if (rows.empty()) Tell(fmt::format("exporter: note: `{}` is supported, but not at opset {}\n", name, *opset));
  if (json) PrintJson(rows);
  for (const OperatorSupport* row : rows) {
    if (!json) Print(*row, width);
  }
  return 0;
}

}  // namespace onnxport::cli
