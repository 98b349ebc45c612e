#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "onnxport/operators.h"

namespace onnxport::nearest_operators_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<OperatorSupport> Operators() {
  std::vector<OperatorSupport> operators;
  for (const char* name : {"aten::add.Scalar", "aten::add.Tensor", "aten::relu", "aten::relu6", "aten::softmax.int"})
    operators.push_back({name, {7, 7}, "", ""});
  return operators;
}

TEST(NearestOperators, Table) {
  const struct {
    const char* wanted;
    std::vector<std::string_view> nearest;
  } kCases[] = {
      {"rellu", {"aten::relu", "aten::relu6"}},
      {"aten::rleu", {"aten::relu", "aten::relu6"}},
      {"acme::relu6x", {"aten::relu6", "aten::relu"}},
      {"ad", {"aten::add"}},         // once, not once for each overload
      {"add.Tensr", {"aten::add"}},  // nearer to the name with its overload
      {"softmaxx", {"aten::softmax"}},
      {"of_no_such_name", {}},
  };
  for (const auto& test : kCases) EXPECT_EQ(NearestOperators(test.wanted, Operators()), test.nearest) << test.wanted;
}

TEST(NearestOperators, LooksAtNoNameThatIsTooLong) {
  EXPECT_THAT(NearestOperators("acme::" + std::string(100000, 'x'), Operators()), IsEmpty());
}

}  // namespace
}  // namespace onnxport::nearest_operators_test
