// The algorithm of Knuth, Morris and Pratt: no letter of the text is looked at again.
#include "runtime/sources/torchscript/interpret/builtins/text_search.h"

namespace onnxport::torchscript {

TextSearch::TextSearch(std::string_view wanted) : wanted_(wanted), borders_(wanted.size() + 1, 0) {
  for (size_t length = 2; length <= wanted.size(); ++length)
    borders_[length] = Next(borders_[length - 1], wanted[length - 1]);
}

size_t TextSearch::Next(size_t matched, char letter) const {
  while (matched == wanted_.size() || wanted_[matched] != letter) {
    if (matched == 0) return 0;
    matched = borders_[matched];
  }
  return matched + 1;
}

size_t TextSearch::First(std::string_view text, size_t from) const {
  if (from > text.size()) return kNowhere;
  if (wanted_.empty()) return from;
  size_t matched = 0;
  for (size_t i = from; i < text.size(); ++i) {
    matched = Next(matched, text[i]);
    if (matched == wanted_.size()) return i + 1 - matched;
  }
  return kNowhere;
}

size_t TextSearch::Last(std::string_view text) const {
  if (wanted_.empty()) return text.size();
  size_t last = kNowhere;
  size_t matched = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    matched = Next(matched, text[i]);
    if (matched == wanted_.size()) last = i + 1 - matched;
  }
  return last;
}

}  // namespace onnxport::torchscript
