#include "runtime/api/options/target_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "onnxport/operators.h"
#include "runtime/base/error.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"
#include "runtime/model/target/check.h"

namespace onnxport {
namespace {

// "MatMul (2 calls): ... (layer1  model.py:12  x = x @ y)", and the other places in lines of their own.
std::string RemarkOf(const Diagnostic& diagnostic) {
  std::string text = VisibleLine(diagnostic.reason);
  if (!diagnostic.op.empty())
    text = fmt::format("{} ({} calls): {}", VisibleLine(diagnostic.op), diagnostic.calls, text);
  for (const CallSite& site : diagnostic.sites) {
    const bool first = &site == &diagnostic.sites.front();
    text += first ? fmt::format(" ({})", site.Text()) : "\n    " + site.Text();
  }
  return text;
}

// The newest opset, up to `newest`, with the operator; `newest` if the target does not have it at all.
int NewestWith(std::string_view op, const target::Target& target, int newest) {
  for (int opset = newest; opset >= target.first_opset; --opset) {
    if (target::FindForm(target, op, opset) != nullptr) return opset;
  }
  return newest;
}

}  // namespace

int OpsetOf(const ExportOptions& options) {
  if (options.opset) return *options.opset;
  const target::Target* target = target::FindTarget(options.target);
  if (target == nullptr) return kDefaultOpset;
  const int newest = std::min(target->last_opset, SupportedOpsets().last);
  return options.weights_as ? NewestWith("DequantizeLinear", *target, newest) : newest;
}

void CheckTargetName(const ExportOptions& options) {
  if (options.target.empty() && options.target_notes) {
    throw Error(Code::kOptionsConflict, "<<target_notes>> needs <<target>>");
  }
  if (options.target.empty() || target::FindTarget(options.target) != nullptr) return;
  std::vector<std::string_view> names;
  for (const target::Target& target : target::Targets()) names.push_back(target.name);
  const std::string_view nearest = NearestName(options.target, names);
  throw Error(Code::kNoSuchName, fmt::format("there is no target '{}'; {}", options.target,
                                             nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                                             : fmt::format("did you mean `{}`?", nearest)));
}

void CheckTarget(const ExportOptions& options, const ir::Graph& model, std::vector<std::string>* remarks) {
  const target::Target* target = target::FindTarget(options.target);
  if (target == nullptr) return;
  std::vector<Diagnostic> found = target::Check(model, *target);
  if (options.functions && target->no_functions) {
    found.push_back(
        {.code = Code::kNotOnTarget,
         .reason = fmt::format("{} takes no functions of a model; leave <<functions>> out", target->title)});
  }
  if (found.empty()) return;
  if (!options.target_notes) {
    throw Error(Report(ErrorKind::kCannotExport, std::move(found),
                       fmt::format("the model would not run on {} ({})", target->name, target->title)));
  }
  for (const Diagnostic& diagnostic : found) remarks->push_back(RemarkOf(diagnostic));
}

}  // namespace onnxport
