#include "runtime/trace/record/places.h"

#include <cstddef>
#include <utility>

#include "runtime/ir/location.h"

namespace onnxport::record {

void Places::SetAll(ir::Locations locations) { graph_.locations = std::move(locations); }

void Places::Set(const ir::Location& location) {
  std::string key =
      location.file() + '\n' + std::to_string(location.line()) + '\n' + location.code() + '\n' + location.op_name;
  for (const ir::ModuleCall* at = location.module.get(); at != nullptr; at = at->caller.get()) {
    key += '\n' + at->path + '@' + std::to_string(at->number);
  }
  const auto [found, is_new] = numbers_.try_emplace(std::move(key), ir::LocationId::kNone);
  if (is_new) found->second = graph_.AddLocation(location);
  current_ = found->second;
}

ir::LocationId Places::NextCall() {
  if (current_ == ir::LocationId::kNone) return current_;
  called_.resize(graph_.locations.size());
  const auto here = static_cast<size_t>(current_);
  if (!called_[here]) {
    called_[here] = true;
    return current_;
  }
  graph_.locations.push_back(graph_.locations[here]);
  called_.push_back(true);
  return static_cast<ir::LocationId>(graph_.locations.size() - 1);
}

}  // namespace onnxport::record
