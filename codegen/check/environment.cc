#include "codegen/check/environment.h"

#include <utility>

namespace onnxport::codegen {

const Environment::Name* Environment::Find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

bool Environment::IsLet(const std::string& name) const {
  const Name* found = Find(name);
  return found && found->let;
}

const Kind* Environment::Known(const std::string& name) const {
  if (const auto found = learned_.find(name); found != learned_.end()) return &found->second;
  const auto found = computed_.find(name);
  return found == computed_.end() ? nullptr : &found->second;
}

void Environment::Learn(const std::string& name, Kind kind) {
  // `is_int(self)` after `is_float(self)` leaves no dtype, `present(w)` of a `w` that is None no kind.
  const bool nothing_left = kind.bits == 0 || (kind.Only(Kind::kTensor) && kind.dtypes.empty());
  impossible_ = impossible_ || nothing_left;
  learned_[name] = std::move(kind);
  // All of them: which lets depend on the name is not recorded, and most are asked for once or twice.
  computed_.clear();
}

}  // namespace onnxport::codegen
