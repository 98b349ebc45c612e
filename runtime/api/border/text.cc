#include "onnxport/text.h"

#include "runtime/api/border/border.h"
#include "runtime/base/text.h"

namespace onnxport {

std::string Visible(std::string_view text) { return VisibleText(text); }

std::string VisibleName(std::string_view name) { return VisibleLine(name); }

Report VisibleReport(const Report& report) {
  std::vector<Diagnostic> diagnostics = report.marked();
  for (Diagnostic& diagnostic : diagnostics) {
    for (std::string* text : {&diagnostic.op, &diagnostic.reason}) *text = VisibleLine(*text);
    for (CallSite& site : diagnostic.sites) {
      for (std::string* text : {&site.module, &site.file, &site.code, &site.function, &site.node})
        *text = VisibleLine(*text);
    }
  }
  return {report.kind(), std::move(diagnostics), VisibleLine(report.marked_headline())};
}

}  // namespace onnxport
