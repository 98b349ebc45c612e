// Reads JSON piece by piece, so that memory depends on the largest piece, not on the file.
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

// Invalid JSON, or a value of the wrong kind, throws Error (kBadInput) with its place in the text: "at
// 'graph/nodes/3/target': ...". Callers that know the file add that it is damaged.

class JsonTree;
class JsonRange;

// A value in a tree. It is cheap to copy, and valid until the tree reads the next piece.
class Json {
 public:
  enum class Kind : uint8_t { kNull, kBool, kInt, kFloat, kText, kArray, kObject };

  Json(const JsonTree* tree, int32_t index) : tree_(tree), index_(index) {}
  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  // The value; throws Error for another kind. A float may also be an integer or NaN, Infinity, -Infinity.
  bool AsBool() const;
  int64_t AsInt() const;
  double AsFloat() const;
  std::string_view AsText() const;
  // The elements of an array or the members of an object.
  JsonRange Items() const;
  JsonRange Elements() const;                               // of an array; throws Error for another kind
  std::string_view key() const;                             // of a member of an object
  Json operator[](std::string_view member) const;           // throws Error if absent
  std::optional<Json> Find(std::string_view member) const;  // nothing if absent or null
  // The only member of an object that stands for a choice: {"as_int": 3}.
  Json Choice() const;
  [[noreturn]] void Fail(const std::string& what) const;  // throws Error (kBadInput) with the place of this value
  // Throws Error (kCannotExport) for a value that may be valid but is not known here, because another PyTorch wrote the
  // file.
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
  // Walks from the beginning, so it is only for the first few.
  Json operator[](size_t position) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(position)); }

 private:
  Json container_;
};

// The values of one piece, in one block of memory that is reused.
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

  // Both are longer than the current piece needs: they are allocated once and reused for all pieces.
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

// Returns a text block by block, and then empty blocks. A block is valid until the next call.
using TextBlocks = std::function<std::string_view()>;
// For a text that stays in memory.
TextBlocks OneBlock(std::string_view text);

// Calls `piece` for every member of the containers in `open` that is not itself open. `open` has paths such as
// "graph_module/graph/nodes"; "" is the whole text. `piece` gets the container's path, the member's key (empty in an
// array) and its value. Throws Error (kBadInput) for bad JSON and for nesting deeper than 200.
using JsonPiece = std::function<void(std::string_view container, std::string_view key, Json value)>;
using OpenContainers = std::set<std::string, std::less<>>;
void ReadJson(const TextBlocks& text, const OpenContainers& open, const JsonPiece& piece);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_
