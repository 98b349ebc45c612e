// A text of the interpreted program.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_

#include <cstddef>
#include <memory>
#include <string>

namespace onnxport::torchscript {

// Immutable. Copies share the letters; so does what is longer by `Plus`, so that a text that grows in a loop takes time
// and memory that grow with its length. Counted by the memory budget.
class Text {
 public:
  Text() : Text(std::string()) {}
  Text(std::string text);                              // NOLINT: stands for a std::string
  Text(const char* text) : Text(std::string(text)) {}  // NOLINT

  // Good until `Plus` is called on this text.
  const std::string& get() const;
  Text Plus(const Text& more) const;
  size_t size() const { return size_; }
  friend bool operator==(const Text& a, const Text& b) { return a.get() == b.get(); }

 private:
  struct Letters;

  mutable std::shared_ptr<Letters> letters_;
  size_t size_;  // how many of them; the others belong to a longer text
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_
