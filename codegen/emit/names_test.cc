#include "codegen/emit/names.h"

#include <gtest/gtest.h>

namespace onnxport::codegen {
namespace {

TEST(FunctionName, SaysTheOpsetUnlessItIsTheFirst) {
  EXPECT_EQ(FunctionName("aten::softmax.int", 7), "aten_softmax_int");
  EXPECT_EQ(FunctionName("aten::softmax.int", 13), "aten_softmax_int_from13");
}

TEST(FunctionName, HasNoTwoUnderscoresInARow) {
  EXPECT_EQ(FunctionName("aten::_softmax", 7), "aten_private_softmax");
  EXPECT_EQ(FunctionName("aten::__and__.Tensor", 7), "aten_private_private_and_private_Tensor");
}

TEST(LocalName, AvoidsKeywordsAndWhatIsCalled) {
  EXPECT_EQ(LocalName("dim", {}), "dim");
  EXPECT_EQ(LocalName("dim", {"dim", "rank"}), "dim_");
  EXPECT_EQ(LocalName("operator", {}), "operator_");
  EXPECT_EQ(LocalName("c", {}), "c_");
}

}  // namespace
}  // namespace onnxport::codegen
