#include "codegen/emit/merge.h"

#include <gtest/gtest.h>

namespace onnxport::codegen::merge_test {
namespace {

RowsFile Family(const std::string& name, const std::string& overload, const std::string& symbol, int line) {
  return {.family = name,
          .rows = {{.overload = overload,
                    .since = 7,
                    .until = 25,
                    .kind = Row::Kind::kFunction,
                    .symbol = symbol,
                    .place = "spec/aten/" + name + ".yaml:" + std::to_string(line)}},
          .remarks = {}};
}

TEST(Conflicts, ANameInTwoFiles) {
  const auto conflicts =
      Conflicts({Family("a", "aten::relu", "aten_relu", 3), Family("b", "aten::relu", "aten_relu", 9)});
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0], "spec/aten/b.yaml:9: error: `aten::relu` is claimed twice; first at spec/aten/a.yaml:3");
}

TEST(Conflicts, NoneBetweenDifferentNames) {
  EXPECT_TRUE(Conflicts({Family("a", "aten::a", "aten_a", 3), Family("b", "aten::b", "aten_b", 3)}).empty());
}

TEST(Conflicts, WithTheSetBelow) {
  const std::vector<RowsFile> base = {Family("a", "aten::relu", "aten_relu", 3)};
  RowsFile user = Family("foo", "aten::relu", "aten_relu", 9);
  EXPECT_EQ(
      Conflicts({user}, base),
      (std::vector<std::string>{"spec/aten/foo.yaml:9: error: `aten::relu` is claimed at spec/aten/a.yaml:3, too; "
                                "`override: true` lets this entry win"}));
  user.rows[0].overrides = true;
  EXPECT_TRUE(Conflicts({user}, base).empty());
  EXPECT_EQ(Conflicts({user}),
            (std::vector<std::string>{
                "spec/aten/foo.yaml:9: error: there is no entry for `aten::relu` that this one would override"}));
  EXPECT_TRUE(Conflicts({Family("foo", "foo::op", "foo_op", 9)}, base).empty());
}

TEST(Merge, AUsersTableNamesItsOwner) {
  Templates templates("templates");
  const std::string table = Merge({Family("foo", "foo::op", "foo_op", 3)}, &templates, "//a:ops").dispatch_table;
  EXPECT_NE(table.find(".owner = \"//a:ops\""), std::string::npos) << table;
  EXPECT_NE(table.find("generated_a_ops::foo_operators::foo_op,"), std::string::npos) << table;
}

TEST(Merge, FamiliesMayGiveTheSameName) {
  Templates templates("templates");
  const std::string table =
      Merge({Family("a", "aten::a.b", "aten_a_b", 3), Family("b", "aten::a_b", "aten_a_b", 9)}, &templates)
          .dispatch_table;
  EXPECT_NE(table.find("\"aten::a.b\", 7, 25, generated::a_operators::aten_a_b,"), std::string::npos) << table;
  EXPECT_NE(table.find("\"aten::a_b\", 7, 25, generated::b_operators::aten_a_b,"), std::string::npos) << table;
}

TEST(Merge, TheSupportTableTellsWhereACallIsRefused) {
  RowsFile file = Family("a", "aten::a", "aten_a", 3);
  file.remarks = {{.overload = "aten::a", .text = "refused: why", .opsets = {7, 8}}};
  Templates templates("templates");
  EXPECT_NE(Merge({file}, &templates)
                .operators.find("| `aten::a` | 7 to 25 | spec/aten/a.yaml | refused: why (opset 7 to 8"
                                ") |"),
            std::string::npos)
      << Merge({file}, &templates).operators;
}

}  // namespace
}  // namespace onnxport::codegen::merge_test
