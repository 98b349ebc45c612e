// A pickle of numbers and texts in tuples and lists, such as debug information: tens of entries for each call of a
// model.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PLAIN_PICKLE_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PLAIN_PICKLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/base/memory_budget.h"

namespace onnxport::torchscript {

// A value of one PlainPickle, which must resolve it. Equal bytes are equal values.
struct PlainValue {
  enum class Kind : uint32_t { kNone, kInt, kText, kSequence, kMark, kFunction };
  Kind kind = Kind::kNone;
  uint32_t size = 0;    // of a text
  int64_t payload = 0;  // the number; the begin of the text; the index of the sequence

  friend bool IsMark(const PlainValue& value) { return value.kind == Kind::kMark; }
};
static_assert(std::has_unique_object_representations_v<PlainValue>);

// Values are plain data in arrays. Unpickle makes a shared object for each, which takes ten times as long.
class PlainPickle {
 public:
  // Throws as Unpickle does, and also for tensors, dictionaries, objects, and functions that do not set a list's type.
  // `text` must outlive it.
  PlainPickle(std::string_view text, const std::string& what);

  PlainValue root() const { return root_; }
  // The items of a tuple or a list; empty for another value. A sequence may contain itself.
  std::span<const PlainValue> ItemsOf(PlainValue value) const;
  std::optional<int64_t> IntOf(PlainValue value) const;
  std::optional<std::string_view> TextOf(PlainValue value) const;

 private:
  class Machine;
  struct Sequence {
    size_t begin;
    size_t size;
  };

  std::string_view text_;
  std::vector<PlainValue, BudgetAllocator<PlainValue>> items_;  // of all sequences
  std::vector<Sequence, BudgetAllocator<Sequence>> sequences_;
  PlainValue root_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PLAIN_PICKLE_H_
