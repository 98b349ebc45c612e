// JSON read piece by piece, so that memory follows the largest piece and not the file.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/memory_budget.h"

namespace onnxport::pt2 {

// Text that is no JSON, or a value of another kind than wanted, is an Error (kBadInput) that names its place in the
// text: "at 'graph/nodes/3/target': ...". Callers that know the file put in front of it that the file is damaged.

class JsonTree;
class JsonRange;

// A value in a tree; cheap to copy, lives as long as the tree is not read anew.
class Json {
 public:
  enum class Kind : uint8_t { kNull, kBool, kInt, kFloat, kText, kArray, kObject };

  Json(const JsonTree* tree, int32_t index) : tree_(tree), index_(index) {}
  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  // The value; an Error for another kind. A float may also be an integer or the words NaN, Infinity, -Infinity.
  bool AsBool() const;
  int64_t AsInt() const;
  double AsFloat() const;
  std::string_view AsText() const;
  // Elements of an array or members of an object.
  JsonRange Items() const;
  JsonRange Elements() const;                               // an array's; an Error for another kind
  std::string_view key() const;                             // of a member of an object
  Json operator[](std::string_view member) const;           // an Error when absent
  std::optional<Json> Find(std::string_view member) const;  // nothing when absent or null
  // The one member of an object that stands for a choice: {"as_int": 3}.
  Json Choice() const;
  [[noreturn]] void Fail(const std::string& what) const;  // Error (kBadInput) with this value's place
  // Error (kCannotExport) for what may be right, and is not known here: another PyTorch wrote the file.
  [[noreturn]] void FailUnknown(const std::string& what) const;

 private:
  friend class JsonRange;
  const JsonTree* tree_;
  int32_t index_;
};

// Elements or members, one after another.
class JsonRange {
 public:
  class Iterator {
   public:
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const JsonTree* tree, int32_t index) : tree_(tree), index_(index) {}
    Json operator*() const { return {tree_, index_}; }
    Iterator& operator++();
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const JsonTree* tree_ = nullptr;
    int32_t index_ = -1;
  };

  explicit JsonRange(const Json& container) : container_(container) {}
  Iterator begin() const;
  Iterator end() const { return {container_.tree_, -1}; }
  size_t size() const;
  bool empty() const { return size() == 0; }
  Json front() const { return *begin(); }
  // Walks there: for the first few.
  Json operator[](size_t position) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(position)); }

 private:
  Json container_;
};

// The values of one piece, in one block of memory that is used again.
class JsonTree {
 public:
  struct Node {
    Json::Kind kind = Json::Kind::kNull;
    int32_t parent = -1;
    int32_t first = -1;  // child
    int32_t last = -1;
    int32_t next = -1;
    uint32_t key_at = 0, key_size = 0;  // in `chars_`
    uint32_t text_at = 0;
    uint32_t size = 0;  // bytes of a text, members of a container
    union {
      bool boolean;
      int64_t integer = 0;
      double real;
    };
  };

  // Reads all of `text` as one piece.
  static JsonTree Parse(std::string_view text);
  Json root() const { return Json(this, 0); }

 private:
  friend class Json;
  friend class JsonRange;
  friend class JsonPieces;
  const Node& at(int32_t index) const { return nodes_[static_cast<size_t>(index)]; }
  std::string_view Key(const Node& node) const { return {chars_.data() + node.key_at, node.key_size}; }
  bool HasKey(const Node& node, std::string_view key) const {
    if (node.key_size != key.size()) return false;
    return key.empty() || std::memcmp(chars_.data() + node.key_at, key.data(), key.size()) == 0;
  }
  std::string Place(int32_t index) const;

  // Both are longer than what is there of the piece at hand: made once, they serve for all pieces.
  std::vector<Node, BudgetAllocator<Node>> nodes_;
  std::vector<char, BudgetAllocator<char>> chars_;
  std::string place_;  // of the piece in its text
};

inline JsonRange::Iterator& JsonRange::Iterator::operator++() {
  index_ = tree_->at(index_).next;
  return *this;
}
inline JsonRange::Iterator JsonRange::begin() const {
  return {container_.tree_, container_.tree_->at(container_.index_).first};
}
inline size_t JsonRange::size() const { return container_.tree_->at(container_.index_).size; }

// Gives a text block by block, and an empty block at its end, also when asked again. A block lasts until the next call.
using TextBlocks = std::function<std::string_view()>;
// The text is in memory, and stays there.
TextBlocks OneBlock(std::string_view text);

// Calls `piece` for every member of the containers in `open` (paths such as "graph_module/graph/nodes"; "" is the whole
// text) that is not itself open. It gets the container's path, the member's key (empty in an array) and its value.
// Throws Error (kBadInput) for bad JSON and for nesting deeper than 200.
using JsonPiece = std::function<void(std::string_view container, std::string_view key, Json value)>;
using OpenContainers = std::set<std::string, std::less<>>;
void ReadJson(const TextBlocks& text, const OpenContainers& open, const JsonPiece& piece);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_
