// Where in a spec the cursor is: below which keys, among which others, in which word. It uses indentation alone, from
// the line of the cursor upwards. The user is still writing the file, so no parser reads it: a key may lack its colon,
// a bracket its end. A wrong guess costs a completion that does not fit; refusing to guess would cost all help at the
// one place where somebody is at work.
#include "codegen/help/cursor.h"

#include <algorithm>
#include <cctype>

#include "codegen/help/flow.h"

namespace onnxport::codegen {
namespace {

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// `aten::add.Tensor` is one word; `1:n` and `0..9` are two.
bool IsOfWord(const std::string& text, size_t at) {
  const char c = text[at];
  const char before = at > 0 ? text[at - 1] : ' ';
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  if (c == ':') return before == ':' || next == ':';
  return IsLetter(c) || (c == '.' && IsLetter(before) && next != '.');
}

void FindWord(const std::string& text, size_t at, Cursor* cursor) {
  size_t begin = at;
  while (begin > 0 && IsOfWord(text, begin - 1)) --begin;
  size_t end = at;
  while (end < text.size() && IsOfWord(text, end)) ++end;
  cursor->word = text.substr(begin, end - begin);
  cursor->prefix = text.substr(begin, at - begin);
  cursor->word_column = begin + 1;
  const size_t next = text.find_first_not_of(' ', end);
  cursor->after_word = next == std::string::npos ? '\0' : text[next];
}

class Finder {
 public:
  Finder(const std::vector<Line>& lines, size_t number, size_t at, Cursor* cursor)
      : lines_(lines), line_(lines[number]), number_(number), at_(at), cursor_(*cursor) {}

  void Find() {
    if (line_.has_key()) {
      OnLineWithKey();
    } else if (line_.blank) {
      WithoutKey(static_cast<int>(at_));
    } else {
      WithoutKey(line_.column);
    }
    // Found from the inside out, read from the outside in. A map in braces, within the value, is then below all of
    // them.
    std::ranges::reverse(cursor_.path);
    EnterFlow(&cursor_);
  }

 private:
  std::string_view BeforeCursor(size_t from) const {
    return std::string_view(line_.text).substr(std::min(from, at_), at_ > from ? at_ - from : 0);
  }

  void OnLineWithKey() {
    // Behind the colon: what stands there is a value, even before its first character is typed.
    const bool in_value = at_ >= line_.value && at_ > static_cast<size_t>(line_.column) + line_.key.size();
    if (in_value) {
      cursor_.before = BeforeCursor(line_.value);
      cursor_.path.push_back(line_.key);
    } else {
      AtKey(static_cast<size_t>(line_.column));
    }
    AddParents(number_, line_.ParentsBelow());
  }

  void AtKey(size_t from) {
    cursor_.at_key = true;
    cursor_.begins_line = true;
    cursor_.before = BeforeCursor(from);
  }

  // A blank line, one more line of a value, an element of a list, or a key of which the colon is missing.
  void WithoutKey(int column) {
    if (line_.dash >= 0) {
      // The key of the list decides which kind of item this is.
      AtKey(static_cast<size_t>(line_.column));
      cursor_.behind_dash = true;
      return AddParents(number_, line_.ParentsBelow());
    }
    const size_t before = LineBefore();
    const std::string text(BeforeCursor(static_cast<size_t>(line_.blank ? 0 : line_.column)));
    // A value that has begun may go on over lines that stand further to the right. Only if none does is this a key.
    if (before < lines_.size() && GoesOn(lines_[before], column)) return InValueFrom(before, text);
    AtKey(static_cast<size_t>(column));
    AddSiblings(column);
    AddParents(number_, column);
  }

  // The line on which the value begins that this one may go on with; no number without one.
  size_t LineBefore() const {
    for (size_t i = number_; i-- > 0;) {
      if (lines_[i].blank) return lines_.size();
      if (lines_[i].has_key() || lines_[i].dash >= 0) return i;
    }
    return lines_.size();
  }

  // Returns whether the value of a line goes on at a column: the value has begun, and it starts further to the left.
  static bool GoesOn(const Line& line, int column) {
    const std::string_view value = line.Value();
    const bool begun = !value.empty() && value[0] != '#';
    return begun && column > (line.has_key() ? line.column : line.dash);
  }

