#include "runtime/trace/record/findings.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace onnxport::record {

std::string Findings::KeyOf(const Failure& failure) const {
  return fmt::format("{}\n{}\n{}", fmt::ptr(&places_.At(failure.location)), failure.op, failure.reason.text);
}

void Findings::Report(Failure failure) {
  ++reports_;
  if (reported_.insert(KeyOf(failure)).second) failures_.push_back(std::move(failure));
}

std::vector<Failure> Findings::TakeFailures(size_t first) {
  const auto begin = failures_.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Failure> taken(std::make_move_iterator(begin), std::make_move_iterator(failures_.end()));
  failures_.erase(begin, failures_.end());
  for (const Failure& failure : taken) reported_.erase(KeyOf(failure));
  return taken;
}

void Findings::Remark(std::string text) {
  if (remarked_.insert(text).second) remarks_.push_back(std::move(text));
}

std::vector<std::string> Findings::TakeRemarks(size_t first) {
  std::vector<std::string> taken(remarks_.begin() + static_cast<std::ptrdiff_t>(first), remarks_.end());
  remarks_.resize(first);
  for (const std::string& remark : taken) remarked_.erase(remark);
  return taken;
}

}  // namespace onnxport::record
