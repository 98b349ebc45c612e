#include "codegen/emit/names.h"

#include <gtest/gtest.h>

namespace onnxport::codegen::names_test {
namespace {

TEST(Names, OfFunctions) {
  EXPECT_EQ(FunctionName("aten::softmax.int"), "aten_softmax_int");
  EXPECT_EQ(FunctionName("aten::_softmax"), "aten_private_softmax");
  EXPECT_EQ(FunctionName("aten::__and__.Tensor"), "aten_private_private_and_private_Tensor");
}

TEST(Names, OfDefs) {
  EXPECT_EQ(DefName("conv"), "conv");
  EXPECT_EQ(DefName("double"), "def_double");      // a word of C++
  EXPECT_EQ(DefName("constant"), "def_constant");  // what `const(...)` is called in val.h
  EXPECT_EQ(DefName("def_double"), "def_def_double");
  EXPECT_EQ(DefName("aten_relu"), "def_aten_relu");
}

}  // namespace
}  // namespace onnxport::codegen::names_test
