#include "onnxport/operators.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "runtime/base/option_names.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/model/passes/kept_operators.h"
#include "runtime/model/passes/passes.h"
#include "runtime/model/target/target.h"
#include "runtime/sources/torchscript/interpret/operators/operators.h"

namespace onnxport {
namespace {

// Namespaces of the runtime: calls of quantized operators, and of those that write, become these on the way. No program
// names them.
constexpr std::string_view kOwnNamespaces[] = {"functional::", "qdq::"};

}  // namespace

OpsetRange SupportedOpsets() {
  const lowering::OpsetRange range = lowering::SupportedOpsets();
  return {range.first, range.last};
}

std::vector<OperatorSupport> ListOperators() {
  std::vector<OperatorSupport> operators;
  std::set<std::string_view> computed = torchscript::ComputedOperators();
  for (const lowering::DispatchRow& row : lowering::AllRows()) {
    const std::string_view name = row.name;
    if (std::ranges::any_of(kOwnNamespaces, [&](std::string_view own) { return name.starts_with(own); })) continue;
    computed.erase(name.substr(0, name.find('.')));
    operators.push_back({.name = row.name,
                         .opsets = {row.since, row.until},
                         .spec = row.spec,
                         .refusal = row.refusal == nullptr ? "" : WithOptionNames(row.refusal, OptionAsKey)});
  }
  for (const std::string_view name : computed) {
    if (name.starts_with("aten::")) operators.push_back({name, SupportedOpsets(), "computed while exporting", ""});
  }
  std::ranges::stable_sort(operators, {}, &OperatorSupport::name);
  return operators;
}

std::vector<TargetInfo> ListTargets() {
  std::vector<TargetInfo> targets;
  for (const target::Target& target : target::Targets()) {
    targets.push_back({target.name, target.title, {target.first_opset, target.last_opset}, target.source, target.date});
  }
  return targets;
}

std::vector<KeptOperator> ListKeptOperators() {
  std::vector<KeptOperator> operators;
  for (const passes::KeptOperator& kept : passes::KeptOperators())
    operators.push_back({kept.name, kept.since, kept.in_place_of});
  return operators;
}

std::vector<std::string> PassNames() { return passes::PassNames(); }

}  // namespace onnxport
