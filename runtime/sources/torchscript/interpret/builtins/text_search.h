// Where a text holds another: the time grows with the sum of their lengths (std::string::find takes their product, for
// which a program of a kilobyte can ask in one call).
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_

#include <cstddef>
#include <string_view>
#include <vector>

namespace onnxport::torchscript {

// The text that is searched for, which must live as long.
class TextSearch {
 public:
  static constexpr size_t kNowhere = std::string_view::npos;

  explicit TextSearch(std::string_view wanted);

  // As std::string_view::find and rfind.
  size_t First(std::string_view text, size_t from = 0) const;
  size_t Last(std::string_view text) const;

 private:
  // The length of what still fits once `matched` letters were right and the next one, `letter`, is added.
  size_t Next(size_t matched, char letter) const;

  std::string_view wanted_;
  // For each beginning of `wanted_`, by its length: the length of the longest shorter beginning with which it ends.
  std::vector<size_t> borders_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BUILTINS_TEXT_SEARCH_H_
