// Finds a text in another in time that grows with the sum of their lengths. std::string::find takes the product, so
// a program of a kilobyte could keep it busy with one call.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_

#include <cstddef>
#include <string_view>
#include <vector>

namespace onnxport::torchscript {

// `wanted` is the text to search for; it must outlive this.
class TextSearch {
 public:
  static constexpr size_t kNowhere = std::string_view::npos;

  explicit TextSearch(std::string_view wanted);

  // As std::string_view::find and rfind.
  size_t First(std::string_view text, size_t from = 0) const;
  size_t Last(std::string_view text) const;

 private:
  // Returns the length of the match after the next letter `letter`, if `matched` letters matched before it.
  size_t Next(size_t matched, char letter) const;

  std::string_view wanted_;
  // For each prefix of `wanted_`, by its length: the length of its longest shorter prefix that is also its suffix.
  std::vector<size_t> borders_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_
