#include "runtime/sources/pt2/json.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport::pt2 {
namespace {

constexpr const char* kKinds[] = {"null", "a bool", "an integer", "a number", "text", "a list", "an object"};

}  // namespace

// Only used for errors, so it may be slow: "graph_module/graph/nodes/3/target", where the 3 is counted.
std::string JsonTree::Place(int32_t index) const {
  std::string place;
  while (index >= 0) {
    const Node& node = at(index);
    std::string part(Key(node));
    if (node.parent >= 0 && at(node.parent).kind == Json::Kind::kArray) {
      int position = 0;
      for (int32_t i = at(node.parent).first; i != index; ++position) i = at(i).next;
      part = std::to_string(position);
    }
    if (!part.empty()) place = place.empty() ? part : part + "/" + place;
    index = node.parent;
  }
  if (place_.empty() || place.empty()) return place_ + place;
  return place_ + "/" + place;
}

Json::Kind Json::kind() const { return tree_->at(index_).kind; }

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
  return tree_->at(index_).boolean;
}

int64_t Json::AsInt() const {
  Want(*this, Kind::kInt);
  return tree_->at(index_).integer;
}

double Json::AsFloat() const {
  if (kind() == Kind::kInt) return static_cast<double>(AsInt());
  if (kind() == Kind::kText) {
    if (AsText() == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (AsText() == "Infinity") return HUGE_VAL;
    if (AsText() == "-Infinity") return -HUGE_VAL;
  }
  Want(*this, Kind::kFloat);
  return tree_->at(index_).real;
}

std::string_view Json::AsText() const {
  Want(*this, Kind::kText);
  const JsonTree::Node& node = tree_->at(index_);
  return {tree_->chars_.data() + node.text_at, node.size};
}

std::string_view Json::key() const { return tree_->Key(tree_->at(index_)); }

JsonRange Json::Items() const { return JsonRange(*this); }

JsonRange Json::Elements() const {
  Want(*this, Kind::kArray);
  return Items();
}

std::optional<Json> Json::Find(std::string_view member) const {
  Want(*this, Kind::kObject);
  // Most requested members are among the first few, so an index would take longer to make.
  for (int32_t i = tree_->at(index_).first; i >= 0; i = tree_->at(i).next) {
    const JsonTree::Node& node = tree_->at(i);
    if (!tree_->HasKey(node, member)) continue;
    return node.kind == Kind::kNull ? std::nullopt : std::optional<Json>(std::in_place, tree_, i);
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
  const JsonRange items = Items();
  if (items.size() != 1) Fail("one member expected, not " + std::to_string(items.size()));
  return items.front();
}

}  // namespace onnxport::pt2
