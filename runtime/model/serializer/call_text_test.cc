#include "runtime/model/serializer/call_text.h"

#include "gtest/gtest.h"

namespace onnxport::serializer::call_text_test {
namespace {

ir::Value Named(const char* name) {
  ir::Value value;
  value.name = name;
  return value;
}

TEST(CallText, Target) {
  const std::pair<ir::Operator, std::string_view> cases[] = {
      {"aten::add.Tensor", "aten.add.Tensor"},      {"aten::relu", "aten.relu.default"},
      {"my_ops::twice", "my_ops.twice.default"},    {ir::Instruction::kMul, "<built-in function mul>"},
      {"torch.fx.something", "torch.fx.something"}, {"host::mul", "host.mul.default"},
  };
  for (const auto& [op, text] : cases) EXPECT_EQ(TargetText(op), text);
}

struct Case {
  ir::Operator op;
  std::vector<ir::Arg> inputs;
  std::string text;
};

TEST(CallText, Arguments) {
  ir::Graph graph;
  const ir::ValueId x = graph.AddValue(Named("x"));
  const ir::ValueId y = graph.AddValue(Named("%12"));
  const Case cases[] = {
      {"aten::relu", {{x}}, "torch.ops.aten.relu.default](args = (%x,), kwargs = {})"},
      // `alpha` is a keyword; its default goes unsaid.
      {"aten::add.Tensor", {{x}, {y}, {int64_t{1}}}, "torch.ops.aten.add.Tensor](args = (%x, %12), kwargs = {})"},
      {"aten::add.Tensor", {{x}, {y}, {2.0}}, "torch.ops.aten.add.Tensor](args = (%x, %12), kwargs = {alpha: 2.0})"},
      // Defaults behind the last argument that is none; those before it are said.
      {"aten::sum.dim_IntList",
       {{x}, {ir::ArgList{{int64_t{0}}}}, {false}, {ir::None{}}},
       "torch.ops.aten.sum.dim_IntList](args = (%x, [0]), kwargs = {})"},
      {"aten::layer_norm",
       {{x}, {ir::ArgList{{int64_t{4}}}}, {ir::None{}}, {ir::None{}}, {1e-12}, {true}},
       "torch.ops.aten.layer_norm.default](args = (%x, [4], None, None, 1e-12), kwargs = {})"},
      {"aten::zeros",
       {{ir::ArgList{{int64_t{3}}}}, {ir::DType::kFloat32}, {ir::None{}}, {ir::Word{"cpu"}}, {ir::None{}}},
       "torch.ops.aten.zeros.default](args = ([3],), kwargs = {dtype: torch.float32, device: cpu})"},
      {ir::Instruction::kMul, {{x}, {int64_t{2}}}, "operator.mul](args = (%x, 2), kwargs = {})"},
      {"my_ops::mode",
       {{x}, {std::string("it's")}, {true}},
       "torch.ops.my_ops.mode.default](args = (%x, 'it\\'s', "
       "True), kwargs = {})"},
  };
  for (const Case& test : cases) {
    ir::Node call;
    call.op = test.op;
    call.inputs = test.inputs;
    EXPECT_EQ(CallText(graph, call, "out", 3), "%out : [num_users=3] = call_function[target=" + test.text);
  }
}

}  // namespace
}  // namespace onnxport::serializer::call_text_test
