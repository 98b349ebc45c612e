// A device, a layout or a memory format.
#ifndef ONNXPORT_RUNTIME_IR_WORD_H_
#define ONNXPORT_RUNTIME_IR_WORD_H_

#include <string>

namespace onnxport::ir {

// Kept as text: "cpu", "strided", "contiguous_format".
struct Word {
  std::string text;
  friend bool operator==(const Word&, const Word&) = default;
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_WORD_H_
