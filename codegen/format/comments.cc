#include "codegen/format/comments.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace onnxport::codegen {
namespace {

// The lines and columns of a file that nodes cover.
struct Covered {
  std::set<int> starts;       // lines on which a key or an item of a list begins
  std::set<int> inside;       // lines that a text continues on
  std::map<int, int> end_of;  // the last column of a text that ends on a line
};

void CoverText(const YamlNode& node, Covered* covered) {
  if (node.kind != YamlKind::kText) return;
  const Place end = node.text.At(node.text.text().size());
  for (int line = node.place.line + 1; line <= end.line; ++line) covered->inside.insert(line);
  int& column = covered->end_of[end.line];
  column = std::max(column, end.column);
}

void Cover(const YamlNode& node, Covered* covered) {
  CoverText(node, covered);
  for (const YamlNode& key : node.keys) {
    CoverText(key, covered);
    covered->starts.insert(key.place.line);
  }
  for (const YamlNode& item : node.items) {
    if (node.kind == YamlKind::kList) covered->starts.insert(item.place.line);
    Cover(item, covered);
  }
}

}  // namespace

Comments::Comments(const std::string& text, const YamlNode& root) {
  Covered covered;
  Cover(root, &covered);
  std::vector<std::string> pending;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    // Within a text that goes on over several lines a "#" is a part of it.
    if (line[first] == '#' && !covered.inside.contains(number)) {
      const std::string comment = line.substr(first);
      // The formatter's own are written anew from the schemas.
      if (!comment.starts_with(kSchemaComment)) pending.push_back(comment);
      continue;
    }
    // A comment is about what begins below it, and stays above that when keys change places.
    if (covered.starts.contains(number) && !pending.empty()) above_[number] = std::move(pending), pending.clear();
    const auto end = covered.end_of.find(number);
    // Searched from the end of the value on, as `Foo(" #")` has one within.
    const size_t hash = line.find(" #", end == covered.end_of.end() ? 0 : end->second - 1);
    if (hash != std::string::npos && end != covered.end_of.end()) beside_[number] = line.substr(hash + 1);
  }
  at_end_ = std::move(pending);
}

std::vector<std::string> Comments::TakeAbove(int line) {
  auto node = above_.extract(line);
  return node.empty() ? std::vector<std::string>() : std::move(node.mapped());
}

std::string Comments::TakeBeside(int line) {
  auto node = beside_.extract(line);
  return node.empty() ? std::string() : std::move(node.mapped());
}

int Comments::Untaken() const {
  return !above_.empty() ? above_.begin()->first : !beside_.empty() ? beside_.begin()->first : 0;
}

}  // namespace onnxport::codegen
