#include "runtime/sources/torchscript/interpret/values/instance.h"

#include <gtest/gtest.h>

#include <memory>

namespace onnxport::torchscript {
namespace {

Type Of(const std::string& name, std::vector<Type> args = {}) { return {name, std::move(args)}; }

CellPtr List(ValueList items, Type element = {}) {
  auto cell = std::make_shared<Cell>();
  cell->items = std::move(items);
  cell->element = std::move(element);
  return cell;
}

CellPtr Dict(ValueList keys, ValueList items) {
  auto cell = std::make_shared<Cell>();
  cell->kind = Cell::Kind::kDict;
  cell->keys = std::move(keys);
  cell->items = std::move(items);
  return cell;
}

TEST(InstanceTest, Types) {
  const trace::Tracer tracer(17);
  const Value number = {int64_t{3}};
  const Value tuple = {std::make_shared<const TupleValue>(TupleValue{{number, {std::string("a")}}, nullptr})};
  const struct {
    Value value;
    Type type;
    std::optional<bool> matches;
  } kCases[] = {
      {number, Of("int"), true},
      {number, Of("float"), false},
      {{true}, Of("int"), false},
      {{None{}}, Of("NoneType"), true},
      {{None{}}, Of("Optional", {Of("int")}), true},
      {number, Of("Optional", {Of("str")}), false},
      {number, Of("Union", {Of("str"), Of("int")}), true},
      {{List({number})}, Of("List", {Of("int")}), true},
      {{List({number})}, Of("List", {Of("str")}), false},
      {{List({}, Of("Tensor"))}, Of("List", {Of("int")}), false},
      {tuple, Of("Tuple", {Of("int"), Of("str")}), true},
      {tuple, Of("Tuple", {Of("int")}), false},
      {{ir::Word{"cpu"}}, Of("Device"), true},
      {number, Of("Any"), true},
      {{Dict({{std::string("a")}}, {number})}, Of("Dict", {Of("str"), Of("int")}), true},
      {{Dict({{std::string("a")}}, {number})}, Of("Dict", {Of("int"), Of("int")}), false},
      {{Dict({{std::string("a")}}, {number})}, Of("Dict", {Of("str"), Of("str")}), false},
      {{Dict({{std::string("a")}}, {number})}, Of("dict"), true},
      {{Dict({{std::string("a")}}, {number})}, Of("List", {Of("int")}), false},
      {{Dict({}, {})}, Of("Dict", {Of("str"), Of("int")}), std::nullopt},
      {{List({})}, Of("List", {Of("int")}), std::nullopt},
      {number, Of("Future", {Of("int")}), std::nullopt},
      {number, Of("__torch__.Net"), false},
  };
  for (const auto& test : kCases)
    EXPECT_EQ(IsInstanceOf(test.value, test.type, tracer), test.matches) << ToString(test.type);
}

}  // namespace
}  // namespace onnxport::torchscript
