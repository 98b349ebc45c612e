#include "runtime/lowering/dsl/builtins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::builtins_test {
namespace {

constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

struct Arithmetic {
  Val result;
  const char* expected;
};

// Python's result of the same expression.
TEST(Val, ArithmeticIsPythons) {
  const Arithmetic kCases[] = {
      {Val(7) + 2, "9"},
      {Val(true) + true, "2"},
      {Val(7) / 2, "3.5"},
      {Val(8) / 2, "4.0"},
      {FloorDiv(7, 2), "3"},
      {FloorDiv(-7, 2), "-4"},
      {FloorDiv(7, -2), "-4"},
      {FloorDiv(-7, -2), "3"},
      {FloorDiv(-7.5, 2), "-4.0"},
      {Val(7) % 3, "1"},
      {Val(-7) % 3, "2"},
      {Val(7) % -3, "-2"},
      {Val(-7) % -3, "-1"},
      {Val(-7.5) % 2, "0.5"},
      {Val(kSmallest) % -1, "0"},
      {Pow(2, 10), "1024"},
      {Pow(2, -1), "0.5"},
      {Pow(-1, 3), "-1"},
      {Pow(1, 1 << 30), "1"},
      {-Val(3), "-3"},
      {Val(Vals{1, 2}) + Val(Vals{3}), "[1, 2, 3]"},
      {Val(Vals{0}) * 3, "[0, 0, 0]"},
      {Val(2) * Val(Vals{1}), "[1, 1]"},
      {Val(Vals{1}) * -1, "[]"},
  };
  for (const Arithmetic& c : kCases) EXPECT_EQ(c.result.ToString(), c.expected);
}

TEST(Val, RefusesWhatPythonOr64BitsCannot) {
  EXPECT_NE(RefusalOf([] { Val(1) / 0; }), "");
  EXPECT_NE(RefusalOf([] { FloorDiv(1, 0); }), "");
  EXPECT_NE(RefusalOf([] { Val(1) % 0; }), "");
  EXPECT_NE(RefusalOf([] { Val(kSmallest) - 1; }), "");
  EXPECT_NE(RefusalOf([] { -Val(kSmallest); }), "");
  EXPECT_NE(RefusalOf([] { FloorDiv(kSmallest, -1); }), "");
  EXPECT_NE(RefusalOf([] { Pow(10, 19); }), "");
  EXPECT_NE(RefusalOf([] { Val("a") + 1; }), "");
  EXPECT_NE(RefusalOf([] { Val(Vals{1, 2}) * (1 << 30); }), "");
  EXPECT_NE(RefusalOf([] { Val(0.5).AsInt(); }), "");
  EXPECT_NE(RefusalOf([] { Val(1e30).AsInt(); }), "");
}

TEST(Val, IndexesAndSlicesAsPython) {
  const Val list = Vals{10, 11, 12, 13};
  EXPECT_EQ(list[-1].AsInt(), 13);
  EXPECT_EQ(list.Slice(1, -1).ToString(), "[11, 12]");
  EXPECT_EQ(list.Slice(Val(), 2).ToString(), "[10, 11]");
  EXPECT_EQ(list.Slice(-2, Val()).ToString(), "[12, 13]");
  EXPECT_EQ(list.Slice(3, 1).ToString(), "[]");
  EXPECT_EQ(list.Slice(-100, 100).ToString(), "[10, 11, 12, 13]");
  EXPECT_NE(RefusalOf([&] { list[4]; }), "");
}

TEST(Val, ComparesAsPython) {
  EXPECT_TRUE(Val(1) == Val(1.0));
  EXPECT_TRUE(Val(true) == Val(1));
  EXPECT_TRUE(Val("same") == Val(ir::Word{"same"}));
  EXPECT_TRUE(Val() == Val());
  EXPECT_FALSE(Val() == Val(0));
  EXPECT_FALSE(Val("1") == Val(1));
  EXPECT_TRUE(Val(Vals{1, 2}) == Val(Vals{1, 2}));
  EXPECT_FALSE(Val(Vals{1, 2}) == Val(Vals{1}));
  EXPECT_TRUE(Val(1) < Val(1.5));
  EXPECT_FALSE(Val(std::nan("")) <= Val(1));
  EXPECT_FALSE(Val(1) >= Val(std::nan("")));
  EXPECT_TRUE(Contains(Vals{1, 2}, 2));
  EXPECT_FALSE(Contains(Vals{}, 2));
  EXPECT_TRUE(Val(DType::kBool) == Val(DType::kBool));
}

TEST(Val, ListBuiltins) {
  EXPECT_EQ(range(3).ToString(), "[0, 1, 2]");
  EXPECT_EQ(range(5, 0, -2).ToString(), "[5, 3, 1]");
  EXPECT_EQ(swap(range(4), 1, -1).ToString(), "[0, 3, 2, 1]");
  EXPECT_EQ(swap(Vals{}, 0, -1).ToString(), "[]");
  EXPECT_EQ(repeat_to(2, 3).ToString(), "[2, 2, 2]");
  EXPECT_EQ(repeat_to(Vals{2}, 2).ToString(), "[2, 2]");
  EXPECT_EQ(repeat_to(Vals{1, 2}, 2).ToString(), "[1, 2]");
  EXPECT_NE(RefusalOf([] { repeat_to(Vals{1, 2}, 3); }), "");
  EXPECT_EQ(inverse_perm(Vals{2, 0, 1}).ToString(), "[1, 2, 0]");
  EXPECT_EQ(without(range(4), Vals{1, 3}).ToString(), "[0, 2]");
  EXPECT_EQ(move_last(range(3), 0).ToString(), "[1, 2, 0]");
  EXPECT_EQ(sorted(Vals{3, 1, 2}).ToString(), "[1, 2, 3]");
  EXPECT_EQ(reversed(range(3)).ToString(), "[2, 1, 0]");
  EXPECT_EQ(zip(Vals{1, 2}, Vals{3, 4, 5}).ToString(), "[[1, 3], [2, 4]]");
  EXPECT_EQ(enumerate(Vals{7}).ToString(), "[[0, 7]]");
  EXPECT_EQ(product(Vals{2, 3}).AsInt() + sum(Vals{1, 1}).AsInt(), 8);
  EXPECT_EQ(max(Vals{1, 5, 2}).AsInt(), 5);
  EXPECT_EQ(min(Vals{4, 5, 2}).AsInt(), 2);
  EXPECT_EQ(normal_axis(-1, 3).AsInt(), 2);
  EXPECT_EQ(normal_axis(-1, 0).AsInt(), 0);
  EXPECT_NE(RefusalOf([] { normal_axis(3, 3); }), "");
}

TEST(Val, NumberBuiltins) {
  EXPECT_EQ(to_int(-2.7).AsInt(), -2);
  EXPECT_EQ(to_int(2.7).AsInt(), 2);
  EXPECT_EQ(floor(-2.5).AsInt(), -3);
  EXPECT_EQ(ceil(2.1).AsInt(), 3);
  EXPECT_EQ(iinfo_min(DType::kInt8).AsInt(), -128);
  EXPECT_EQ(iinfo_max(DType::kUInt16).AsInt(), 65535);
  EXPECT_EQ(iinfo_max(DType::kInt64).AsInt(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(finfo_max(DType::kFloat16).AsFloat(), 65504);
  EXPECT_EQ(finfo_max(DType::kFloat8E4M3FN).AsFloat(), 448);
  EXPECT_EQ(finfo_min(DType::kFloat8E5M2).AsFloat(), -57344);
  EXPECT_EQ(finfo_min(DType::kBFloat16).AsFloat(), -0x1.fep127);
  EXPECT_EQ(cast(2, DType::kFloat32).ToString(), "2.0");
  EXPECT_EQ(cast(2.5, DType::kInt64).ToString(), "2");
  EXPECT_EQ(cast(0.5, DType::kBool).ToString(), "True");
}

// Sizes known only at run time.
class Sizes : public testing::Test {
 protected:
  Sizes() { test_.graph.ranges["s"] = {.min = 2, .max = 100}; }
  TestGraph test_{17};
  Val x_ = test_.Input("x", DType::kFloat32, {"s", "4", "2*s", "?"});
};

TEST_F(Sizes, AreReadOnce) {
  EXPECT_EQ(dim(x_, 1).AsInt(), 4);
  const Val s = dim(x_, 0);
  EXPECT_EQ(s.ToString(), "int64[] {s}");
  EXPECT_EQ(dim(x_, 0).AsTensor().id, s.AsTensor().id);
  const Val twice = s * 2;
  EXPECT_EQ(twice.ToString(), "int64[] {2*s}");
  EXPECT_EQ(dim(x_, 2).AsTensor().id, twice.AsTensor().id);
  EXPECT_EQ((s + s).AsTensor().id, twice.AsTensor().id);
  EXPECT_EQ(test_.Ops(), "Shape Gather Mul");
}

TEST_F(Sizes, FoldWhereTheAlgebraKnows) {
  const Val s = dim(x_, 0);
  EXPECT_EQ((s - s).AsInt(), 0);
  EXPECT_EQ(FloorDiv(s * 6, s).AsInt(), 6);
  EXPECT_EQ(((s * 4) % 2).AsInt(), 0);
  EXPECT_EQ(max(s, 1).AsTensor().id, s.AsTensor().id);
  EXPECT_EQ((Val(1) % s).AsInt(), 1);
  EXPECT_EQ(FloorDiv(1, s).AsInt(), 0);
}

bool IsUndecided(const std::function<void()>& compare) {
  try {
    compare();
  } catch (const Refusal& refusal) {
    return refusal.kind() == Refusal::Kind::kNotDecided;
  }
  return false;
}

TEST_F(Sizes, CompareByRange) {
  const Val s = dim(x_, 0);
  EXPECT_FALSE(s == 1);
  EXPECT_TRUE(s > 1);
  EXPECT_TRUE(s <= 100);
  EXPECT_TRUE(s * 2 != s);
  EXPECT_TRUE(IsUndecided([&] { static_cast<void>(s == 7); }));
  EXPECT_TRUE(IsUndecided([&] { static_cast<void>(s < 50); }));
  EXPECT_TRUE(IsUndecided([&] { static_cast<void>(dim(x_, 3) == 1); }));
  EXPECT_FALSE(test_.context.statically_true([&] { return s == 7; }));
  EXPECT_FALSE(s == Val());
}

// `statically_true` chooses between a short form and a general one: it must not cost the user the size of 1.
TEST(FreeSizesOfAScript, AreAssumedWhereNothingElseIsLeft) {
  TestGraph test(17, FreeSizes::kAsStated);
  const Val x = test.Input("x", DType::kFloat32, {"s"});
  EXPECT_FALSE(test.context.statically_true([&] { return dim(x, 0) == 1; }));
  EXPECT_FALSE(test.context.statically_true([&] { return dim(x, 0) != 1; }));
  EXPECT_TRUE(test.context.emitter().assumptions().Take().empty());
  EXPECT_TRUE(test.context.decided([&] { return dim(x, 0) == 1; }));
  EXPECT_EQ(test.context.emitter().assumptions().Take().size(), 1U);
  EXPECT_FALSE(test.context.decided([&] { return dim(x, 0) == 7; }));
}

// A compiler evaluates the sides of a comparison in any order, so neither may leave a node or a size.
TEST_F(Sizes, ThatAreAskedForLeaveNothing) {
  EXPECT_FALSE(test_.context.statically_true([&] { return dim(x_, 2) == dim(x_, 3); }));
  EXPECT_FALSE(test_.context.decided([&] { return dim(x_, 3) == 7; }));
  EXPECT_EQ(test_.Ops(), "");
  EXPECT_FALSE(test_.emitter.sizes().Find(test_.Dims({"2*s"})[0]));
  // Nor is a value that a question needed first at hand afterwards.
  LazyVal lazy(&test_.emitter);
  const auto half = [&] { return FloorDiv(dim(x_, 0), 2); };
  EXPECT_FALSE(test_.context.statically_true([&] { return lazy.Get(half) == 70; }));
  EXPECT_EQ(test_.Ops(), "");
  test_.context.op("Abs", {lazy.Get(half)});
  EXPECT_EQ(test_.Ops(), "Shape Gather Div Abs");
}

// No node that computes a stated size stays, and no later call finds it.
TEST_F(Sizes, AreStatedWhereTheyAreOpen) {
  const Val open = test_.Input("open", DType::kFloat32, {"?", "4", "?"});
  const Val y = test_.context.sized(open, [&] { return Vals{FloorDiv(dim(x_, 0), 2), 4, dim(x_, 3)}; });
  EXPECT_EQ(y.ToString(), "float32[(s//2), 4, ?]");
  EXPECT_EQ(y.AsTensor().id, open.AsTensor().id);
  EXPECT_EQ(test_.Ops(), "");
  EXPECT_FALSE(test_.emitter.sizes().Find(test_.Dims({"s//2"})[0]));
}

TEST_F(Sizes, ThatCannotBeToldStayOpen) {
  const Val open = test_.Input("open", DType::kFloat32, {"?"});
  const auto undecided = [&] { return Vals{dim(x_, 3) == 1 ? 1 : 2}; };
  EXPECT_EQ(test_.context.sized(open, undecided).ToString(), "float32[?]");
}

TEST_F(Sizes, ThatContradictAreRefused) {
  const Val partly = test_.Input("partly", DType::kFloat32, {"?", "4"});
  EXPECT_NE(RefusalOf([&] { test_.context.sized(partly, [] { return Vals{2, 5}; }); }), "");
  EXPECT_NE(RefusalOf([&] { test_.context.sized(partly, [] { return Vals{2}; }); }), "");
  const Val named = test_.Input("named", DType::kFloat32, {"s"});
  EXPECT_NE(RefusalOf([&] { test_.context.sized(named, [&] { return Vals{dim(x_, 0) + 1}; }); }), "");
  const Val other = test_.Input("other", DType::kFloat32, {"t"});
  EXPECT_EQ(RefusalOf([&] { test_.context.sized(other, [&] { return Vals{dim(x_, 0)}; }); }), "");
  EXPECT_NE(RefusalOf([&] { test_.context.sized(partly, [&] { return Vals{2, partly}; }); }), "");
}

// A tensor is true when it is there; a number known only at run time is neither true nor false.
TEST_F(Sizes, NumbersOfTheRunHaveNoTruth) {
  EXPECT_TRUE(static_cast<bool>(x_));
  EXPECT_TRUE(IsUndecided([&] { static_cast<void>(static_cast<bool>(dim(x_, 0))); }));
}

// A decision about the graph may assume what torch.export did; arithmetic must be right for every size.
TEST_F(Sizes, ArithmeticAssumesNothing) {
  const Val y = test_.Input("y", DType::kFloat32, {"free"});
  const Val n = dim(y, 0);
  EXPECT_EQ(max(n, 1).ToString(), "int64[] {Max(1, free)}");
  EXPECT_EQ(FloorDiv(1, n).ToString(), "int64[] {(1//free)}");
  EXPECT_EQ(max(n, 0).AsTensor().id, n.AsTensor().id);
}

TEST_F(Sizes, FreeDimensionsAreNotOneUnlessDataDecides) {
  const Val y = test_.Input("y", DType::kFloat32, {"free", "u0"});
  EXPECT_FALSE(dim(y, 0) == 1);
  EXPECT_TRUE(IsUndecided([&] { static_cast<void>(dim(y, 1) == 1); }));
}

TEST_F(Sizes, FloorDivisionOfWhatMayBeNegative) {
  const Val s = dim(x_, 0);
  const Val exact = FloorDiv(s, 3);
  EXPECT_EQ(test_.Ops(), "Shape Gather Div");
  EXPECT_EQ(exact.ToString(), "int64[] {(s//3)}");
  const Val y = test_.Input("y", DType::kInt64, {});
  FloorDiv(y, 3);
  EXPECT_EQ(test_.Ops(), "Shape Gather Div Mod Div Mul Sub Equal Not Cast Sub");
}

TEST_F(Sizes, TrueDivisionOfIntegersIsRefused) {
  EXPECT_NE(RefusalOf([&] { dim(x_, 0) / 2; }), "");
}

TEST_F(Sizes, ListsBecomeOneTensor) {
  const Val list = test_.context.shape_tensor(Vals{dim(x_, 0), 4, -1});
  EXPECT_EQ(list.ToString(), "int64[3] {s, 4, -1}");
  EXPECT_EQ(test_.Ops(), "Shape Gather Shape Concat");
  EXPECT_EQ(test_.context.shape_tensor(Vals{1, 2}).ToString(), "int64[2] {1, 2}");
  const Val y = test_.Input("y", DType::kFloat32, {"p", "q", "3"});
  const size_t before = test_.graph.body.nodes.size();
  const Val both = test_.context.shape_tensor(dims(y).Slice(0, 2));
  EXPECT_EQ(both.ToString(), "int64[2] {p, q}");
  EXPECT_EQ(test_.graph.body.nodes.back().op, "Shape");
  EXPECT_LE(test_.graph.body.nodes.size() - before, 5u);
}

// Whoever asks whether a condition is decided must still see that it is not.
TEST(Refusals, OfWhatTheyAreLeavesTheirKind) {
  const Refusal refusal = Refusal::NotDecided("whether n is 0 is not known").Of("dim");
  EXPECT_EQ(refusal.kind(), Refusal::Kind::kNotDecided);
  EXPECT_EQ(refusal.code(), Code::kNotDecided);
  EXPECT_STREQ(refusal.what(), "dim: whether n is 0 is not known");
}

TEST_F(Sizes, StaticDimsNamesTheFreeOne) {
  EXPECT_NE(RefusalOf([&] { static_dims(x_); }).find("s is free"), std::string::npos);
}

TEST(Builtins, DTypesByTheirNumbersInPyTorch) {
  EXPECT_EQ(as_dtype(6).AsDType(), DType::kFloat32);
  EXPECT_EQ(as_dtype(0).AsDType(), DType::kUInt8);
  EXPECT_EQ(as_dtype(11).AsDType(), DType::kBool);
  EXPECT_EQ(as_dtype(29).AsDType(), DType::kUInt64);
  // Complex numbers of halves, a quantized dtype, and none at all.
  for (const int64_t number : {8, 13, -1, 100})
    EXPECT_EQ(RefusalOf([&] { as_dtype(number); }),
              std::to_string(number) + " is the number of no dtype that is exported");
  EXPECT_NE(RefusalOf([] { as_dtype(Val()); }), "");
}

}  // namespace
}  // namespace onnxport::lowering::builtins_test
