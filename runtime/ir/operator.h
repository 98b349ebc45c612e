// The operator of a node.
#ifndef ONNXPORT_RUNTIME_IR_OPERATOR_H_
#define ONNXPORT_RUNTIME_IR_OPERATOR_H_

#include <atomic>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/instruction.h"

namespace onnxport::op_traits {
struct OpTraits;
}  // namespace onnxport::op_traits

namespace onnxport::ir {

struct AtenSchema;

// Facts that runtime/aten knows about an operator. It sets each pointer the first time that somebody asks
// (`FindAtenSchema`, `TraitsOf`), so an operator is looked up once in a process. The objects live for ever. A null
// pointer means that nobody has asked yet; a null schema may also mean that there is none.
struct AtenFacts {
  std::atomic<const AtenSchema*> schema = nullptr;
  std::atomic<const op_traits::OpTraits*> traits = nullptr;
};

// An operator by its name ("aten::add.Tensor", "Relu"), or an instruction of the runtime's own. No text becomes an
// instruction, so no file can name one: `Operator("host::emptied")` is an operator of somebody's library `host`.
//
// Graphs have few operators and many nodes, so nodes with one name share it: a copy costs no memory, and two operators
// are compared by where their names are. To make one of a name that the process has seen takes no lock, nor does any
// question about it.
class Operator {
 public:
  Operator() = default;
  // Implicit: code names operators in calls.
  Operator(std::string_view name);
  Operator(const std::string& name) : Operator(std::string_view(name)) {}
  Operator(const char* name) : Operator(std::string_view(name)) {}
  Operator(Instruction instruction);

  std::optional<Instruction> instruction() const { return named_ ? named_->instruction : std::nullopt; }
  // For people and printed graphs. Do not look up an operator by that of an instruction.
  const std::string& text() const { return named_ ? named_->text : kNoText; }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }

  // Null for an operator without a name and for an instruction: ATen has neither.
  AtenFacts* aten() const { return named_ && !named_->instruction ? &named_->aten : nullptr; }

  // For fmt.
  friend std::string_view format_as(const Operator& op) { return op.text(); }

  friend bool operator==(const Operator&, const Operator&) = default;
  friend bool operator==(const Operator& op, Instruction instruction) { return op.instruction() == instruction; }
  // Only of an operator that has a name.
  template <typename Text>
    requires std::convertible_to<const Text&, std::string_view> && (!std::same_as<Text, Operator>)
  friend bool operator==(const Operator& op, const Text& name) {
    return !op.instruction() && op.text() == std::string_view(name);
  }

 private:
  struct Named {
    Named(std::string_view text, std::optional<Instruction> instruction) : text(text), instruction(instruction) {}

    std::string text;
    std::optional<Instruction> instruction;
    mutable AtenFacts aten;
    const Named* next = nullptr;  // of the names that stay (operator.cc)
  };
  class Names;  // all that there are

  static const std::string kNoText;
  std::shared_ptr<const Named> named_;  // null: no name
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_OPERATOR_H_
