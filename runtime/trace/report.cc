#include "runtime/trace/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/ir/call_site.h"
#include "runtime/ir/location.h"
#include "runtime/lowering/dsl/dispatch.h"

namespace onnxport::trace {
namespace {

// Indices of the failures of one operator for one reason.
using Group = std::vector<size_t>;

std::vector<Group> InGroups(const std::vector<record::Failure>& failures) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (size_t i = 0; i < failures.size(); ++i) {
    const auto [found, is_new] = index.try_emplace({failures[i].op.text(), failures[i].reason.text}, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

std::vector<CallSite> SitesOf(const Group& group, const ir::Graph& source,
                              const std::vector<record::Failure>& failures) {
  std::vector<CallSite> sites;
  std::set<std::tuple<std::string, std::string, int, std::string, std::string>> seen;
  for (const size_t i : group) {
    const ir::Location& at = source.location(failures[i].location);
    if (!seen.emplace(ModulePath(at), at.file(), at.line(), at.code(), at.op_name).second) continue;
    sites.push_back(ir::SiteOf(at));
  }
  return sites;
}

// The lowest opset at which every call of the group works; 0 if there is none.
int WorksAt(const Group& group, const std::vector<int>& works_at) {
  int opset = 0;
  for (const size_t i : group) {
    if (works_at[i] == 0) return 0;
    opset = std::max(opset, works_at[i]);
  }
  return opset;
}

// The entry for this opset, or any entry of the operator; null if there is none.
const lowering::DispatchRow* EntryOf(const std::string& op, int opset) {
  if (const lowering::DispatchRow* row = lowering::FindRow(op, opset)) return row;
  const std::span<const lowering::DispatchRow> rows = lowering::RowsOf(op);
  return rows.empty() ? nullptr : &rows.front();
}

void DescribeCalls(const Group& group, const ir::Operator& op, int opset, Diagnostic* diagnostic) {
  const lowering::DispatchRow* entry = EntryOf(op, opset);
  diagnostic->op = op;
  diagnostic->calls = static_cast<int>(group.size());
  if (entry != nullptr) diagnostic->spec = entry->spec;
}

}  // namespace

Report ReportOf(ErrorKind kind, const ir::Graph& source, const std::vector<record::Failure>& failures,
                const std::vector<int>& works_at, int opset) {
  std::vector<Diagnostic> diagnostics;
  for (const Group& group : InGroups(failures)) {
    const record::Failure& first = failures[group.front()];
    Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.code = first.reason.code;
    if (!first.op.text().empty()) {
      DescribeCalls(group, first.op, opset, &diagnostic);
    } else if (diagnostic.code == Code::kUnsupportedCall) {  // not about a call
      diagnostic.code = Code::kUnsupportedProgram;
    }
    diagnostic.reason = first.reason.text;
    diagnostic.opset = WorksAt(group, works_at);
    diagnostic.sites = SitesOf(group, source, failures);
  }
  return {kind, std::move(diagnostics), fmt::format("the model cannot be exported at opset {}", opset)};
}

}  // namespace onnxport::trace
