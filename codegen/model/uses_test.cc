#include "codegen/model/uses.h"

#include <gtest/gtest.h>

#include "codegen/load/expression_for_test.h"

namespace onnxport::codegen {
namespace {

// "a b? c": names in order, a mark for those that are not sure to be used.
std::string Text(const Uses& uses) {
  std::string text;
  for (const auto& [name, sure] : uses) text += (text.empty() ? "" : " ") + name + (sure ? "" : "?");
  return text;
}

TEST(Uses, WhatIsSureToBeEvaluated) {
  const std::pair<const char*, const char*> kCases[] = {
      {"Add(a, b) + float32", "a b"},
      {"a if b else c", "a? b c?"},
      {"a + b if c else a", "a b? c"},
      {"a and b", "a b?"},
      {"a or b", "a b?"},
      {"[f(x, a) for x in b if c]", "a? b c?"},
      {"statically_true(a == 1)", "a?"},
      {"Conv(a, **k, group=b)", "a b k"},
      {"a[b:c]", "a b c"},
  };
  for (const auto& [expr, uses] : kCases) EXPECT_EQ(Text(UsesOf(*ParseForTest(expr), {})), uses) << expr;
}

TEST(Uses, ThroughDefinitions) {
  Def def;
  def.name = "f";
  def.params = {"x"};
  def.cases = {Case()};
  def.cases[0].body.emit = {ParseForTest("x + outer if x else other")};
  EXPECT_EQ(Text(UsesOf(*ParseForTest("f(a)"), std::span(&def, 1))), "a other? outer?");
  // A name of the fold itself is no use from outside.
  def.repetition = Repetition();
  def.repetition->each = {"i"};
  def.repetition->in = ParseForTest("list");
  def.repetition->init = {{{"sum"}, ParseForTest("first"), {}}};
  def.repetition->next = {{{"sum"}, ParseForTest("sum + i + each"), {}}};
  def.cases[0].body.emit = {ParseForTest("sum + x")};
  EXPECT_EQ(Text(UsesOf(*ParseForTest("f(a)"), std::span(&def, 1))), "a each first list");
  std::set<std::string> calls;
  AddCalls(*ParseForTest("Relu(f(rank(x)))"), &calls);
  EXPECT_EQ(calls, std::set<std::string>{"f"});
}

}  // namespace
}  // namespace onnxport::codegen
