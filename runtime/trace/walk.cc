#include "runtime/trace/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>

#include "runtime/base/error.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/trace/report.h"

namespace onnxport::trace {
namespace {

// One failure at different opsets: the reason may differ.
using Key = std::tuple<std::string, std::string, int, std::string, std::string>;

std::vector<Key> KeysOf(const Tracer& tracer) {
  std::vector<Key> keys;
  for (const Failure& failure : tracer.failures()) {
    const ir::Location& at = tracer.source().location(failure.location);
    keys.emplace_back(failure.op, at.file, at.line, at.module_path, at.op_name);
  }
  return keys;
}

std::set<Key> FailuresAt(const Walk& walk, int opset) {
  const std::vector<Key> keys = KeysOf(*walk(opset));
  return {keys.begin(), keys.end()};
}

// The lowest later opset that takes each of them; 0: none. The last opset first: it tells whether there is anything to
// look for.
std::vector<int> LaterOpsets(const Walk& walk, const std::vector<Key>& failures, int opset) {
  std::vector<int> found(failures.size());
  const int last = lowering::SupportedOpsets().last;
  if (opset >= last) return found;
  const std::set<Key> never = FailuresAt(walk, last);
  auto open = std::ranges::count_if(failures, [&](const Key& key) { return !never.contains(key); });
  for (int later = opset + 1; open > 0 && later <= last; ++later) {
    const std::set<Key> failing = later == last ? never : FailuresAt(walk, later);
    for (size_t i = 0; i < failures.size(); ++i) {
      if (found[i] != 0 || never.contains(failures[i]) || failing.contains(failures[i])) continue;
      found[i] = later;
      --open;
    }
  }
  return found;
}

}  // namespace

Traced Trace(const Walk& walk, int opset) {
  const lowering::OpsetRange range = lowering::SupportedOpsets();
  if (opset < range.first || opset > range.last) {
    throw Error(ErrorKind::kUsage,
                fmt::format("opset {} is not supported; {} to {} are", opset, range.first, range.last));
  }
  const std::unique_ptr<Tracer> tracer = walk(opset);
  if (!tracer->failures().empty()) {
    const std::vector<int> later = LaterOpsets(walk, KeysOf(*tracer), opset);
    const ErrorKind kind = tracer->contradicted() ? ErrorKind::kBadInput : ErrorKind::kCannotExport;
    throw Error(ReportOf(kind, tracer->source(), tracer->failures(), later, opset));
  }
  Traced traced{.source = {}, .onnx = tracer->TakeGraph(), .remarks = tracer->remarks()};
  traced.source = tracer->TakeSource();
  return traced;
}

}  // namespace onnxport::trace
