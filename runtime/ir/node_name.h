#ifndef ONNXPORT_RUNTIME_IR_NODE_NAME_H_
#define ONNXPORT_RUNTIME_IR_NODE_NAME_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace onnxport::ir {

// A text in one word of memory, because it is nearly always empty: only finished graphs name their nodes.
class NodeName {
 public:
  NodeName() = default;
  NodeName(std::string name) : text_(name.empty() ? nullptr : std::make_unique<const std::string>(std::move(name))) {}
  NodeName(const char* name) : NodeName(std::string(name)) {}
  NodeName(const NodeName& other) : NodeName(other.text()) {}
  NodeName(NodeName&&) = default;
  NodeName& operator=(NodeName other) {
    text_.swap(other.text_);
    return *this;
  }

  bool empty() const { return text_ == nullptr; }
  const std::string& text() const {
    static const std::string kNone;
    return text_ ? *text_ : kNone;
  }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }

  // For fmt.
  friend std::string_view format_as(const NodeName& name) { return name.text(); }

 private:
  std::unique_ptr<const std::string> text_;  // null: empty
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_NODE_NAME_H_
