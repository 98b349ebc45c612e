#include "codegen/check/environment.h"

#include <utility>

namespace onnxport::codegen {

void Environment::DefineValue(const std::string& name, Kind kind) {
  Define(name, {.kind = std::move(kind), .let = nullptr, .item = -1});
}

void Environment::DefineLets(const std::vector<Let>& lets) {
  for (const Let& let : lets)
    for (size_t i = 0; i < let.names.size(); ++i)
      Define(let.names[i], {.kind = {}, .let = let.value, .item = let.names.size() > 1 ? static_cast<int>(i) : -1});
}

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
