// Maps that are written in braces, `{axis: 1, steps: [2]}`. The lines' indentation says nothing of them, so the text
// from the brace to the cursor is read character by character.
#include "codegen/help/flow.h"

#include <string>
#include <utility>
#include <vector>

#include "codegen/help/cursor.h"

namespace onnxport::codegen {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \"'");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \"'") + 1 - begin);
}

// Reads up to the cursor. Brackets of expressions hide what is in them.
class FlowReader {
 public:
  void Read(const std::string& text) {
    for (size_t i = 0; i < text.size(); ++i) {
      const char next = i + 1 < text.size() ? text[i + 1] : ' ';
      if (!Structure(text[i], next)) token_ += text[i];
    }
  }

  void Write(Cursor* cursor) {
    if (keys_.empty()) return;
    // While a key is being written it is not one yet: the keys before it in its map are its siblings.
    const size_t whole = keys_.size() - (in_key_ ? 1 : 0);
    for (size_t i = 0; i < whole; ++i) cursor->path.push_back(keys_[i].back());
    if (in_key_) cursor->siblings = keys_.back();
    cursor->at_key = in_key_;
    cursor->begins_line = false;
    const size_t begin = token_.find_first_not_of(' ');
    cursor->before = begin == std::string::npos ? "" : token_.substr(begin);
  }

 private:
  // Returns whether the character belongs to the map's own structure.
  bool Structure(char c, char next) {
    // Quotes before brackets, brackets before the map's own characters: each hides all that comes after it in this
    // list.
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
      return false;
    }
    if (c == '"' || c == '\'') quote_ = c;
    if (c == '(' || c == '[') ++round_;
    if (c == ')' || c == ']') --round_;
    if (round_ > 0 || c == ')' || c == ']') return false;
    if (c == '{') {
      keys_.emplace_back();
    } else if (c == '}') {
      if (!keys_.empty()) keys_.pop_back();
    } else if (c == ':' && in_key_ && next == ' ') {
      keys_.back().push_back(Trimmed(token_));
    } else if (c != ',') {
      return false;
    }
    in_key_ = c == '{' || c == ',';
    token_.clear();
    return true;
  }

  std::vector<std::vector<std::string>> keys_;  // of each map that is open, those it has so far
  std::string token_;
  bool in_key_ = false;
  int round_ = 0;
  char quote_ = 0;
};

}  // namespace

void EnterFlow(Cursor* cursor) {
  if (cursor->at_key || cursor->before.find_first_not_of(' ') == std::string::npos) return;
  if (cursor->before[cursor->before.find_first_not_of(' ')] != '{') return;
  FlowReader reader;
  reader.Read(cursor->before);
  reader.Write(cursor);
}

}  // namespace onnxport::codegen
