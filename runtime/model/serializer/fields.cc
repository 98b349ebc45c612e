#include "runtime/model/serializer/fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "runtime/base/internal_error.h"

namespace onnxport::serializer {
namespace {

constexpr size_t kFieldsAtOnce = size_t{64} << 10;

}  // namespace

Fields::Fields(std::string text) : size_(text.size()) { blocks_.push_back(std::move(text)); }

Fields::Fields(Make make, size_t most) : make_(std::move(make)) {
  make_([&](std::string_view fields) {
    size_ += fields.size();
    if (size_ <= most) {
      Keep(fields);
    } else {
      blocks_.clear();
    }
  });
  if (size_ <= most) make_ = nullptr;
}

void Fields::Keep(std::string_view fields) {
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < fields.size()) {
    blocks_.emplace_back().reserve(std::max(kFieldsAtOnce, fields.size()));
  }
  blocks_.back() += fields;
}

void Fields::Write(const ir::ByteSink& sink) const {
  const auto write = [&sink](std::string_view fields) { sink(std::as_bytes(std::span(fields))); };
  if (!make_) {
    for (const std::string& block : blocks_) write(block);
    return;
  }
  size_t written = 0;
  std::string block;
  make_([&](std::string_view fields) {
    written += fields.size();
    block += fields;
    if (block.size() < kFieldsAtOnce) return;
    write(block);
    block.clear();
  });
  write(block);
  if (written != size_) throw InternalError(fmt::format("{} bytes of a graph became {}", size_, written));
}

}  // namespace onnxport::serializer
