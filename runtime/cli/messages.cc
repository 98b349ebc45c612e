#include "runtime/cli/messages.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "onnxport/exit_status.h"
#include "onnxport/operators.h"
#include "onnxport/text.h"
#include "runtime/cli/option_flags.h"

namespace onnxport::cli {
namespace {

void Write(std::FILE* file, std::string_view text) {
  const std::string visible = Visible(text);
  std::fwrite(visible.data(), 1, visible.size(), file);
}

// Returns "; the nearest names with a mapping: aten::relu, aten::relu6", or an empty text.
std::string NearestWithMapping(const std::string& op) {
  std::vector<OperatorSupport> mapped = ListOperators();
  std::erase_if(mapped, [](const OperatorSupport& row) { return !row.refusal.empty(); });
  std::string names;
  for (const std::string_view name : NearestOperators(op, mapped))
    names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "" : "; the nearest names with a mapping: " + names;
}

// Names the first of the operators that have no mapping.
void TellOfMappings(const Report& report) {
  for (const Diagnostic& diagnostic : report.diagnostics()) {
    // One note for all: for twenty unknown operators the advice would be the same twenty times.
    if (diagnostic.code != Code::kUnsupportedOperator) continue;
    // run_decompositions() only knows PyTorch's own operators.
    const bool own = !diagnostic.op.starts_with("aten::") && !diagnostic.op.starts_with("prims::");
    TellLine("exporter: note: --map " + diagnostic.op +
             "=DOMAIN.NODE makes it a node of yours, --fallthrough all such operators nodes of their own names, and an "
             "entry "
             "in a YAML file says what to compute (docs/rules.md)" +
             (own ? "" : "; of a .pt2, run_decompositions() before torch.export.save may make other operators of it") +
             NearestWithMapping(diagnostic.op));
    return;
  }
}

void TellOfAxes(const Report& report) {
  if (std::ranges::find(report.diagnostics(), Code::kAxisIsFixed, &Diagnostic::code) != report.diagnostics().end())
    TellLine("exporter: note: `exporter export --check-axes` tells which axes can be free");
}

}  // namespace

void Tell(std::string_view text) { Write(stderr, text); }
void Say(std::string_view text) { Write(stdout, text); }
void TellLine(std::string_view text) { Tell(VisibleName(text) + "\n"); }
void SayLine(std::string_view text) { Say(VisibleName(text) + "\n"); }

int Fail(const Report& report) {
  if (report.kind() == ErrorKind::kCancelled) return ExitStatus(report.kind());  // the sender of the signal knows why
  // The library speaks of a deadline. On the command line it comes from --max-seconds or its default.
  const bool too_slow = report.kind() == ErrorKind::kDeadline;
  const Report told = too_slow ? Report(report.kind(), "the file took longer than --max-seconds to convert")
                               : report.With(OptionAsFlag);
  Tell("exporter: " + told.TextWithCodes() + "\n");
  TellOfMappings(report);
  TellOfAxes(report);
  return ExitStatus(report.kind());
}

void TellLeftBehind(const SaveReport& files, const std::string& out) {
  for (const std::string& name : files.left_behind)
    TellLine("exporter: note: " + name + " was the data of the model that " + out +
             " replaces; it stays, as it was read here or another model may name it");
}

}  // namespace onnxport::cli
