#include "runtime/ir/dim.h"

#include "gtest/gtest.h"

namespace onnxport::ir::dim_test {
namespace {

Dim Read(std::string_view text) {
  std::string error;
  const auto dim = Dim::Parse(text, &error);
  EXPECT_TRUE(dim.has_value()) << text << ": " << error;
  return dim.value_or(Dim());
}

struct Case {
  std::string_view text;
  std::string_view canonical;
};

TEST(DimTest, ReadsAndPrintsCanonically) {
  const Case cases[] = {
      {"4", "4"},
      {"-3", "-3"},
      {"s0", "s0"},
      {"s0 + s0", "2*s0"},
      {"1 + 2*s0", "2*s0 + 1"},
      {"s1*s0 - s0*s1", "0"},
      {"s0**2 + s0", "s0**2 + s0"},
      {"(s0 + 1)*(s0 - 1)", "s0**2 - 1"},
      {"Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(-1))", "2*s77 - 1"},
      {"Mul(Integer(-1), Integer(4), Symbol('s2', positive=True, integer=True))", "-4*s2"},
      {"Pow(Symbol('s53', positive=True, integer=True), Integer(2))", "s53**2"},
      {"Symbol('u0', integer=True)", "u0"},
      // floor division
      {"(s0//2)", "(s0//2)"},
      {"FloorDiv(s0, 1)", "s0"},
      {"FloorDiv(2*s0 + 3, 2)", "s0 + 1"},
      {"Add(FloorDiv(Add(Symbol('s0', positive=True, integer=True), Integer(-1)), Integer(8)), Integer(1))",
       "((s0 + 7)//8)"},
      {"((s0 - 1)//2 + 1 - 1)//2 + 1", "((s0 + 3)//4)"},
      {"(4*s0 + 3)//6", "((2*s0 + 1)//3)"},
      {"s0//-2", "(s0//2) - s0"},
      {"(s0*s1)//s1", "s0"},
      {"(4*s0 + 4*s1)//(s0 + s1)", "4"},
      {"-7//2", "-4"},
      {"7//-2", "-4"},
      {"FloorDiv(s0, s1)", "(s0//s1)"},
      // modulo
      {"Mod(2*s2, 3)", "Mod(2*s2, 3)"},
      {"Mod(4*s2 + 5, 4)", "1"},
      {"s0 % 3", "Mod(s0, 3)"},
      {"-7 % 3", "2"},
      {"Mod(s0*s1, s1)", "0"},
      {"ModularIndexing(s0, 4, 8)", "Mod((s0//4), 8)"},
      // extremes
      {"Max(1, s0)", "Max(1, s0)"},
      {"Max(s0, 1)", "Max(1, s0)"},
      {"Max(s0, s0 - 4, 2, 7)", "Max(7, s0)"},
      {"Max(1, Max(2, s0))", "Max(2, s0)"},
      {"Min(64, 64*s53)", "Min(64, 64*s53)"},
      {"Min(s0, s0 + 1)", "s0"},
      // floats that are whole again
      {"TruncToInt(Mul(Float('2.0', precision=53), ToFloat(Symbol('s0', positive=True, integer=True))))", "2*s0"},
      {"floor(Mul(Float('0.5', precision=53), Symbol('s0', positive=True, integer=True)))", "(s0//2)"},
      {"CeilToInt(IntTrueDiv(s0, 2))", "-(s0//2) + s0"},
      {"TruncToInt(IntTrueDiv(Symbol('s0', positive=True, integer=True), Integer(2)))", "(s0//2)"},
      {"s0*(1/2)*2", "s0"},
      // the lowest number has no positive twin
      {"-9223372036854775808", "-9223372036854775808"},
      {"Add(Symbol('s0', integer=True), Integer(-9223372036854775808))", "s0 + -9223372036854775808"},
      {"1 + -9223372036854775808*s0", "-9223372036854775808*s0 + 1"},
      {"s0**2 + -9223372036854775808*s1", "s0**2 + -9223372036854775808*s1"},
  };
  for (const Case& c : cases) {
    const Dim dim = Read(c.text);
    EXPECT_EQ(dim.ToString(), c.canonical) << c.text;
    EXPECT_TRUE(dim == Read(dim.ToString())) << c.text << " does not survive being printed";
  }
}

TEST(DimTest, AgreesWithPython) {
  const auto floor_div = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  for (int64_t s = 0; s < 40; ++s) {
    const std::map<std::string, Dim> at = {{"s0", s}};
    EXPECT_TRUE(Read("s0//-2").Substitute(at) == Dim(floor_div(s, -2)));
    EXPECT_TRUE(Read("CeilToInt(IntTrueDiv(s0, 2))").Substitute(at) == Dim((s + 1) / 2));
    EXPECT_TRUE(Read("(7 - 3*s0)//5").Substitute(at) == Dim(floor_div(7 - 3 * s, 5)));
    EXPECT_TRUE(Read("((s0 - 5)//3 + 2)//4").Substitute(at) == Dim(floor_div(floor_div(s - 5, 3) + 2, 4)));
    EXPECT_TRUE(Read("(6*s0 + 5)//9").Substitute(at) == Dim(floor_div(6 * s + 5, 9)));
    EXPECT_TRUE(Read("Mod(7*s0 - 9, 4)").Substitute(at) == Dim(7 * s - 9 - 4 * floor_div(7 * s - 9, 4)));
    EXPECT_TRUE(Read("Max(1, s0 - 4)*Min(3, s0)").Substitute(at) ==
                Dim(std::max<int64_t>(1, s - 4) * std::min<int64_t>(3, s)));
  }
}

TEST(DimTest, RefusesWhatItDoesNotKnow) {
  const std::string deep = std::string(5000, '(') + "s0" + std::string(5000, ')');
  const std::string minus = std::string(8000, '-') + "s0";  // flat: no recursion
  std::string error;
  EXPECT_TRUE(Dim::Parse(minus, &error).has_value());
  std::string large = "a";
  for (char c = 'b'; c <= 'p'; ++c) large += std::string("+") + c;
  const std::string_view texts[] = {"",
                                    "s0 +",
                                    "(s0",
                                    "s0)",
                                    "s0 s1",
                                    "sin(s0)",
                                    "1/2",
                                    "s0/2",
                                    "5//0",
                                    "Mod(s0, 0)",
                                    "99999999999999999999",
                                    "9223372036854775808",
                                    "-92233720368547758081",
                                    "-9223372036854775808**2",
                                    "s0**s1",
                                    "s0**99",
                                    "Symbol(s0)",
                                    "Symbol('s 0', integer=True)",
                                    "TruncToInt(IntTrueDiv(s0, 2))",
                                    "FloorDiv(s0)",
                                    "9223372036854775807 + 1",
                                    "\xff",
                                    "Float('nan', precision=53)",
                                    deep};
  for (const std::string_view text : texts) {
    error.clear();
    EXPECT_FALSE(Dim::Parse(text, &error).has_value()) << text.substr(0, 40);
    EXPECT_FALSE(error.empty()) << text.substr(0, 40);
  }
  EXPECT_FALSE(Dim::Parse("(" + large + ")**16", &error).has_value());
  EXPECT_FALSE(Dim::Parse(std::string(20000, '1'), &error).has_value());
}

TEST(DimTest, UnknownEqualsNothing) {
  EXPECT_FALSE(Dim() == Dim());
  EXPECT_TRUE((Dim() + Dim(1)).is_unknown());
  EXPECT_TRUE((Dim() * Dim(0)) == Dim(0));
  EXPECT_TRUE(Dim::FloorDiv(Dim::Symbol("s0"), 0).is_unknown());
  EXPECT_EQ(Dim().ToString(), "?");
}

TEST(DimTest, Symbols) {
  EXPECT_EQ(Read("s1*2 + Max(s0, 3)").symbols(), (std::vector<std::string>{"s0", "s1"}));
  EXPECT_EQ(Dim::Symbol("batch").symbol(), "batch");
  EXPECT_FALSE(Read("2*s0").symbol().has_value());
  EXPECT_FALSE(Read("Max(s0, s1)").symbol().has_value());
}

TEST(DimTest, SubstituteSimplifies) {
  const Dim dim = Read("Max(1, s0 - 4)*s1 + s0//2");
  EXPECT_EQ(dim.Substitute({{"s0", 9}}).ToString(), "5*s1 + 4");
  EXPECT_EQ(dim.Substitute({{"s0", 9}, {"s1", Dim::Symbol("batch")}}).ToString(), "5*batch + 4");
  EXPECT_TRUE(dim.Substitute({{"s1", Dim()}}).is_unknown());
  EXPECT_EQ(dim.Substitute({{"(s0//2)", 3}}).ToString(), "Max(1, s0 - 4)*s1 + 3");
}

TEST(DimTest, MaxAndMinAbsorbEachOther) {
  const Dim n = Read("n");
  EXPECT_EQ(Dim::Max(n, Dim::Min(n, 64)), n);
  EXPECT_EQ(Dim::Max(Dim::Min(n, 64), n), n);
  EXPECT_EQ(Dim::Min(n, Dim::Max(n, Read("m"))), n);
  EXPECT_EQ(Dim::Max(n, Dim::Min(Read("m"), 64)).ToString(), "Max(Min(64, m), n)");
}

TEST(DimTest, Bounds) {
  const Ranges ranges = {{"s0", {2, 10}}, {"s1", {0, std::nullopt}}, {"u0", {-3, 5}}};
  struct {
    std::string_view text;
    std::optional<int64_t> min, max;
  } cases[] = {
      {"2*s0 - 1", 3, 19},
      {"s0*s1", 0, {}},
      {"-s1", {}, 0},
      {"s0//4", 0, 2},
      {"Mod(s1, 3)", 0, 2},
      {"Max(4, s0)", 4, 10},
      {"Min(4, s1)", 0, 4},
      {"u0*s0", -30, 50},
      {"s1 + 1", 1, {}},
      {"t", {}, {}},
      {"s1//s0", 0, {}},
      {"s0**2", 4, 100},
      {"Max(1, s1 - 4)", 1, {}},
      {"Mod(s0, 64)", 0, 10},
      {"7", 7, 7},
      {"Min(t, 7)", {}, 7},
      {"s0 - s0//2", 1, 5},
      {"s1 - s1//2", 0, {}},
      {"s0//2 - s0", -5, -1},
      {"s0 - 3*(s0//3)", 0, 2},
  };
  for (const auto& c : cases) {
    const Range bounds = Read(c.text).Bounds(ranges);
    EXPECT_EQ(bounds.min, c.min) << c.text;
    EXPECT_EQ(bounds.max, c.max) << c.text;
  }
}

TEST(DimTest, BoundsOfASymbolThatIsCalledLikeAFunction) {
  const Dim sum = Dim::Symbol("FloorDiv") + Dim::Symbol("n");
  EXPECT_EQ(sum.Bounds({{"FloorDiv", {1, 2}}, {"n", {3, 4}}}).max, 6);
}

TEST(DimTest, BoundsOfQuotientsHold) {
  const Ranges ranges = {{"n", {0, 40}}, {"m", {1, 7}}};
  for (const char* text :
       {"n - n//2", "n//3 - n//2", "2*(n//3) - n//2 + 1", "n - m*(n//4)", "(n + m//2)//3 - n//5", "n - (n - n//2)//3",
        "n//2 + n//3 + n//5 - n", "5 - n//7 - 2*(m//2)", "n//m - n", "Max(n - n//4, m) - n//2"}) {
    const Range bounds = Read(text).Bounds(ranges);
    ASSERT_TRUE(bounds.min && bounds.max) << text;
    for (int64_t n = 0; n <= 40; ++n) {
      for (int64_t m = 1; m <= 7; ++m) {
        const Dim size = Read(text).Substitute({{"n", n}, {"m", m}});
        ASSERT_TRUE(size.is_number());
        EXPECT_GE(size.number(), *bounds.min) << text << " of " << n << ", " << m;
        EXPECT_LE(size.number(), *bounds.max) << text << " of " << n << ", " << m;
      }
    }
  }
}

TEST(DimTest, StaysSmall) {
  Dim dim = Dim::Symbol("s0");
  for (int i = 0; i < 500; ++i) dim = Dim::Max(Dim::FloorDiv(dim * dim, Dim::Symbol("s1")), 3);
  EXPECT_TRUE(dim.is_unknown());
}

TEST(Dim, LargeNumbersAndPowers) {
  const auto text = [](const char* expression) {
    std::string error;
    const auto dim = Dim::Parse(expression, &error);
    return dim ? dim->ToString() : error;
  };
  EXPECT_EQ(text("Max(-9223372036854775807, 9223372036854775807)"), "9223372036854775807");
  EXPECT_EQ(text("Min(1, Max(0, s0), 0)"), "0");  // the last one wins against both
  EXPECT_EQ(text("Min(-9223372036854775807, 6)"), "-9223372036854775807");
  EXPECT_EQ(text("s1**27"), "s1**27");
  EXPECT_EQ(text("(2*(s0//3))//4"), text("s0//6"));
  EXPECT_EQ(text("(-(s0//3))//2 + s0//3"), text("s0//6"));
}

// Each operand is compared with all others: what no model has is unknown, and soon.
TEST(Dim, MaxOfManyIsUnknown) {
  std::string few = "Max(s0", many = "Max(s0", error;
  for (int i = 1; i < 20; ++i) few += ", s" + std::to_string(i);
  for (int i = 1; i < 1500; ++i) many += ", s" + std::to_string(i);
  EXPECT_TRUE(Dim::Parse(few + ")", &error)) << error;
  EXPECT_FALSE(Dim::Parse(many + ")", &error));
  EXPECT_EQ(error.rfind("expression too large", 0), 0u) << error;
}

TEST(DimTest, CopiesAndMoves) {
  Dim symbolic = Read("2*s0");
  const Dim copy = symbolic;
  Dim taken = std::move(symbolic);
  EXPECT_TRUE(symbolic.is_unknown());  // NOLINT: what is left of it is stated
  EXPECT_EQ(taken, copy);
  const Dim& itself = taken;
  taken = itself;
  EXPECT_EQ(taken.ToString(), "2*s0");
  taken = 3;
  EXPECT_TRUE(taken.is_number());
  EXPECT_EQ(copy.ToString(), "2*s0");
  taken = copy;
  EXPECT_EQ(taken, copy);
}

// Short ways through the arithmetic come to what the long ones do.
TEST(DimTest, CountsNothingAndOneAsNeutral) {
  for (const char* text : {"s0", "2*s0 + 1", "5", "0", "Max(1, s0)"}) {
    const Dim dim = Read(text);
    for (const Dim& same : {dim + 0, Dim(0) + dim, dim - 0, dim * 1, Dim(1) * dim}) EXPECT_EQ(same, dim) << text;
    EXPECT_EQ(dim - dim, Dim(0)) << text;
    EXPECT_EQ(dim * 0, Dim(0)) << text;
    EXPECT_EQ(Dim(0) - dim, dim * Dim(-1)) << text;
  }
  EXPECT_TRUE((Dim() + 0).is_unknown());
  EXPECT_TRUE((Dim() - Dim()).is_unknown());
  EXPECT_TRUE((Dim() * 1).is_unknown());
  EXPECT_TRUE((Dim(INT64_MAX) * 2).is_unknown());
  EXPECT_TRUE((Dim(INT64_MAX) + 1).is_unknown());
}

}  // namespace
}  // namespace onnxport::ir::dim_test
