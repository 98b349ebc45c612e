#include "runtime/lowering/lower.h"

#include <fmt/format.h>

#include <map>
#include <set>

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
  const auto works_at = [&](size_t node) {
    const auto found = later.find(node);
    return found == later.end() ? 0 : found->second;
  };
  throw Error(ErrorKind::kCannotExport, FailureReport(aten, attempt.failures, options.opset, works_at));
}

}  // namespace onnxport::lowering
