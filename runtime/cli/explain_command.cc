#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "onnxport/codes.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

std::string TextOf(const CodeInfo& code) {
  return fmt::format("{}: {}\n\n{}\n\nExample:\n  {}\n\nWay out:\n  {}\n", code.number, code.title, code.explanation,
                     code.example, code.way_out);
}

int FailUnknown(const std::string& number) {
  const std::string_view nearest = NearestCode(number);
  return Fail(Report(Code::kNoSuchName, fmt::format("there is no code '{}'; {}", number,
                                                    nearest.empty() ? "`exporter explain` lists them"
                                                                    : fmt::format("did you mean {}?", nearest))));
}

}  // namespace

int RunExplain(const std::string& number, bool json) {
  std::span<const CodeInfo> codes = AllCodes();
  if (!number.empty()) {
    const CodeInfo* code = FindCode(number);
    if (code == nullptr) return FailUnknown(number);
    codes = {code, 1};
  }
  if (json) {
    Say(ToJson(codes));
  } else if (!number.empty()) {
    Say(TextOf(codes.front()));
  } else {
    for (const CodeInfo& code : codes) SayLine(fmt::format("{}  {}", code.number, code.title));
  }
  return 0;
}

}  // namespace onnxport::cli
