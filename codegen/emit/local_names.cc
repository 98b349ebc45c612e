#include "codegen/emit/local_names.h"

#include <fmt/format.h>

#include <utility>

#include "codegen/emit/names.h"

namespace onnxport::codegen {
LocalNames::LocalNames(const std::set<std::string>& spec, std::set<std::string> called) : taken_(std::move(called)) {
  std::set<std::string> renamed;
  for (const std::string& name : spec) {
    if (IsReserved(name) || taken_.contains(name))
      renamed.insert(name);
    else
      locals_[name] = name;
  }
  // First all that keep their spelling, then those that must be renamed: so `dim_` of the spec keeps its name and the
  // renamed `dim` becomes `dim_2`.
  for (const auto& [name, local] : locals_) taken_.insert(local);
  for (const std::string& name : renamed) {
    std::string local = name + "_";
    for (int i = 2; taken_.contains(local); ++i) local = fmt::format("{}_{}", name, i);
    taken_.insert(locals_[name] = local);
  }
}

std::string LocalNames::Own(std::string_view wanted, std::set<std::string>* visible) const {
  std::string name = IsReserved(wanted) ? fmt::format("{}_", wanted) : std::string(wanted);
  for (int i = 2; taken_.contains(name) || visible->contains(name); ++i) name = fmt::format("{}_{}", wanted, i);
  visible->insert(name);
  return name;
}

}  // namespace onnxport::codegen