  void InValueFrom(size_t first, const std::string& last) {
    std::string text(lines_[first].Value());
    for (size_t i = first + 1; i < number_; ++i) text += " " + lines_[i].text.substr(lines_[i].column);
    cursor_.before = text + " " + last;
    if (lines_[first].has_key()) {
      cursor_.path.push_back(lines_[first].key);
    } else {
      cursor_.at_key = cursor_.begins_line = false;
    }
    AddParents(first, lines_[first].ParentsBelow());
  }

  void AddParents(size_t below, int column) {
    for (size_t i = below; i-- > 0;) {
      const Line& line = lines_[i];
      if (line.blank || !line.has_key() || line.column >= column) continue;
      cursor_.path.push_back(line.key);
      column = line.ParentsBelow();
    }
  }

  void AddSiblings(int column) {
    for (size_t i = number_; i-- > 0;) {
      const Line& line = lines_[i];
      if (line.blank) continue;
      // Up to where the map begins, and down to where it ends. Keys of its values stand further to the right and are
      // passed over.
      if (line.column < column) break;
      if (line.column == column && line.has_key()) cursor_.siblings.push_back(line.key);
      if (line.column == column && line.dash >= 0) break;
    }
    for (size_t i = number_ + 1; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.blank) continue;
      if (line.column < column || (line.dash >= 0 && line.dash < column)) break;
      if (line.column == column && line.has_key()) cursor_.siblings.push_back(line.key);
    }
  }

  const std::vector<Line>& lines_;
  const Line& line_;
  size_t number_;
  size_t at_;
  Cursor& cursor_;
};

// The form of a key that the map does not have: a value that is a map may be a dict of a node's arguments.
Form FormOf(const Inside& inside, const std::string& key, std::optional<KeyInfo>* info) {
  if (inside.kind == Inside::Kind::kNames) return inside.value;
  *info = FindKey(inside.owner, key);
  if (*info) return (*info)->form;
  return Form::kExpression;
}

}  // namespace

Cursor FindCursor(const std::vector<Line>& lines, int line, int column) {
  Cursor cursor;
  const auto number = static_cast<size_t>(std::max(line, 1) - 1);
  if (number >= lines.size()) return cursor;
  const size_t at = std::min(static_cast<size_t>(std::max(column, 1) - 1), lines[number].text.size());
  FindWord(lines[number].text, at, &cursor);
  Finder(lines, number, at, &cursor).Find();
  for (const LineRange& item : ItemsOf(lines))
    if (number >= item.first && number < item.second) cursor.item = item;
  return cursor;
}

KeyMap OwnerOf(const std::vector<Line>& lines, const LineRange& item) {
  const int column = lines[item.first].column;
  const auto has = [&](std::string_view key) {
    return std::any_of(lines.begin() + static_cast<ptrdiff_t>(item.first),
                       lines.begin() + static_cast<ptrdiff_t>(item.second),
                       [&](const Line& line) { return line.column == column && line.key == key; });
  };
  if (has("op")) return KeyMap::kEntry;
  if (has("def")) return KeyMap::kDefinition;
  return has("schema") ? KeyMap::kSchema : KeyMap::kItem;
}

std::optional<Spot> SpotOf(const Cursor& cursor, KeyMap item) {
  Spot spot;
  spot.inside = {.kind = Inside::Kind::kKeys, .owner = KeyMap::kFile};
  for (const std::string& key : cursor.path) {
    if (spot.inside.kind == Inside::Kind::kNothing) return std::nullopt;
    std::optional<KeyInfo> info;
    spot.form = FormOf(spot.inside, key, &info);
    const bool unknown = spot.inside.kind == Inside::Kind::kKeys && !info;
    // A key that the language does not have is a mistake, and nothing is known of what stands below it.
    if (unknown && spot.inside.owner != KeyMap::kValue) return std::nullopt;
    if (info) spot.key = info;
    spot.inside = InsideOf(spot.form);
    // One of an item's keys decides its kind. That key may stand below the cursor, so the caller has looked at all of
    // them.
    if (spot.inside.owner == KeyMap::kItem) spot.inside.owner = item;
  }
  return spot;
}

std::string OpenCall(const std::string& text) {
  std::vector<std::string> open;
  std::string name;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') open.push_back(c == '(' ? name : "");
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
    // Texts in quotes are read like the rest. A parenthesis in one is rare, and its end mostly stands in it as well.
    name = IsLetter(c) || c == '.' ? name + c : "";
  }
  return open.empty() ? "" : open.back();
}

}  // namespace onnxport::codegen
