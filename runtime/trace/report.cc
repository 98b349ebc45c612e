#include "runtime/trace/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace onnxport::trace {
namespace {

constexpr size_t kSites = 5;  // shown of each group

struct Group {
  std::string op;
  std::string reason;
  std::vector<size_t> failures;
};

std::vector<Group> InGroups(const std::vector<Failure>& failures) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (size_t i = 0; i < failures.size(); ++i) {
    const Failure& failure = failures[i];
    const auto [found, is_new] = index.try_emplace({failure.op, failure.reason}, groups.size());
    if (is_new) groups.push_back({failure.op, failure.reason, {}});
    groups[found->second].failures.push_back(i);
  }
  return groups;
}

// "layer1.0  model.py:12  x = torch.roll(x, 1, 4)"; the call's own name where nothing else is known.
std::string Site(const ir::Location& location) {
  std::string text = location.module_path;
  const auto add = [&](const std::string& part) {
    if (!text.empty() && !part.empty()) text += "  ";
    text += part;
  };
  if (!location.file.empty()) {
    add(location.line ? fmt::format("{}:{}", location.file, location.line) : location.file);
  }
  add(location.code);
  if (text.empty()) text = location.op_name;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string Sites(const Group& group, const ir::Graph& source, const std::vector<Failure>& failures) {
  std::string out;
  std::vector<std::string> seen;
  size_t hidden = 0;
  for (const size_t i : group.failures) {
    std::string site = Site(source.location(failures[i].location));
    if (site.empty() || std::ranges::find(seen, site) != seen.end()) continue;
    if (seen.size() == kSites) {
      ++hidden;
      continue;
    }
    out += fmt::format("\n      {}", site);
    seen.push_back(std::move(site));
  }
  if (hidden) out += fmt::format("\n      and {} more places", hidden);
  return out;
}

// The lowest opset that takes every call of the group; 0 when there is none.
int WorksAt(const Group& group, const std::vector<int>& works_at) {
  int opset = 0;
  for (const size_t i : group.failures) {
    if (works_at[i] == 0) return 0;
    opset = std::max(opset, works_at[i]);
  }
  return opset;
}

}  // namespace

std::string FailureReport(const ir::Graph& source, const std::vector<Failure>& failures,
                          const std::vector<int>& works_at, int opset) {
  std::string out = fmt::format("the model cannot be exported at opset {}:", opset);
  for (const Group& group : InGroups(failures)) {
    const size_t count = group.failures.size();
    if (group.op.empty())
      out += fmt::format("\n  {}", group.reason);
    else
      out += fmt::format("\n  {} ({} {}): {}", group.op, count, count == 1 ? "call" : "calls", group.reason);
    if (const int later = WorksAt(group, works_at)) out += fmt::format("\n      opset {} can express it", later);
    out += Sites(group, source, failures);
  }
  return out;
}

}  // namespace onnxport::trace
