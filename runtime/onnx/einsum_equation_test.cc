#include "runtime/onnx/einsum_equation.h"

#include "gtest/gtest.h"

namespace onnxport::onnx_ops {
namespace {

TEST(EinsumEquation, TakesWhatPyTorchTakes) {
  EXPECT_EQ(EinsumMistake("ij,jk->ik", 2), "");
  EXPECT_EQ(EinsumMistake("ij,jk", 2), "");
  EXPECT_EQ(EinsumMistake(" i j , jK -> iK ", 2), "");
  EXPECT_EQ(EinsumMistake("...ij,j...->...i", 2), "");
  EXPECT_EQ(EinsumMistake("ii->i", 1), "");
  EXPECT_EQ(EinsumMistake("i,->i", 2), "");
  EXPECT_EQ(EinsumMistake("->", 1), "");
  EXPECT_EQ(EinsumMistake("", 1), "");
}

TEST(EinsumEquation, SaysWhatIsWrong) {
  for (const char* equation : {"i->i->i", "i->i,i", "i->1", "i->i.", "i->...i..."}) {
    EXPECT_EQ(EinsumMistake(equation, 1), "a term has letters and at most one `...`") << equation;
  }
  EXPECT_EQ(EinsumMistake("i,,->", 2), "it has 3 terms for 2 operands");
  EXPECT_EQ(EinsumMistake("ij,jk->ik", 3), "it has 2 terms for 3 operands");
  EXPECT_EQ(EinsumMistake("ij", 0), "it has 1 terms for 0 operands");
  EXPECT_EQ(EinsumMistake("ij->ik", 1), "the result has a letter that no operand has");
  EXPECT_EQ(EinsumMistake("ij->ii", 1), "the result has a letter twice");
}

}  // namespace
}  // namespace onnxport::onnx_ops
