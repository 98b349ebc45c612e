#include "runtime/sources/torchscript/interpret/control/pattern.h"

#include <gtest/gtest.h>

#include <memory>

namespace onnxport::torchscript {
namespace {

using Kind = Pattern::Kind;

Value Int(int64_t number) { return {number}; }
Value Tuple(ValueList items) { return {std::make_shared<const TupleValue>(TupleValue{std::move(items), nullptr})}; }

class PatternTest : public testing::Test {
 protected:
  Value Input(const std::string& name, ir::Dims dims) {
    ir::Value type;
    type.dtype = ir::DType::kFloat32;
    type.dims = std::move(dims);
    return {Tensor{tracer_.AddInput(name, type)}};
  }
  bool Widen(const Value& before, const Value& after) { return patterns_.Widen(&pattern_, before, after, "x"); }

  Heap heap_;
  trace::Tracer tracer_{17};
  PatternMaker patterns_{&heap_, tracer_};
  Pattern pattern_;
};

TEST_F(PatternTest, WhatStaysIsNotCarried) {
  EXPECT_FALSE(Widen(Int(1), Int(1)));
  EXPECT_EQ(pattern_.kind, Kind::kSame);
}

TEST_F(PatternTest, NumbersAndTensorsAreLeaves) {
  EXPECT_TRUE(Widen(Int(0), Int(1)));
  EXPECT_EQ(pattern_.kind, Kind::kLeaf);
  EXPECT_EQ(pattern_.type.kind, ir::ValueKind::kInt);
  EXPECT_FALSE(Widen(Int(0), Int(2)));
}

TEST_F(PatternTest, SizesThatChangeBecomeUnknownAndSettle) {
  const Value x = Input("x", {2, 3});
  EXPECT_TRUE(Widen(x, Input("y", {2, 4})));
  ASSERT_TRUE(patterns_.why().empty()) << patterns_.why();
  EXPECT_EQ((*pattern_.type.dims)[0].ToString(), "2");
  EXPECT_TRUE((*pattern_.type.dims)[1].is_unknown());
  EXPECT_FALSE(Widen(x, Input("z", {2, 5})));
}

TEST_F(PatternTest, OnlyTheMembersThatChangeAreCarried) {
  EXPECT_TRUE(Widen(Tuple({Int(1), Int(7)}), Tuple({Int(2), Int(7)})));
  ASSERT_EQ(pattern_.kind, Kind::kMembers);
  EXPECT_EQ(pattern_.members[0].kind, Kind::kLeaf);
  EXPECT_EQ(pattern_.members[1].kind, Kind::kSame);
  const Value built = patterns_.Build(pattern_, Tuple({Int(1), Int(7)}),
                                      [](const Pattern&, const Value&) { return ir::Arg{int64_t{9}}; });
  const auto& items = (*built.As<TuplePtr>())->items;
  EXPECT_EQ(*items[0].As<int64_t>(), 9);
  EXPECT_EQ(*items[1].As<int64_t>(), 7);
}

TEST_F(PatternTest, AnEmptyListThatGrowsByOneMayBeAScanOutput) {
  const Value x = Input("x", {4});
  const Value before = {heap_.NewList({})};
  EXPECT_TRUE(Widen(before, {heap_.NewList({x})}));
  EXPECT_EQ(pattern_.kind, Kind::kScan);
  EXPECT_EQ(pattern_.element.name, "Tensor");
  const Value inside =
      patterns_.Build(pattern_, before, [](const Pattern&, const Value&) { return ir::Arg{ir::None{}}; });
  EXPECT_EQ((*inside.As<CellPtr>())->scan, pattern_.scan);
  EXPECT_NE(pattern_.scan, 0);
}

TEST_F(PatternTest, AListThatGrowsIsASequence) {
  const Value x = Input("x", {4});
  EXPECT_TRUE(Widen({heap_.NewList({x})}, {heap_.NewList({x, x})}));
  EXPECT_EQ(pattern_.kind, Kind::kSequence);
  EXPECT_EQ(pattern_.type.kind, ir::ValueKind::kSequence);
  EXPECT_EQ(pattern_.element.name, "Tensor");
}

TEST_F(PatternTest, WhatDoesNotFitSaysWhy) {
  Widen({None{}}, Input("x", {4}));
  EXPECT_NE(patterns_.why().find("`x` is None before an iteration and Tensor after it"), std::string::npos)
      << patterns_.why();
  EXPECT_TRUE(patterns_.changes_form());
}

}  // namespace
}  // namespace onnxport::torchscript
