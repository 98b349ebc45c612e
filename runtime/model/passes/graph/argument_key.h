// Turns nodes into texts, to compare them.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_ARGUMENT_KEY_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_ARGUMENT_KEY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::passes {

// A text that is equal for equal arguments, and only for them. It contains the bytes of constants. Constants of more
// than 4096 bytes are only equal if they are the same object.
class ArgumentKey {
 public:
  const std::string& text() const { return text_; }

  void Number(char tag, int64_t number);
  void Text(char tag, std::string_view text);
  void Write(const ir::Arg& arg);

 private:
  void Value(ir::None) { text_ += 'n'; }
  void Value(bool value) { Number('i', value); }
  void Value(int64_t value) { Number('i', value); }
  void Value(double value);
  void Value(const std::string& value) { Text('s', value); }
  void Value(ir::DType value) { Number('i', static_cast<int64_t>(value)); }
  void Value(const ir::Word& value) { Text('s', value.text); }
  void Value(ir::ValueId value) { Number('v', static_cast<int64_t>(value)); }
  void Value(const ir::ArgList& list);
  void Value(const std::shared_ptr<const ir::TensorData>& data);

  std::string text_;
};

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_GRAPH_ARGUMENT_KEY_H_
