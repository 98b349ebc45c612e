#include "codegen/check/issues.h"

#include "codegen/check/opset_text.h"

namespace onnxport::codegen {

void Issues::Add(const Place& place, int opset, const std::string& what, const std::string& more) {
  const Key key{place.line, place.column, what, more};
  opsets_[key].insert(opset);
  places_.emplace(key, place);
}

void Issues::Report(const std::set<int>& all, Diagnostics* diagnostics) const {
  for (const auto& [key, opsets] : opsets_) {
    const std::string at = opsets == all ? "" : " at " + OpsetText(opsets);
    diagnostics->Error(places_.at(key), key.what + at + key.more);
  }
}

}  // namespace onnxport::codegen
