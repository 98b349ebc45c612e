// JSON read piece by piece, so that memory follows the largest piece and not the file.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/memory_budget.h"

namespace onnxport::pt2 {

// Text that is no JSON, or a value of another kind than wanted, is an Error (kBadInput) that says where in the text
// ("at 'graph/nodes/3/target': ..."); whoever knows the file says that it is damaged, in front of it.

class JsonTree;

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
  std::vector<Json> Items() const;
  std::vector<Json> Elements() const;                       // an array's; an Error for another kind
  std::string_view key() const;                             // of a member of an object
  Json operator[](std::string_view member) const;           // an Error when absent
  std::optional<Json> Find(std::string_view member) const;  // nothing when absent or null
  // The one member of an object that stands for a choice: {"as_int": 3}.
  Json Choice() const;
  [[noreturn]] void Fail(const std::string& what) const;  // Error (kBadInput) with this value's place
  // Error (kCannotExport) for what may be right, and is not known here: another PyTorch wrote the file.
  [[noreturn]] void FailUnknown(const std::string& what) const;

 private:
  const JsonTree* tree_;
  int32_t index_;
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
    uint32_t key_at = 0, key_size = 0;
    uint32_t text_at = 0, text_size = 0;
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
  friend class JsonPieces;
  std::string_view Key(const Node& node) const { return std::string_view(chars_).substr(node.key_at, node.key_size); }
  std::string Place(int32_t index) const;

  std::vector<Node, BudgetAllocator<Node>> nodes_;
  std::string chars_;
  std::string place_;  // of the piece in its text
};

// Calls `piece` for every member of the containers in `open` (paths such as "graph_module/graph/nodes"; "" is the whole
// text) that is not itself open: with the container's path, the member's key (empty in an array) and its value.
// Throws Error (kBadInput) for bad JSON and for nesting deeper than 200.
using JsonPiece = std::function<void(std::string_view container, std::string_view key, Json value)>;
void ReadJson(std::string_view text, const std::set<std::string, std::less<>>& open, const JsonPiece& piece);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_JSON_H_
