#include "codegen/emit/rows.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace onnxport::codegen {
namespace {

TEST(Rows, ReadBackAsWritten) {
  const RowsFile file{.family = "norm",
                      .rows = {{.overload = "aten::softmax.int",
                                .since = 7,
                                .until = 12,
                                .kind = Row::Kind::kFunction,
                                .symbol = "aten_softmax_int",
                                .remark = "",
                                .place = "spec/aten/norm.yaml:12"},
                               {.overload = "aten::x",
                                .since = 7,
                                .until = 25,
                                .kind = Row::Kind::kRefusal,
                                .symbol = "a reason",
                                .remark = "a remark",
                                .place = "spec/aten/norm.yaml:30"}}};
  const RowsFile read = ReadRows(ToText(file));
  EXPECT_EQ(read.family, "norm");
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(ToText(read), ToText(file));
  EXPECT_EQ(read.rows[1].kind, Row::Kind::kRefusal);
  EXPECT_EQ(read.rows[0].until, 12);
}

TEST(Rows, SeparatorsInTextsBecomeSpaces) {
  const RowsFile file{.family = "f",
                      .rows = {{.overload = "aten::x",
                                .since = 7,
                                .until = 7,
                                .kind = Row::Kind::kRefusal,
                                .symbol = "two\tfields\nand a line",
                                .remark = "",
                                .place = "p:1"}}};
  EXPECT_EQ(ReadRows(ToText(file)).rows[0].symbol, "two fields and a line");
}

TEST(Rows, OtherTextIsAnError) {
  EXPECT_THROW(ReadRows("norm\naten::x\t7\n"), std::runtime_error);
  EXPECT_THROW(ReadRows("norm\naten::x\tseven\t25\tfunction\tx\t\tp:1\n"), std::runtime_error);
}

}  // namespace
}  // namespace onnxport::codegen
