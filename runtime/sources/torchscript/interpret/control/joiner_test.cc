#include "runtime/sources/torchscript/interpret/control/joiner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace onnxport::torchscript {
namespace {

Value Int(int64_t number) { return {number}; }
Value Unset() { return {Missing{.reason = "never set", .reported = false, .unset = true}}; }
Value Tuple(ValueList items) { return {std::make_shared<const TupleValue>(TupleValue{std::move(items), nullptr})}; }

class JoinerTest : public testing::Test {
 protected:
  Value Input(const std::string& name) {
    ir::Value type;
    type.dtype = ir::DType::kFloat32;
    type.dims = ir::Dims{2};
    return {Tensor{tracer_.AddInput(name, type)}};
  }

  Heap heap_;
  trace::Tracer tracer_{17};
  Joiner joiner_{&heap_, tracer_};
};

TEST_F(JoinerTest, EqualHostValuesNeedNoChoice) {
  EXPECT_EQ(*joiner_.Join(Int(3), Int(3), "n").As<int64_t>(), 3);
  EXPECT_EQ(*joiner_.Join({std::string("a")}, {std::string("a")}, "s").As<std::string>(), "a");
  EXPECT_TRUE(joiner_.pairs().empty());
}

TEST_F(JoinerTest, WhatIsNeverUsedTakesTheOtherSide) {
  EXPECT_EQ(*joiner_.Join(Unset(), Int(3), "n").As<int64_t>(), 3);
  EXPECT_TRUE(*joiner_.Join({true}, Unset(), "flag").As<bool>());
  joiner_.Join(Unset(), Input("x"), "x");
  ASSERT_EQ(joiner_.pairs().size(), 1U);
  EXPECT_TRUE(joiner_.pairs()[0].then.is_none());
}

TEST_F(JoinerTest, WhatOneSideMadeLeavesItLeafByLeaf) {
  const Value x = Input("x");
  const uint64_t mark = heap_.NewSerial();
  const Value made = {heap_.NewList({x, Int(5)})};
  Joiner joiner(&heap_, tracer_, ir::ValueId::kNone, mark);
  joiner.Join(Unset(), Tuple({made, Int(7)}), "result");
  ASSERT_EQ(joiner.pairs().size(), 1U);
  EXPECT_TRUE(joiner.pairs()[0].then.is_none());
  const Value y = Input("y");
  joiner.SetResults({{y.As<Tensor>()->id}});
  const Value joined = joiner.Join(Unset(), Tuple({made, Int(7)}), "result");
  const auto& items = (*joined.As<TuplePtr>())->items;
  EXPECT_EQ((*items[0].As<CellPtr>())->items[0].As<Tensor>()->id, y.As<Tensor>()->id);
  EXPECT_EQ(*(*items[0].As<CellPtr>())->items[1].As<int64_t>(), 5);
  EXPECT_EQ(*items[1].As<int64_t>(), 7);
}

// A list that may be another one still may be it, where only one side goes on.
TEST_F(JoinerTest, WhatOneSideMadeKeepsItsTies) {
  const CellPtr older = heap_.NewList({Int(1)});
  const uint64_t mark = heap_.NewSerial();
  const CellPtr made = heap_.NewList({Int(1)});
  heap_.Tie(made, older);
  Joiner joiner(&heap_, tracer_, ir::ValueId::kNone, mark);
  const Value joined = joiner.Join(Unset(), Value{made}, "l");
  const std::vector<CellPtr> tied = heap_.TiedTo(**joined.As<CellPtr>());
  EXPECT_NE(std::ranges::find(tied, older), tied.end());
}

TEST_F(JoinerTest, AnOlderListStaysItself) {
  const Value list = {heap_.NewList({Input("x")})};
  Joiner joiner(&heap_, tracer_, ir::ValueId::kNone, heap_.NewSerial());
  EXPECT_EQ(*joiner.Join(list, Unset(), "l").As<CellPtr>(), *list.As<CellPtr>());
  EXPECT_TRUE(joiner.pairs().empty());
}

TEST_F(JoinerTest, EqualPairsAreChosenOnce) {
  const Value x = Input("x");
  const Value y = Input("y");
  const auto join = [&] { return joiner_.Join(Tuple({x, x}), Tuple({y, y}), "t"); };
  join();
  ASSERT_EQ(joiner_.pairs().size(), 1U);
  joiner_.SetResults({{y.As<Tensor>()->id}});
  const Value joined = join();
  const auto& items = (*joined.As<TuplePtr>())->items;
  EXPECT_EQ(items[0].As<Tensor>()->id, y.As<Tensor>()->id);
  EXPECT_EQ(items[1].As<Tensor>()->id, y.As<Tensor>()->id);
}

TEST_F(JoinerTest, WhatDoesNotFitSaysWhyWhereItIsUsed) {
  const Value texts = joiner_.Join({std::string("a")}, {std::string("b")}, "mode");
  ASSERT_TRUE(texts.As<Missing>());
  EXPECT_NE(texts.As<Missing>()->reason.text.find("`mode`"), std::string::npos);
  EXPECT_FALSE(texts.As<Missing>()->reported);
  const Value optional = joiner_.Join({None{}}, Input("x"), "state");
  ASSERT_TRUE(optional.As<Missing>());
  EXPECT_NE(optional.As<Missing>()->reason.text.find("None on one side"), std::string::npos);
}

TEST_F(JoinerTest, ListsOfOneLengthAreJoinedElementByElement) {
  const Value a = {heap_.NewList({Int(1), Int(2)})};
  const Value b = {heap_.NewList({Int(1), Int(5)})};
  joiner_.Join(a, b, "l");
  ASSERT_EQ(joiner_.pairs().size(), 1U);
  EXPECT_EQ(std::get<int64_t>(joiner_.pairs()[0].then.v), 2);
  EXPECT_EQ(std::get<int64_t>(joiner_.pairs()[0].otherwise.v), 5);
  const Value shorter = {heap_.NewList({Int(1)})};
  EXPECT_TRUE(joiner_.Join(a, shorter, "l").As<Missing>());
}

TEST_F(JoinerTest, ASecondNameOfWhatDoesNotFitFitsAsLittle) {
  const Value longer = {heap_.NewList({Int(1), Int(2)})};
  const Value shorter = {heap_.NewList({Int(1)})};
  EXPECT_TRUE(joiner_.Join(longer, shorter, "a").As<Missing>());
  EXPECT_TRUE(joiner_.Join(longer, shorter, "b").As<Missing>());
  const Value dict = {heap_.NewDict({{std::string("a")}}, {Int(1)})};
  const Value other = {heap_.NewDict({{std::string("b")}}, {Int(1)})};
  EXPECT_TRUE(joiner_.Join(dict, other, "a").As<Missing>());
  EXPECT_TRUE(joiner_.Join(dict, other, "b").As<Missing>());
}

}  // namespace
}  // namespace onnxport::torchscript
