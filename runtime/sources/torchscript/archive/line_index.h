// Finds lines in a text.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_LINE_INDEX_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_LINE_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/base/memory_budget.h"

namespace onnxport::torchscript {

// For texts of less than 4 GiB.
class LineIndex {
 public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text) {
    begins_.push_back(0);
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      begins_.push_back(static_cast<uint32_t>(at + 1));
  }

  bool empty() const { return begins_.empty(); }
  // The line with the byte `at`, from 0.
  size_t LineAt(size_t at) const {
    return static_cast<size_t>(std::ranges::upper_bound(begins_, at) - begins_.begin()) - 1;
  }
  // The line without its line end. `text` is the indexed text.
  std::string_view Line(std::string_view text, size_t line) const {
    const size_t end = line + 1 < begins_.size() ? begins_[line + 1] - 1 : text.size();
    return text.substr(begins_[line], end - begins_[line]);
  }

 private:
  std::vector<uint32_t, BudgetAllocator<uint32_t>> begins_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_LINE_INDEX_H_
