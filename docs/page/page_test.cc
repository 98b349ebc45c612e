#include "docs/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "docs/page/measured.h"

namespace onnxport::page {
namespace {

using codegen::Row;
using nlohmann::json;

std::map<std::string, Measured> Read(const std::string& text) {
  std::istringstream in(text);
  return ReadMeasured(in);
}

TEST(ReadMeasured, LeavesOutTheCalls) {
  const auto operators = Read(
      "# written by\n"
      "aten::relu: 5 of 8 agree, 01234567: f16@14 f32@7,14\n"
      "  refused f32@7: no case, of: the spec | (self=T[2], x=[(1, 2)]) of unknown sizes\n"
      "  refused bool@7: no case, of: the spec | (self=T[3]); (self=T[4])\n"
      "  no kernel bf16@14: Relu | a run's `dim`\n"
      "  no kernel bf16@7: Relu | (self=T[3]); a run's `dim`\n"
      "  not run here f32@7\n"
      "  wrong f64@7,14: NaN 0123abcd | (self=T[3])\n");
  const Measured& relu = operators.at("aten::relu");
  EXPECT_EQ(relu.agree, 5);
  EXPECT_EQ(relu.cells, 8);
  const std::map<Outcome, Cells> expected = {{{"agrees", "", false}, {{"f16", {14}}, {"f32", {7, 14}}}},
                                             {{"refused", "no case, of: the spec", true}, {{"f32", {7}}}},
                                             {{"refused", "no case, of: the spec", false}, {{"bool", {7}}}},
                                             {{"no kernel", "Relu", true}, {{"bf16", {7, 14}}}},
                                             {{"no kernel", "Relu", false}, {{"bf16", {7}}}},
                                             {{"wrong", "NaN", false}, {{"f64", {7, 14}}}}};
  EXPECT_EQ(relu.outcomes, expected);
}

TEST(ReadMeasured, RefusesOtherLines) {
  for (const char* text :
       {"  refused f32@7: no | (x)\n", "aten::relu: all agree\n", "aten::relu: 1 of 1 agree\n  agrees f32@7\n"}) {
    EXPECT_THROW(Read(text), std::exception) << text;
  }
}

Row RowOf(const std::string& overload, int since, int until, Row::Kind kind, const std::string& symbol) {
  return {
      .overload = overload, .since = since, .until = until, .kind = kind, .symbol = symbol, .place = "spec/a.yaml:3"};
}

TEST(Data, HasFormsRemarksAndWhatWasMeasured) {
  const codegen::RowsFile file = {.family = "a",
                                  .rows = {RowOf("aten::b", 11, 28, Row::Kind::kFunction, "b"),
                                           RowOf("aten::b", 7, 10, Row::Kind::kRefusal, "needs </script> 11"),
                                           RowOf("aten::a", 7, 28, Row::Kind::kHook, "a")},
                                  .remarks = {{.overload = "aten::b", .text = "needs </script> 11", .opsets = {7, 8}}}};
  const std::string text = Data({file}, Read("aten::b: 1 of 2 agree, 01234567: f32@11\n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("</script>")));
  const json data = json::parse(text);
  ASSERT_EQ(data["operators"].size(), 2);
  EXPECT_EQ(data["operators"][0]["name"], "aten::a");
  EXPECT_EQ(data["operators"][0]["cells"], 0);
  EXPECT_EQ(data["operators"][1], json::parse(R"({"name": "aten::b", "spec": "spec/a.yaml", "agree": 1, "cells": 2,
      "forms": [[7, 10, "needs </script> 11"], [11, 28, ""]], "remarks": [["needs </script> 11", [7, 8]]], "outcomes": [["agrees", "", {"f32": [11]}, 0]]})"));
}

TEST(Fill, NeedsAPlace) {
  EXPECT_EQ(Fill("<script>/*DATA*/;</script>", "{}"), "<script>{};</script>");
  EXPECT_THROW(Fill("<script></script>", "{}"), std::exception);
}

}  // namespace
}  // namespace onnxport::page
