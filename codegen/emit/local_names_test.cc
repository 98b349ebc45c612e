#include "codegen/emit/local_names.h"

#include <gtest/gtest.h>

namespace onnxport::codegen::local_names_test {
namespace {

TEST(LocalNames, KeepTheirSpellingWhereTheyCan) {
  const LocalNames names({"x", "dim", "double", "body", "N", "EOF"}, {"rank"});
  EXPECT_EQ(names.OfSpec("x"), "x");
  EXPECT_EQ(names.OfSpec("dim"), "dim");
  EXPECT_EQ(names.OfSpec("body"), "body");
  EXPECT_EQ(names.OfSpec("N"), "N");
  EXPECT_EQ(names.OfSpec("double"), "double_");
  EXPECT_EQ(names.OfSpec("EOF"), "EOF_");  // a macro
}

TEST(LocalNames, GiveWayToWhatIsCalled) {
  const LocalNames names({"dim", "dim_", "c"}, {"dim"});
  EXPECT_EQ(names.OfSpec("dim_"), "dim_");
  EXPECT_EQ(names.OfSpec("dim"), "dim_2");
  EXPECT_EQ(names.OfSpec("c"), "c_");
}

TEST(LocalNames, OwnOnesGiveWayToAll) {
  const LocalNames names({"carried", "next_a"}, {"results"});
  std::set<std::string> visible;
  EXPECT_EQ(names.Own("carried", &visible), "carried_2");
  EXPECT_EQ(names.Own("results", &visible), "results_2");
  EXPECT_EQ(names.Own("next_a", &visible), "next_a_2");
  EXPECT_EQ(names.Own("A_B", &visible), "A_B_");  // may be a macro
  std::set<std::string> inner = visible;
  EXPECT_EQ(names.Own("x_y", &inner), "x_y");
  EXPECT_EQ(names.Own("x_y", &inner), "x_y_2");
  EXPECT_EQ(names.Own("x_y", &visible), "x_y");  // the inner one is not visible here
}

}  // namespace
}  // namespace onnxport::codegen::local_names_test
