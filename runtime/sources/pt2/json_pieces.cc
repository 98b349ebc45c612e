// The reading of JSON: what RapidJSON's reader tells of a text becomes pieces.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/json_text.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxJsonDepth = 200;

// Numbers come as they are written, and texts are checked to be UTF-8. That RapidJSON calls itself for each level (its
// other way, by states, takes a tenth longer) is bounded by kMaxJsonDepth.
constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseValidateEncodingFlag;

}  // namespace

// Receives the parser's events; below an open container it builds a tree per member and hands it out.
// With "" and "graph" open, {"graph": {"nodes": [1, 2]}, "v": 3} is two pieces: nodes of "graph" and v of "". A tree is
// made for one piece at a time and its memory used again for the next, so a piece must not be kept.
class JsonPieces : public rapidjson::BaseReaderHandler<CheckedText, JsonPieces> {
 public:
  using Kind = Json::Kind;

  JsonPieces(const OpenContainers* open, const JsonPiece* piece) : open_(open), piece_(piece) {}
  explicit JsonPieces(JsonTree* whole) : whole_(whole) {}

  // Reads all of the text.
  void Read(const TextBlocks& text);

  // ---- what RapidJSON calls ----

  bool Default() { return false; }  // for numbers in another form than kFlags ask for
  bool Null() {
    return Scalar(Kind::kNull, [](JsonTree::Node&) {});
  }
  bool Bool(bool value) {
    return Scalar(Kind::kBool, [&](JsonTree::Node& node) { node.boolean = value; });
  }
  bool RawNumber(const char* text, unsigned size, bool /*copy*/) {
    int64_t integer = 0;
    const auto [stop, code] = std::from_chars(text, text + size, integer);
    if (stop == text + size && code == std::errc())
      return Scalar(Kind::kInt, [&](JsonTree::Node& node) { node.integer = integer; });
    // Also an integer that has no int64: who wants an integer then refuses it, instead of taking another one.
    const std::optional<double> real = NearestDouble({text, size});
    return real && Scalar(Kind::kFloat, [&](JsonTree::Node& node) { node.real = *real; });
  }
  bool String(const char* text, unsigned size, bool /*copy*/) {
    return Scalar(Kind::kText, [&](JsonTree::Node& node) {
      node.text_at = static_cast<uint32_t>(tree().chars_.size());
      node.size = size;
      tree().chars_.append(text, size);
    });
  }
  bool Key(const char* text, unsigned size, bool /*copy*/) {
    if (in_piece()) {
      key_at_ = static_cast<uint32_t>(tree().chars_.size());
      key_size_ = size;
      tree().chars_.append(text, size);
      return true;
    }
    // Members of an open container are not at hand together, so their keys are kept; those within a piece are compared
    // at its end.
    key_.assign(text, size);
    if (!containers_.empty() && !containers_.back().keys.insert(key_).second) FailTwice(key_);
    return true;
  }
  bool StartObject() { return Start(Kind::kObject); }
  bool StartArray() { return Start(Kind::kArray); }
  bool EndObject(unsigned) {
    // Before End, which goes up: `current_` is the object whose members are all read.
    if (in_piece()) CheckKeys();
    return End();
  }
  bool EndArray(unsigned) { return End(); }

 private:
  using Keys = std::unordered_set<std::string, std::hash<std::string>, std::equal_to<>, BudgetAllocator<std::string>>;

  struct Container {
    std::string path;
    bool has_open = false;  // others in it
    Keys keys = {};
  };

  JsonTree& tree() { return whole_ != nullptr ? *whole_ : tree_; }
  JsonTree::Node& node(int32_t index) { return tree().nodes_[static_cast<size_t>(index)]; }
  bool in_piece() const { return current_ >= 0; }

  template <typename Set>
  bool Scalar(Kind kind, const Set& set) {
    const bool single = !in_piece();
    set(node(Add(kind)));
    if (single) Finish();
    return true;
  }
  bool Start(Kind kind);
  bool OpenContainer();
  bool End();
  int32_t Add(Kind kind);
  void AddPieceKey();
  void Finish();
  void CheckKeys();
  [[noreturn]] static void FailTwice(std::string_view key);

