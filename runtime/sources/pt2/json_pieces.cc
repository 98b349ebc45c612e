// Divides the text of a JSON document into pieces.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/text.h"
#include "runtime/base/text_map.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/json_text.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxJsonDepth = 200;
constexpr size_t kMaxChars = size_t{1} << 30;
constexpr size_t kMaxNodes = size_t{1} << 28;

}  // namespace

// Receives the reader's tokens. Within an open container, it builds a tree for each member and passes it on. With ""
// and "graph" open, {"graph": {"nodes": [1, 2]}, "v": 3} has two pieces: nodes of "graph" and v of "". The memory of a
// tree is reused for the next piece, so callers must not keep a piece.
class JsonPieces {
 public:
  using Kind = Json::Kind;

  JsonPieces(const OpenContainers* open, const JsonPiece* piece) : open_(open), piece_(piece), tree_(own_) {}
  explicit JsonPieces(JsonTree* whole) : tree_(*whole), is_whole_(true) {}

  // Reads all of the text.
  void Read(const TextBlocks& text) { JsonReader(&text, this).Read(); }

  // ---- what JsonReader calls ----

  void Null() { Ended(Add(Kind::kNull)); }
  void Bool(bool value) {
    JsonTree::Node& node = Add(Kind::kBool);
    node.boolean = value;
    Ended(node);
  }
  bool Number(std::string_view text) {
    int64_t integer = 0;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), integer);
    // An integer beyond int64 is a float, too. Code that wants an integer then refuses it, and gets no wrong number.
    const bool is_integer = stop == text.data() + text.size() && code == std::errc();
    const std::optional<double> real = is_integer ? std::nullopt : NearestDouble(text);
    if (!is_integer && !real) return false;
    JsonTree::Node& node = Add(is_integer ? Kind::kInt : Kind::kFloat);
    if (is_integer) {
      node.integer = integer;
    } else {
      node.real = *real;
    }
    Ended(node);
    return true;
  }
  void Text(std::string_view text) {
    JsonTree::Node& node = Add(Kind::kText);
    node.text_at = Keep(text);
    node.size = static_cast<uint32_t>(text.size());
    Ended(node);
  }
  void Key(std::string_view text) {
    if (in_piece()) {
      key_at_ = Keep(text);
      key_size_ = static_cast<uint32_t>(text.size());
      return;
    }
    // Members of an open container are not in memory together, so their keys are kept. Keys within a piece are compared
    // at its end.
    key_.assign(text);
    if (!containers_.empty() && !containers_.back().keys.Add(key_).second) FailTwice(key_);
  }
  void Start(Kind kind);
  void EndObject() {
    // Call it before End, which goes up: `current_` is the object whose members have all been read.
    if (in_piece()) CheckKeys();
    EndArray();
  }
  void EndArray();

 private:
  struct Container {
    std::string path;
    bool has_open = false;  // it contains open containers
    TextIndex<BudgetAllocator> keys = {};
  };

  JsonTree::Node& node(int32_t index) { return tree_.nodes_[static_cast<size_t>(index)]; }
  bool in_piece() const { return current_ >= 0; }
  bool OpenContainer();
  JsonTree::Node& Add(Kind kind);
  // A value other than a container has ended.
  void Ended(const JsonTree::Node& node) {
    if (node.parent < 0) Finish();
  }
  uint32_t Keep(std::string_view text);
  void BeginPiece();
  void Finish();
  void CheckKeys();
  [[noreturn]] static void FailTwice(std::string_view key);

  const OpenContainers* open_ = nullptr;
  const JsonPiece* piece_ = nullptr;
  JsonTree own_;
  JsonTree& tree_;
  bool is_whole_ = false;  // the text is one piece
  size_t nodes_ = 0;       // of the piece in `tree_`, and its characters
  size_t chars_ = 0;
  std::vector<Container> containers_;   // the open ones
  std::vector<std::string_view> seen_;  // scratch: keys of one object
  std::string key_;                     // of the next value, outside of pieces
  std::string piece_key_;               // of the piece under construction
  uint32_t key_at_ = 0, key_size_ = 0;  // of the next value in a piece, in the tree's characters
  int32_t current_ = -1;
  size_t depth_ = 0;
};

void JsonPieces::Start(Kind kind) {
  if (++depth_ > kMaxJsonDepth)
    throw Error(ErrorKind::kBadInput, "nested deeper than " + std::to_string(kMaxJsonDepth));
  if (!in_piece() && !is_whole_ && OpenContainer()) return;
  Add(kind);
  current_ = static_cast<int32_t>(nodes_ - 1);
}

