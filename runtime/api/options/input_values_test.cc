#include "runtime/api/options/input_values.h"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/base/error.h"
#include "runtime/inputs/inputs.h"

namespace onnxport::input_values_test {
namespace {

bool Same(const Input& a, const Input& b) {
  return a.name == b.name && a.dtype == b.dtype && a.dims == b.dims && a.list == b.list && a.fixed == b.fixed;
}

// Everything that the text can say is a value.
TEST(InputValues, SayWhatTextsSay) {
  const struct {
    const char* text;
    Input input;
  } kCases[] = {
      {"x=f32[batch,3,224,224]", TensorInput("x", kFloat32, {Sym("batch"), 3, 224, 224})},
      {"x=f32", TensorInput("x", kFloat32)},
      {"n=i64[]", TensorInput("n", kInt64, {})},
      {"past.0.key=bf16[0]", TensorInput("past.0.key", kBFloat16, {0})},
      {"xs=list[f32[n,4]]", ListInput("xs", kFloat32, {Sym("n"), 4})},
      {"n=5", FixedInput("n", 5)},
      {"s=0.5", FixedInput("s", 0.5)},
      {"flag=true", FixedInput("flag", true)},
      {"x=f32[batch=1..64,?]", TensorInput("x", kFloat32, {Sym("batch").Between(1, 64), Dim()})},
      {"opt=none", FixedInput("opt", None{})},
      {"mode=sum", FixedInput("mode", "sum")},
      {"mode='f32'", FixedInput("mode", "f32")},
  };
  for (const auto& test : kCases) {
    const Result<Input> parsed = ParseInput(test.text);
    ASSERT_TRUE(parsed) << parsed.error().Text();
    EXPECT_TRUE(Same(*parsed, test.input)) << test.text;
    inputs::Check(std::vector<Input>{test.input});
  }
}

TEST(InputValues, AreCheckedAsTextsAre) {
  const struct {
    Input input;
    const char* text;
  } kCases[] = {
      {TensorInput("", kFloat32, {1}), "no name"},
      {{.name = "x"}, "neither a dtype nor a value"},
      {TensorInput("x", static_cast<DType>(99), {1}), "neither a dtype nor a value"},
      {TensorInput("x", kFloat32, {-1}), "not negative: -1"},
      {TensorInput("x", kFloat32, {Sym("2*n")}), "'2*n' is no name"},
      {TensorInput("x", kFloat32, {Sym("4")}), "'4' is no name"},
      {TensorInput("x", kFloat32, {Sym(std::string(65, 'n'))}), "is no name"},
      {TensorInput("x", kFloat32, std::vector<Dim>(65, Dim(1))), "more than 64 dimensions"},
  };
  for (const auto& test : kCases) {
    try {
      inputs::Check(std::vector<Input>{test.input});
      ADD_FAILURE() << test.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(test.text), std::string::npos) << error.what();
    }
  }
}

TEST(InputValues, SayWhatIsWrongWithAText) {
  const Result<Input> input = ParseInput("x=f33[1]");
  ASSERT_FALSE(input);
  EXPECT_EQ(input.error().kind(), ErrorKind::kUsage);
  EXPECT_NE(input.error().Text().find("f33"), std::string::npos);
}

}  // namespace
}  // namespace onnxport::input_values_test
