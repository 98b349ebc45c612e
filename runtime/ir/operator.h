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

// Facts of runtime/aten about an operator. It sets each pointer on the first request (`FindAtenSchema`, `TraitsOf`), so
// an operator is looked up once per process. The objects live for ever. A null pointer means that nobody has asked yet.
// A null schema may also mean that there is none.
struct AtenFacts {
  std::atomic<const AtenSchema*> schema = nullptr;
  std::atomic<const op_traits::OpTraits*> traits = nullptr;
};

// An operator by its name ("aten::add.Tensor", "Relu"), or an instruction of the runtime. A text never becomes an
// instruction, so a file cannot name one: `Operator("host::emptied")` is an operator of a user's library `host`.
//
// Graphs have many nodes but few operators, so nodes share the name. A copy costs no memory, and operators are compared
// by pointer. It takes no lock to create an operator with a known name, or to read any property.
class Operator {
 public:
  Operator() = default;
  // Implicit, because code names operators in calls.
  Operator(std::string_view name);
  Operator(const std::string& name) : Operator(std::string_view(name)) {}
  Operator(const char* name) : Operator(std::string_view(name)) {}
  Operator(Instruction instruction);

  std::optional<Instruction> instruction() const { return named_ ? named_->instruction : std::nullopt; }
  // For messages and printed graphs. Do not use the text of an instruction to look up an operator.
  const std::string& text() const { return named_ ? named_->text : kNoText; }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }

  // Null for an operator without a name and for an instruction, which ATen does not have.
  AtenFacts* aten() const { return named_ && !named_->instruction ? &named_->aten : nullptr; }

  // For fmt.
  friend std::string_view format_as(const Operator& op) { return op.text(); }

  friend bool operator==(const Operator&, const Operator&) = default;
  friend bool operator==(const Operator& op, Instruction instruction) { return op.instruction() == instruction; }
  // Only valid for an operator with a name.
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
    const Named* next = nullptr;  // the next one in the table of names (operator.cc)
  };
  class Names;  // the table of all names

  static const std::string kNoText;
  std::shared_ptr<const Named> named_;  // null: no name
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_OPERATOR_H_