// Returns true if an open container begins here.
bool JsonPieces::OpenContainer() {
  if (!containers_.empty() && !containers_.back().has_open) return false;
  std::string path = key_;
  if (!containers_.empty() && !containers_.back().path.empty()) path = containers_.back().path + "/" + key_;
  if (!open_->contains(path)) return false;
  const std::string inside = path.empty() ? path : path + "/";
  const auto first = open_->upper_bound(inside);
  containers_.push_back({std::move(path), first != open_->end() && first->starts_with(inside)});
  key_.clear();
  return true;
}

void JsonPieces::EndArray() {
  --depth_;
  if (!in_piece()) return containers_.pop_back();
  current_ = node(current_).parent;
  if (current_ < 0) Finish();
}

// Adds a value under the current one, or begins a piece.
JsonTree::Node& JsonPieces::Add(Kind kind) {
  if (!in_piece()) BeginPiece();
  if (nodes_ > kMaxNodes) throw Error(ErrorKind::kBadInput, "a value too large");
  // Texts and nodes are offsets into two growing arrays. Pointers would become invalid when these grow.
  if (nodes_ == tree_.nodes_.size()) tree_.nodes_.resize(std::max<size_t>(64, 2 * nodes_));
  const auto index = static_cast<int32_t>(nodes_++);
  JsonTree::Node& added = node(index);
  added = {};
  added.kind = kind;
  added.parent = current_;
  added.key_at = key_at_;
  added.key_size = std::exchange(key_size_, 0);
  if (current_ >= 0) {
    JsonTree::Node& parent = node(current_);
    (parent.first < 0 ? parent.first : node(parent.last).next) = index;
    parent.last = index;
    ++parent.size;
  }
  return added;
}

// Where it is.
uint32_t JsonPieces::Keep(std::string_view text) {
  const size_t end = chars_ + text.size();
  if (end > kMaxChars) throw Error(ErrorKind::kBadInput, "a value too large");
  if (end > tree_.chars_.size()) tree_.chars_.resize(std::max<size_t>(1024, 2 * end));
  if (!text.empty()) std::memcpy(tree_.chars_.data() + chars_, text.data(), text.size());
  return static_cast<uint32_t>(std::exchange(chars_, end));
}

void JsonPieces::BeginPiece() {
  nodes_ = 0;
  chars_ = 0;
  key_at_ = Keep(key_);
  key_size_ = static_cast<uint32_t>(key_.size());
  std::swap(piece_key_, key_);
  key_.clear();
}

void JsonPieces::Finish() {
  if (is_whole_) return;
  static const std::string kRoot;
  const std::string& container = containers_.empty() ? kRoot : containers_.back().path;
  tree_.place_ = container;
  (*piece_)(container, piece_key_, tree_.root());
}

// Refuses two members with one name, because readers differ in which one they take.
void JsonPieces::CheckKeys() {
  // Nearly all objects have few members. To compare them all is faster than to sort.
  constexpr uint32_t kFew = 8;
  const JsonTree::Node& object = node(current_);
  if (object.size > kFew) {
    seen_.clear();
    for (const Json member : Json(&tree_, current_).Items()) seen_.push_back(member.key());
    std::ranges::sort(seen_);
    const auto twice = std::ranges::adjacent_find(seen_);
    if (twice != seen_.end()) FailTwice(*twice);
    return;
  }
  for (int32_t i = object.first; i >= 0; i = node(i).next) {
    const std::string_view key = tree_.Key(node(i));
    for (int32_t j = object.first; j != i; j = node(j).next)
      if (tree_.HasKey(node(j), key)) FailTwice(key);
  }
}

void JsonPieces::FailTwice(std::string_view key) {
  throw Error(ErrorKind::kBadInput, "'" + Printable(key) + "' occurs twice in one object");
}

TextBlocks OneBlock(std::string_view text) {
  return [text]() mutable { return std::exchange(text, std::string_view()); };
}

void ReadJson(const TextBlocks& text, const OpenContainers& open, const JsonPiece& piece) {
  JsonPieces(&open, &piece).Read(text);
}

JsonTree JsonTree::Parse(std::string_view text) {
  JsonTree tree;
  JsonPieces(&tree).Read(OneBlock(text));
  return tree;
}

}  // namespace onnxport::pt2
