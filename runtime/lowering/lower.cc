#include "runtime/lowering/lower.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "runtime/ir/error.h"
#include "runtime/lowering/attempt.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/report.h"

namespace onnxport::lowering {
namespace {

// For each failed call the lowest later opset that takes it.
std::map<size_t, int> LaterOpsets(const ir::Graph& aten, const std::vector<Failure>& failures, int opset) {
  std::map<size_t, int> found;
  std::set<size_t> open;
  for (const Failure& failure : failures) open.insert(failure.node);
  for (int later = opset + 1; later <= SupportedOpsets().last && !open.empty(); ++later) {
    std::set<size_t> still;
    for (const Failure& failure : TryLower(aten, later).failures) still.insert(failure.node);
    for (const size_t node : open) {
      if (!still.contains(node)) found[node] = later;
    }
    std::erase_if(open, [&](size_t node) { return !still.contains(node); });
  }
  return found;
}

}  // namespace

ir::Graph Lower(const ir::Graph& aten, const LowerOptions& options, std::vector<std::string>* remarks) {
  const OpsetRange range = SupportedOpsets();
  if (options.opset < range.first || options.opset > range.last) {
    throw Error(ErrorKind::kUsage,
                fmt::format("opset {} is not supported; {} to {} are", options.opset, range.first, range.last));
  }
  Attempt attempt = TryLower(aten, options.opset);
  if (attempt.failures.empty()) {
    if (remarks) remarks->insert(remarks->end(), attempt.remarks.begin(), attempt.remarks.end());
    return std::move(attempt.graph);
  }
  const std::map<size_t, int> later = LaterOpsets(aten, attempt.failures, options.opset);
  std::vector<Complaint> complaints;
  for (const Failure& failure : attempt.failures) {
    Complaint complaint{.op = {}, .reason = failure.reason, .location = {}, .works_at = 0};
    if (failure.node < aten.body.nodes.size()) {
      const ir::Node& call = aten.body.nodes[failure.node];
      complaint.op = call.op;
      complaint.location = aten.location(call.location);
    }
    const auto found = later.find(failure.node);
    if (found != later.end()) complaint.works_at = found->second;
    complaints.push_back(std::move(complaint));
  }
  throw Error(ErrorKind::kCannotExport, FailureReport(complaints, options.opset));
}

}  // namespace onnxport::lowering
