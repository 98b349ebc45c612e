#include "runtime/sources/torchscript/interpret/values/text.h"

#include <algorithm>
#include <utility>

#include "runtime/base/memory_budget.h"
#include "runtime/sources/torchscript/interpret/values/owned.h"

namespace onnxport::torchscript {

struct Text::Letters {
  explicit Letters(std::string text) : all(std::move(text)), held(all.capacity()) {}

  void Reserve(size_t size) {
    const size_t before = all.capacity();
    if (size <= before) return;
    const size_t wanted = std::max(size, 2 * before);
    held.Add(wanted - before);
    all.reserve(wanted);
  }

  std::string all;
  Charge held;
};

Text::Text(std::string text) : size_(text.size()) { letters_ = MakeOwned<Letters>(std::move(text)); }

const std::string& Text::get() const {
  // A longer text has taken over the letters.
  if (size_ != letters_->all.size()) letters_ = MakeOwned<Letters>(letters_->all.substr(0, size_));
  return letters_->all;
}

Text Text::Plus(const Text& more) const {
  // A copy, because these may be the same letters that are made longer.
  const auto added = std::string(more.get().begin(), more.get().end());
  get();
  letters_->Reserve(size_ + added.size());
  letters_->all += added;
  Text longer = *this;
  longer.size_ = letters_->all.size();
  return longer;
}

}  // namespace onnxport::torchscript
