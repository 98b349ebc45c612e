#include "codegen/declare/text.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "codegen/emit/cpp.h"
#include "codegen/emit/cpp_printer.h"
#include "runtime/ir/dtype_set.h"

namespace onnxport::codegen {
namespace {

using lowering::AttributeKind;
using lowering::NodeAttribute;
using lowering::NodeParameter;
using lowering::NodeSchema;
using lowering::NodeType;

// One literal a line.
std::string Lines(const std::string& text) {
  std::string literals;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) literals += cpp::ToText(cpp::Text(line + "\n"), 0, "");
  return literals;
}

template <typename Item, typename Write>
cpp::Expr List(std::string_view type, const std::vector<Item>& items, const Write& write) {
  cpp::Exprs exprs;
  for (const Item& item : items) exprs.push_back(write(item));
  return cpp::Object(type, std::move(exprs));
}

// In the order of the enumerations.
cpp::Expr CountOf(NodeParameter::Count count) {
  static constexpr std::string_view kNames[] = {"kOne", "kOptional", "kAny", "kSome"};
  return cpp::Name(fmt::format("NodeParameter::Count::{}", kNames[static_cast<size_t>(count)]));
}

cpp::Expr KindOf(AttributeKind kind) {
  static constexpr std::string_view kNames[] = {"kInt",  "kFloat",  "kString",  "kTensor",
                                                "kInts", "kFloats", "kStrings", "kOther"};
  return cpp::Name(fmt::format("AttributeKind::{}", kNames[static_cast<size_t>(kind)]));
}

cpp::Expr TypeOf(const NodeType& type) {
  cpp::Exprs dtypes;
  for (ir::DTypeSet rest = type.dtypes; !rest.empty(); rest = rest - ir::DTypeSet{rest.first()})
    dtypes.push_back(cpp::DTypeName(rest.first()));
  return cpp::Braces({cpp::Field("name", cpp::Text(type.name)), cpp::Field("dtypes", cpp::Braces(std::move(dtypes)))});
}

cpp::Expr ParameterOf(const NodeParameter& parameter) {
  cpp::Exprs fields = {cpp::Field("name", cpp::Text(parameter.name)), cpp::Field("type", cpp::Text(parameter.type)),
                       cpp::Field("count", CountOf(parameter.count)), cpp::Field("dims", cpp::Name("std::nullopt"))};
  if (parameter.dims)
    // With its type: `{}` would be an optional without a value (any rank), and not one with an empty list (a scalar).
    fields.back() = cpp::Field("dims", List("std::vector<std::string>", *parameter.dims,
                                            [](const std::string& word) { return cpp::Text(word); }));
  return cpp::Braces(std::move(fields));
}

cpp::Expr AttributeOf(const NodeAttribute& attribute) {
  return cpp::Braces(
      {cpp::Field("name", cpp::Text(attribute.name)), cpp::Field("kind", KindOf(attribute.kind)),
       cpp::Field("required", cpp::Name(attribute.required ? "true" : "false")),
       cpp::Field("number", attribute.number ? cpp::Int(*attribute.number) : cpp::Name("std::nullopt"))});
}

std::string SchemaText(const NodeSchema& schema) {
  const cpp::Expr expr = cpp::Braces(
      {cpp::Field("name", cpp::Text(schema.name)), cpp::Field("version", cpp::Int(schema.version)),
       cpp::Field("pure", cpp::Name(schema.pure ? "true" : "false")),
       cpp::Field("types", List("", schema.types, TypeOf)), cpp::Field("inputs", List("", schema.inputs, ParameterOf)),
       cpp::Field("attributes", List("", schema.attributes, AttributeOf)),
       cpp::Field("outputs", List("", schema.outputs, ParameterOf)), cpp::Field("place", cpp::Text(schema.place))});
  return cpp::ToText(expr, 0, ",");
}

}  // namespace

std::string DeclarationsText(const Declarations& declarations, Templates* templates, std::string_view owner) {
  std::string nodes;
  for (const NodeSchema& schema : declarations.nodes) nodes += SchemaText(schema);
  return templates->Fill("declarations.cc", {{"nodes", nodes}, {"owner", std::string(owner)}});
}

std::string AtenDeclarationsText(const Declarations& declarations, Templates* templates, std::string_view owner) {
  return templates->Fill(
      "aten_declarations.cc",
      {{"aten", Lines(declarations.aten)}, {"order", Lines(declarations.order)}, {"owner", std::string(owner)}});
}

}  // namespace onnxport::codegen
