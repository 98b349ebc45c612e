// What a node does.
#ifndef ONNXPORT_RUNTIME_IR_OPERATOR_H_
#define ONNXPORT_RUNTIME_IR_OPERATOR_H_

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/ir/instruction.h"

namespace onnxport::ir {

// An operator by its name ("aten::add.Tensor", "Relu"), or an instruction of the runtime's own. No text becomes an
// instruction, so no file can name one: `Operator("host::emptied")` is an operator of somebody's library `host`.
class Operator {
 public:
  Operator() = default;
  // Implicit: code names operators in calls.
  Operator(std::string name) : name_(std::move(name)) {}
  Operator(std::string_view name) : name_(name) {}
  Operator(const char* name) : name_(name) {}
  Operator(Instruction instruction) : instruction_(instruction) {}

  std::optional<Instruction> instruction() const { return instruction_; }
  // For people and printed graphs. Do not look up an operator by that of an instruction.
  const std::string& text() const { return instruction_ ? TextOf(*instruction_) : name_; }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }

  // For fmt.
  friend std::string_view format_as(const Operator& op) { return op.text(); }

  friend bool operator==(const Operator&, const Operator&) = default;
  friend bool operator==(const Operator& op, Instruction instruction) { return op.instruction_ == instruction; }
  // Only of an operator that has a name.
  template <typename Text>
    requires std::convertible_to<const Text&, std::string_view> && (!std::same_as<Text, Operator>)
  friend bool operator==(const Operator& op, const Text& name) {
    return !op.instruction_ && op.name_ == std::string_view(name);
  }

 private:
  std::string name_;
  std::optional<Instruction> instruction_;
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_OPERATOR_H_
