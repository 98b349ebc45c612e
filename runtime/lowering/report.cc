#include "runtime/lowering/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace onnxport::lowering {
namespace {

constexpr size_t kSites = 5;  // shown of each group

struct Group {
  std::string op;
  std::string reason;
  std::vector<size_t> nodes;
};

std::vector<Group> GroupFailures(const ir::Graph& aten, const std::vector<Failure>& failures) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (const Failure& failure : failures) {
    const bool is_call = failure.node < aten.body.nodes.size();
    const std::string op = is_call ? aten.body.nodes[failure.node].op : std::string();
    const auto [found, is_new] = index.try_emplace({op, failure.reason}, groups.size());
    if (is_new) groups.push_back({op, failure.reason, {}});
    groups[found->second].nodes.push_back(failure.node);
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

std::string Sites(const ir::Graph& aten, const std::vector<size_t>& nodes) {
  std::string out;
  std::vector<std::string> seen;
  size_t hidden = 0;
  for (const size_t node : nodes) {
    if (node >= aten.body.nodes.size()) continue;
    std::string site = Site(aten.location(aten.body.nodes[node].location));
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

}  // namespace

std::string FailureReport(const ir::Graph& aten, const std::vector<Failure>& failures, int opset,
                          const std::function<int(size_t node)>& works_at) {
  const std::vector<Group> groups = GroupFailures(aten, failures);
  std::string out = fmt::format("the model cannot be exported at opset {}:", opset);
  for (const Group& group : groups) {
    const size_t count = group.nodes.size();
    if (group.op.empty()) {
      out += fmt::format("\n  {}", group.reason);
      continue;
    }
    out += fmt::format("\n  {} ({} {}): {}", group.op, count, count == 1 ? "call" : "calls", group.reason);
    int opset_for_all = 0;
    for (const size_t node : group.nodes) {
      const int works = works_at(node);
      opset_for_all = works == 0 ? -1 : opset_for_all < 0 ? -1 : std::max(opset_for_all, works);
    }
    if (opset_for_all > 0) out += fmt::format("\n      opset {} can express it", opset_for_all);
    out += Sites(aten, group.nodes);
  }
  return out;
}

}  // namespace onnxport::lowering
