#include "codegen/check/attribute_check.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace onnxport::codegen {
namespace {

// An int attribute takes a number or a dtype, as `to` of Cast is one; a tensor (`value` of ConstantOfShape) is written
// as a number or a list of them.
uint16_t KindsTaken(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return Kind::kNumber | Kind::kDType;
    case AttributeKind::kFloat:
      return Kind::kNumber;
    case AttributeKind::kString:
      return Kind::kText;
    case AttributeKind::kInts:
    case AttributeKind::kFloats:
    case AttributeKind::kStrings:
      return Kind::kList;
    case AttributeKind::kTensor:
      return Kind::kNumber | Kind::kList;
    case AttributeKind::kOther:
      return 0;
  }
  return 0;
}

uint16_t ElementsTaken(AttributeKind kind) {
  return kind == AttributeKind::kStrings ? uint16_t{Kind::kText} : uint16_t{Kind::kNumber};
}

// For messages.
std::string_view Described(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInt:
      return "an int";
    case AttributeKind::kInts:
      return "a list of ints";
    case AttributeKind::kFloat:
      return "a float";
    case AttributeKind::kFloats:
      return "a list of floats";
    case AttributeKind::kString:
      return "a string";
    case AttributeKind::kStrings:
      return "a list of strings";
    case AttributeKind::kTensor:
      return "a tensor";
    case AttributeKind::kOther:
      return "a graph or a type";
  }
  return "";
}

}  // namespace

void CheckAttribute(const AttributeInfo& attribute, std::string_view node, const Operand& operand,
                    const NodeContext& context) {
  const Place& place = operand.expr->place;
  const uint16_t takes = KindsTaken(attribute.kind);
  const bool list = takes == Kind::kList;
  const bool fits = operand.kind.unknown() || operand.kind.Only(Kind::kNone) || operand.kind.May(takes);
  const bool elements_fit = !list || !operand.kind.May(Kind::kList) ||
                            (!operand.kind.element && operand.kind.items.empty()) ||
                            operand.kind.Element().May(ElementsTaken(attribute.kind));
  if (takes == 0)
    context.issues->Add(place, context.opset,
                        fmt::format("attribute `{}` of {} is {}, which specs cannot give", attribute.name, node,
                                    Described(attribute.kind)));
  else if (!fits || !elements_fit)
    context.issues->Add(place, context.opset,
                        fmt::format("attribute `{}` of {} is {}, here is {}", attribute.name, node,
                                    Described(attribute.kind), ToText(operand.kind)));
  else if (attribute.required && operand.kind.May(Kind::kNone) && !operand.kind.unknown())
    context.issues->Add(place, context.opset,
                        fmt::format("attribute `{}` of {} is required, and this may be None", attribute.name, node));
}

}  // namespace onnxport::codegen
