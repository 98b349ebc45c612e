#include "runtime/onnx/window_check.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/base/refusal.h"

namespace onnxport::onnx_ops::window_check_test {
namespace {

ir::Attribute Ints(const char* name, std::initializer_list<int64_t> numbers) {
  ir::ArgList list;
  for (const int64_t number : numbers) list.push_back({number});
  return {name, {std::move(list)}};
}

TEST(WindowCheck, RefusesWhatNoRuntimeTakes) {
  const struct {
    const char* op;
    std::vector<ir::Attribute> attributes;
    const char* refusal;
  } kCases[] = {
      {"MaxPool", {Ints("kernel_shape", {2, 2}), Ints("pads", {1, 1, 1, 1})}, ""},
      {"MaxPool", {Ints("kernel_shape", {2, 0})}, "a kernel of [2, 0]: each must be 1 or more"},
      {"MaxPool", {Ints("kernel_shape", {2, 2}), Ints("strides", {1, 0})}, "strides of [1, 0]"},
      {"MaxPool", {Ints("kernel_shape", {2, 2}), Ints("dilations", {-1, 1})}, "dilations of [-1, 1]"},
      {"AveragePool", {Ints("kernel_shape", {2, 3}), Ints("pads", {0, 0, 2, 0})}, "a padding of [0, 0, 2, 0] with"},
      {"AveragePool", {Ints("kernel_shape", {3, 2}), Ints("pads", {0, 0, 2, 0})}, ""},
      {"Conv", {Ints("kernel_shape", {1, 1}), Ints("pads", {9, 9, 9, 9})}, ""},  // some windows hold only padding
      {"Conv", {Ints("kernel_shape", {1, 1}), Ints("strides", {0, 1})}, "strides of [0, 1]"},
      {"Conv", {}, "a kernel of [3, 0]"},  // from the weight
      {"DeformConv", {Ints("kernel_shape", {1, 1}), Ints("dilations", {1, 0})}, "dilations of [1, 0]"},
      {"Relu", {Ints("kernel_shape", {0})}, ""},
  };
  ir::Graph graph;
  ir::Value weight;
  weight.dims = ir::Dims{4, 3, 3, 0};
  const ir::ValueId w = graph.AddValue(std::move(weight));
  for (const auto& test : kCases) {
    ir::Node node;
    node.op = test.op;
    node.inputs = {{w}, {w}};
    node.attributes = test.attributes;
    std::string refusal;
    try {
      CheckWindow(Find(node.op), {graph, node});
    } catch (const Refusal& error) {
      refusal = error.what();
    }
    EXPECT_EQ(refusal.rfind(test.refusal, 0), 0u) << refusal;
    EXPECT_EQ(refusal.empty(), std::string(test.refusal).empty()) << refusal;
  }
}

}  // namespace
}  // namespace onnxport::onnx_ops::window_check_test
