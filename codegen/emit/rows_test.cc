#include "codegen/emit/rows.h"

#include <gtest/gtest.h>

#include <exception>

namespace onnxport::codegen::rows_test {
namespace {

TEST(Rows, ReadBackAsWritten) {
  const RowsFile file{.family = "norm",
                      .rows = {{.overload = "aten::softmax.int",
                                .since = 7,
                                .until = 12,
                                .kind = Row::Kind::kFunction,
                                .symbol = "aten_softmax_int",
                                .place = "spec/aten/norm.yaml:12"},
                               {.overload = "aten::x",
                                .since = 7,
                                .until = 25,
                                .kind = Row::Kind::kRefusal,
                                .symbol = "two\tfields,\n\"a line\"",
                                .place = "spec/aten/norm.yaml:30"}},
                      .remarks = {{.overload = "aten::x", .text = "int through float32", .opsets = {7, 8}}}};
  const RowsFile read = ReadRows(ToText(file));
  EXPECT_EQ(read.family, "norm");
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(ToText(read), ToText(file));
  EXPECT_EQ(read.rows[1].kind, Row::Kind::kRefusal);
  EXPECT_EQ(read.rows[1].symbol, file.rows[1].symbol);
  EXPECT_EQ(read.rows[0].until, 12);
  EXPECT_EQ(read.remarks[0].opsets, file.remarks[0].opsets);
}

TEST(Rows, OtherTextIsAnError) {
  EXPECT_THROW(ReadRows("norm"), std::exception);
  EXPECT_THROW(ReadRows(R"({"family": "norm", "rows": [{"overload": "aten::x"}], "remarks": []})"), std::exception);
}

}  // namespace
}  // namespace onnxport::codegen::rows_test
