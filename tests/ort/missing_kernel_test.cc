#include "tests/ort/missing_kernel.h"

#include <gtest/gtest.h>

namespace onnxport::ort {
namespace {

TEST(MissingKernel, NamesTheOperator) {
  const struct {
    const char* error;
    const char* op;  // null: an error of another kind
  } kCases[] = {
      {"NOT_IMPLEMENTED: Could not find an implementation for Relu(14) node with name ''", "Relu"},
      {"NOT_IMPLEMENTED: something else", "unknown"},
      {"Non-zero status code returned while running LSTM node. Name:'' Status Message: it does not support double",
       "LSTM"},
      {"Non-zero status code returned while running ScatterND node. Name:'/ScatterND' Status Message: CPU execution "
       "provider: MLFloat16 data type is not supported with ScatterND opset 16 when reduction is 'add'.",
       "ScatterND"},
      {"Load model failed:This is an invalid model. In Node, (\"\", Foo, \"acme\", -1) : Error Fatal error: "
       "acme:Foo(-1) is "
       "not a registered function/op",
       "acme:Foo"},
      {"Non-zero status code returned while running MatMul node. Name:'' Status Message: cannot broadcast", nullptr},
      {"", nullptr},
  };
  for (const auto& c : kCases) {
    const auto op = MissingKernel(c.error);
    EXPECT_EQ(op, c.op == nullptr ? std::nullopt : std::optional<std::string>(c.op)) << c.error;
  }
}

}  // namespace
}  // namespace onnxport::ort
