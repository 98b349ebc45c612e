// A text of the interpreted program.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_

#include <cstddef>
#include <memory>
#include <string>

namespace onnxport::torchscript {

// Immutable. Copies share the letters, and so does a text that `Plus` made longer. So if a text grows in a loop, time
// and memory are linear in its length. The memory budget counts it.
class Text {
 public:
  Text() : Text(std::string()) {}
  Text(std::string text);                              // NOLINT: like a std::string
  Text(const char* text) : Text(std::string(text)) {}  // NOLINT

  // Valid until `Plus` is called on this text.
  const std::string& get() const;
  Text Plus(const Text& more) const;
  size_t size() const { return size_; }
  friend bool operator==(const Text& a, const Text& b) { return a.get() == b.get(); }

 private:
  struct Letters;

  mutable std::shared_ptr<Letters> letters_;
  size_t size_;  // number of its letters; the others belong to a longer text
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_TEXT_H_
