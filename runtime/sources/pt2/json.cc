#include "runtime/sources/pt2/json.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxJsonDepth = 200;
constexpr const char* kKinds[] = {"null", "a bool", "an integer", "a number", "text", "a list", "an object"};

}  // namespace

// ---- reading ----

// Receives the parser's events; below an open container it builds a tree per member and hands it out.
// With "" and "graph" open, {"graph": {"nodes": [1, 2]}, "v": 3} is two pieces: nodes of "graph" and v of "". A tree is
// made for one piece at a time and its memory used again for the next, so a piece must not be kept.
class JsonPieces {
 public:
  using Kind = Json::Kind;
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  JsonPieces(const std::set<std::string, std::less<>>* open, const JsonPiece* piece) : open_(open), piece_(piece) {}
  explicit JsonPieces(JsonTree* whole) : whole_(whole) {}

  bool null() {
    return Scalar(Kind::kNull, [](JsonTree::Node&) {});
  }
  bool boolean(bool value) {
    return Scalar(Kind::kBool, [&](JsonTree::Node& node) { node.boolean = value; });
  }
  bool number_integer(number_integer_t value) {
    return Scalar(Kind::kInt, [&](JsonTree::Node& node) { node.integer = value; });
  }
  bool number_unsigned(number_unsigned_t value) {
    // A float: who wants an integer then refuses it, instead of taking a negative one.
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return number_float(static_cast<double>(value), {});
    return number_integer(static_cast<int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) {
    return Scalar(Kind::kFloat, [&](JsonTree::Node& node) { node.real = value; });
  }
  bool string(string_t& value) {
    return Scalar(Kind::kText, [&](JsonTree::Node& node) {
      node.text_at = static_cast<uint32_t>(tree().chars_.size());
      node.text_size = static_cast<uint32_t>(value.size());
      tree().chars_ += value;
    });
  }
  bool binary(binary_t&) { return false; }  // no such thing in a text
  bool key(string_t& value) {
    // Members of an open container are not at hand together, so their keys are kept; those within a piece are compared
    // at its end.
    if (!in_piece() && !open_keys_.empty() && !open_keys_.back().insert(value).second) FailTwice(value);
    key_ = value;
    return true;
  }
  bool start_object(size_t) { return Start(Kind::kObject); }
  bool start_array(size_t) { return Start(Kind::kArray); }
  bool end_object() {
    // Before End, which goes up: `current_` is the object whose members are all read.
    if (in_piece()) CheckKeys();
    return End();
  }
  bool end_array() { return End(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) {
    throw Error(ErrorKind::kBadInput, "no valid JSON at byte " + std::to_string(position));
  }

 private:
  JsonTree& tree() { return whole_ != nullptr ? *whole_ : tree_; }
  bool in_piece() const { return current_ >= 0; }

  using Keys = std::unordered_set<std::string, std::hash<std::string>, std::equal_to<>, BudgetAllocator<std::string>>;

  template <typename Set>
  bool Scalar(Kind kind, const Set& set) {
    const bool single = !in_piece();
    const int32_t index = Add(kind);
    set(tree().nodes_[static_cast<size_t>(index)]);
    if (single) Finish();
    return true;
  }

  bool Start(Kind kind) {
    if (++depth_ > kMaxJsonDepth)
      throw Error(ErrorKind::kBadInput, "nested deeper than " + std::to_string(kMaxJsonDepth));
    if (!in_piece() && whole_ == nullptr) {
      std::string path = containers_.empty() ? "" : containers_.back().empty() ? key_ : containers_.back() + "/" + key_;
      if (open_->contains(path)) {
        containers_.push_back(std::move(path));
        open_keys_.emplace_back();
        key_.clear();
        return true;
      }
    }
    current_ = Add(kind);
    return true;
  }

  bool End() {
    --depth_;
    if (!in_piece()) {
      containers_.pop_back();
      open_keys_.pop_back();
      return true;
    }
    current_ = tree().nodes_[static_cast<size_t>(current_)].parent;
    if (current_ < 0) Finish();
    return true;
  }

  [[noreturn]] static void FailTwice(std::string_view key) {
    throw Error(ErrorKind::kBadInput, "'" + Printable(key) + "' occurs twice in one object");
  }

  // Two members of one name: readers differ in which one they take.
  void CheckKeys() {
    // Nearly all objects have few members, and to compare them all is faster than to sort.
    constexpr size_t kFew = 8;
    const JsonTree& tree = this->tree();
    seen_.clear();
    for (int32_t i = tree.nodes_[static_cast<size_t>(current_)].first; i >= 0;
         i = tree.nodes_[static_cast<size_t>(i)].next)
      seen_.push_back(tree.Key(tree.nodes_[static_cast<size_t>(i)]));
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

  // A new value under the current one, or a new piece.
  int32_t Add(Kind kind) {
    JsonTree& tree = this->tree();
    if (!in_piece()) {
      tree.nodes_.clear();
      tree.chars_.clear();
    }
    if (tree.chars_.size() > (size_t{1} << 30) || tree.nodes_.size() > (size_t{1} << 28))
      throw Error(ErrorKind::kBadInput, "a value too large");
    // Texts and nodes are offsets into two growing arrays; pointers would not survive their growth.
    JsonTree::Node node;
    node.kind = kind;
    node.parent = current_;
    node.key_at = static_cast<uint32_t>(tree.chars_.size());
    node.key_size = static_cast<uint32_t>(key_.size());
    tree.chars_ += key_;
    if (!in_piece()) piece_key_ = key_;
    key_.clear();
    const auto index = static_cast<int32_t>(tree.nodes_.size());
    if (current_ >= 0) {
      JsonTree::Node& parent = tree.nodes_[static_cast<size_t>(current_)];
      (parent.first < 0 ? parent.first : tree.nodes_[static_cast<size_t>(parent.last)].next) = index;
      parent.last = index;
    }
    tree.nodes_.push_back(node);
    return index;
  }

  void Finish() {
    if (whole_ != nullptr) return;
    static const std::string kRoot;
    const std::string& container = containers_.empty() ? kRoot : containers_.back();
    tree_.place_ = container;
    (*piece_)(container, piece_key_, tree_.root());
  }

  const std::set<std::string, std::less<>>* open_ = nullptr;
  const JsonPiece* piece_ = nullptr;
  JsonTree* whole_ = nullptr;
  JsonTree tree_;
  std::vector<std::string> containers_;  // paths of the open ones
  std::vector<Keys> open_keys_;          // of the open ones
  std::vector<std::string_view> seen_;   // scratch: keys of one object
  std::string key_;                      // of the next value
  std::string piece_key_;                // of the piece under construction
  int32_t current_ = -1;
  size_t depth_ = 0;
};

void ReadJson(std::string_view text, const std::set<std::string, std::less<>>& open, const JsonPiece& piece) {
  JsonPieces pieces(&open, &piece);
  nlohmann::json::sax_parse(text.begin(), text.end(), &pieces);
}

JsonTree JsonTree::Parse(std::string_view text) {
  JsonTree tree;
  JsonPieces pieces(&tree);
  nlohmann::json::sax_parse(text.begin(), text.end(), &pieces);
  return tree;
}

// ---- access ----

// Only for errors, so it may take its time: "graph_module/graph/nodes/3/target", where the 3 is counted.
std::string JsonTree::Place(int32_t index) const {
  std::string place;
  while (index >= 0) {
    const Node& node = nodes_[static_cast<size_t>(index)];
    std::string part(Key(node));
    if (node.parent >= 0 && nodes_[static_cast<size_t>(node.parent)].kind == Json::Kind::kArray) {
      int position = 0;
      for (int32_t i = nodes_[static_cast<size_t>(node.parent)].first; i != index; ++position)
        i = nodes_[static_cast<size_t>(i)].next;
      part = std::to_string(position);
    }
    if (!part.empty()) place = place.empty() ? part : part + "/" + place;
    index = node.parent;
  }
  if (place_.empty() || place.empty()) return place_ + place;
  return place_ + "/" + place;
}

Json::Kind Json::kind() const { return tree_->nodes_[static_cast<size_t>(index_)].kind; }

void Json::FailUnknown(const std::string& what) const {
  throw Error(ErrorKind::kCannotExport, "at '" + Printable(tree_->Place(index_)) + "': " + what +
                                            "; a newer PyTorch may have written the file, or it is damaged");
}

void Json::Fail(const std::string& what) const {
  throw Error(ErrorKind::kBadInput, "at '" + Printable(tree_->Place(index_)) + "': " + what);
}

namespace {

void Want(const Json& json, Json::Kind kind) {
  if (json.kind() == kind) return;
  json.Fail(std::string(kKinds[static_cast<size_t>(kind)]) + " expected, not " +
            kKinds[static_cast<size_t>(json.kind())]);
}

}  // namespace

bool Json::AsBool() const {
  Want(*this, Kind::kBool);
  return tree_->nodes_[static_cast<size_t>(index_)].boolean;
}

int64_t Json::AsInt() const {
  Want(*this, Kind::kInt);
  return tree_->nodes_[static_cast<size_t>(index_)].integer;
}

double Json::AsFloat() const {
  if (kind() == Kind::kInt) return static_cast<double>(AsInt());
  if (kind() == Kind::kText) {
    if (AsText() == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (AsText() == "Infinity") return HUGE_VAL;
    if (AsText() == "-Infinity") return -HUGE_VAL;
  }
  Want(*this, Kind::kFloat);
  return tree_->nodes_[static_cast<size_t>(index_)].real;
}

std::string_view Json::AsText() const {
  Want(*this, Kind::kText);
  const JsonTree::Node& node = tree_->nodes_[static_cast<size_t>(index_)];
  return std::string_view(tree_->chars_).substr(node.text_at, node.text_size);
}

std::string_view Json::key() const { return tree_->Key(tree_->nodes_[static_cast<size_t>(index_)]); }

std::vector<Json> Json::Items() const {
  std::vector<Json> items;
  for (int32_t i = tree_->nodes_[static_cast<size_t>(index_)].first; i >= 0;
       i = tree_->nodes_[static_cast<size_t>(i)].next) {
    items.emplace_back(tree_, i);
  }
  return items;
}

std::vector<Json> Json::Elements() const {
  Want(*this, Kind::kArray);
  return Items();
}

std::optional<Json> Json::Find(std::string_view member) const {
  Want(*this, Kind::kObject);
  for (int32_t i = tree_->nodes_[static_cast<size_t>(index_)].first; i >= 0;
       i = tree_->nodes_[static_cast<size_t>(i)].next) {
    const JsonTree::Node& node = tree_->nodes_[static_cast<size_t>(i)];
    if (tree_->Key(node) == member)
      return node.kind == Kind::kNull ? std::nullopt : std::optional<Json>(Json(tree_, i));
  }
  return std::nullopt;
}

Json Json::operator[](std::string_view member) const {
  const std::optional<Json> found = Find(member);
  if (!found) Fail("'" + std::string(member) + "' is missing");
  return *found;
}

Json Json::Choice() const {
  Want(*this, Kind::kObject);
  const std::vector<Json> items = Items();
  if (items.size() != 1) Fail("one member expected, not " + std::to_string(items.size()));
  return items[0];
}

}  // namespace onnxport::pt2