  const OpenContainers* open_ = nullptr;
  const JsonPiece* piece_ = nullptr;
  JsonTree* whole_ = nullptr;
  JsonTree tree_;
  std::vector<Container> containers_;   // the open ones
  std::vector<std::string_view> seen_;  // scratch: keys of one object
  std::string key_;                     // of the next value, outside of pieces
  std::string piece_key_;               // of the piece under construction
  uint32_t key_at_ = 0, key_size_ = 0;  // of the next value in a piece, in the tree's characters
  int32_t current_ = -1;
  size_t depth_ = 0;
};

void JsonPieces::Read(const TextBlocks& text) {
  rapidjson::GenericReader<CheckedText, CheckedText, TextMemory> reader;
  TextStream stream(&text);
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, *this);
  if (!result.IsError() && stream.at_end()) return;
  // Counted from 1. A NUL is where RapidJSON stops without an error.
  const size_t at = result.IsError() ? result.Offset() : stream.Tell();
  throw Error(ErrorKind::kBadInput, "no valid JSON at byte " + std::to_string(at + 1));
}

bool JsonPieces::Start(Kind kind) {
  if (++depth_ > kMaxJsonDepth)
    throw Error(ErrorKind::kBadInput, "nested deeper than " + std::to_string(kMaxJsonDepth));
  if (!in_piece() && whole_ == nullptr && OpenContainer()) return true;
  current_ = Add(kind);
  return true;
}

// Whether what begins is an open container.
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

bool JsonPieces::End() {
  --depth_;
  if (!in_piece()) {
    containers_.pop_back();
    return true;
  }
  current_ = node(current_).parent;
  if (current_ < 0) Finish();
  return true;
}

// A new value under the current one, or a new piece.
int32_t JsonPieces::Add(Kind kind) {
  JsonTree& tree = this->tree();
  if (!in_piece()) AddPieceKey();
  if (tree.chars_.size() > (size_t{1} << 30) || tree.nodes_.size() > (size_t{1} << 28))
    throw Error(ErrorKind::kBadInput, "a value too large");
  // Texts and nodes are offsets into two growing arrays; pointers would not survive their growth.
  const auto index = static_cast<int32_t>(tree.nodes_.size());
  if (current_ >= 0) {
    JsonTree::Node& parent = node(current_);
    (parent.first < 0 ? parent.first : node(parent.last).next) = index;
    parent.last = index;
    ++parent.size;
  }
  JsonTree::Node& added = tree.nodes_.emplace_back();
  added.kind = kind;
  added.parent = current_;
  added.key_at = key_at_;
  added.key_size = key_size_;
  key_size_ = 0;
  return index;
}

void JsonPieces::AddPieceKey() {
  tree().nodes_.clear();
  tree().chars_.assign(key_);
  key_at_ = 0;
  key_size_ = static_cast<uint32_t>(key_.size());
  std::swap(piece_key_, key_);
  key_.clear();
}

void JsonPieces::Finish() {
  if (whole_ != nullptr) return;
  static const std::string kRoot;
  const std::string& container = containers_.empty() ? kRoot : containers_.back().path;
  tree_.place_ = container;
  (*piece_)(container, piece_key_, tree_.root());
}

// Two members of one name: readers differ in which one they take.
void JsonPieces::CheckKeys() {
  // Nearly all objects have few members, and to compare them all is faster than to sort.
  constexpr size_t kFew = 8;
  const JsonTree& tree = this->tree();
  if (tree.at(current_).size < 2) return;
  seen_.clear();
  for (const Json member : Json(&tree, current_).Items()) seen_.push_back(member.key());
  if (seen_.size() > kFew) {
    std::ranges::sort(seen_);
    const auto twice = std::ranges::adjacent_find(seen_);
    if (twice != seen_.end()) FailTwice(*twice);
    return;
  }
  for (size_t i = 1; i < seen_.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (seen_[i] == seen_[j]) FailTwice(seen_[i]);
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
