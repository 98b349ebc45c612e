#include "runtime/model/target/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/ir/location.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::target {
namespace {

using ir::DType;
using passes::GraphBuilder;
using passes::Sym;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> Reasons(const GraphBuilder& builder, const char* target) {
  std::vector<std::string> reasons;
  for (const Diagnostic& diagnostic : Check(builder.graph, *FindTarget(target))) {
    EXPECT_EQ(diagnostic.code, Code::kNotOnTarget);
    reasons.push_back(diagnostic.op.empty() ? diagnostic.reason : diagnostic.op + ": " + diagnostic.reason);
  }
  return reasons;
}

TEST(Target, ADTypeWithoutAKernelIsToldOnceWithItsPlaces) {
  GraphBuilder g;
  const ir::ValueId x = g.Input("x", {4, 4}, DType::kBFloat16);
  const ir::ValueId y = g.Node("MatMul", {x, x}, "y", {4, 4}, DType::kBFloat16);
  const ir::ValueId z = g.Node("MatMul", {y, x}, "z", {4, 4}, DType::kBFloat16);
  for (size_t i = 0; i < 2; ++i) {
    const auto module = std::make_shared<ir::ModuleCall>(ir::ModuleCall{.path = "layer" + std::to_string(i)});
    g.graph.body.nodes[i].location =
        g.graph.AddLocation({.at = ir::MakeLine("m.py", static_cast<int>(12 + i)), .module = module});
  }
  g.graph.body.outputs.push_back({z});
  const std::vector<Diagnostic> found = Check(g.graph, *FindTarget("ort-cpu"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].op, "MatMul");
  EXPECT_EQ(found[0].calls, 2);
  EXPECT_EQ(
      found[0].reason,
      "ONNX Runtime on CPU has no kernel for MatMul of bfloat16; compute in float32, as model.float() does before "
      "the export");
  ASSERT_EQ(found[0].sites.size(), 2u);
  EXPECT_EQ(found[0].sites[1].Text(), "layer1  m.py:13");
  EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre());
}

TEST(Target, AnOperatorThatIsNotThere) {
  GraphBuilder g;
  g.Node("Det", {g.Input("x", {4, 4})}, "y", {});
  EXPECT_THAT(Reasons(g, "openvino"), ElementsAre(HasSubstr("Det: OpenVINO on CPU has no such operator; write")));
  EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre());
}

TEST(Target, AnOperatorThatIsThereAtOtherOpsets) {
  GraphBuilder g;
  g.graph.opset = 28;
  const ir::ValueId scale = g.Input("scale", {});
  g.Node("DequantizeLinear", {g.Input("x", {4}, DType::kInt8), scale}, "y", {4});
  EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre("DequantizeLinear: ONNX Runtime on CPU has no such operator at opset "
                                                 "28, but up to opset 27"));
  g.graph.opset = 27;
  EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre());
}

TEST(Target, IntegersThatAnOperatorTakes) {
  for (const auto& [dtype, opset, is_told] : {std::tuple(DType::kInt8, 13, false),
                                              {DType::kUInt8, 13, true},
                                              {DType::kInt32, 18, true},
                                              {DType::kUInt8, 24, true},
                                              {DType::kFloat8E4M3FN, 19, false},
                                              {ir::kInt4, 21, false},
                                              {ir::kUInt4, 21, true}}) {
    GraphBuilder g;
    g.graph.opset = opset;
    const ir::ValueId scale = g.Input("scale", {});
    g.Node("DequantizeLinear", {g.Input("x", {4}, dtype), scale}, "y", {4});
    const auto told = HasSubstr("TensorRT has no kernel for DequantizeLinear of " + std::string(ir::Name(dtype)));
    EXPECT_EQ(testing::Value(Reasons(g, "tensorrt"), Contains(told)), is_told) << ir::Name(dtype) << " at " << opset;
  }
}

TEST(Target, DTypesToQuantizeTo) {
  for (const auto& [dtype, opset, is_told] : {std::tuple(DType::kInt8, 13, false),
                                              {DType::kUInt8, 13, true},
                                              {DType::kFloat8E4M3FN, 19, false},
                                              {DType::kUInt8, 19, true},
                                              {ir::kInt4, 21, false},
                                              {DType::kInt16, 23, true}}) {
    GraphBuilder g;
    g.graph.opset = opset;
    const ir::ValueId zero = g.Input("zero", {}, dtype);
    g.Node("QuantizeLinear", {g.Input("x", {4}), g.Input("scale", {}), zero}, "y", {4}, dtype);
    const auto told = HasSubstr("TensorRT has no kernel for QuantizeLinear of " + std::string(ir::Name(dtype)));
    EXPECT_EQ(testing::Value(Reasons(g, "tensorrt"), Contains(told)), is_told) << ir::Name(dtype) << " at " << opset;
  }
}

TEST(Target, InputsThatHaveToBeZero) {
  const std::string bytes("\0\0\3\0", 4);
  for (const auto& [op, input, told] : {std::tuple("QuantizeLinear", DType::kFloat32, "y_zero_point"),
                                        {"DequantizeLinear", DType::kInt8, "x_zero_point"}}) {
    const DType output = input == DType::kInt8 ? DType::kFloat32 : DType::kInt8;
    for (const bool is_node : {false, true}) {
      for (const int number : {0, 3}) {
        GraphBuilder g;
        const ir::ValueId zero = is_node       ? g.Ints("zero", {0, 0, number, 0}, DType::kInt8)
                                 : number == 3 ? g.Weight("zero", {4}, bytes, DType::kInt8)
                                               : g.Weight("zero", {4}, std::string(4, '\0'), DType::kInt8);
        g.Node(op, {g.Input("x", {2, 4}, input), g.Input("scale", {4}), zero}, "y", {2, 4}, output);
        const std::string reason = std::string(op) + ": TensorRT takes " + op + " only with zeros as `" + told +
                                   "`; quantize symmetrically, with zero points of 0";
        if (number == 0) {
          EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre());
        } else {
          EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre(reason));
        }
        EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre());
      }
    }
    GraphBuilder g;  // what is known only at run time
    g.Node(op, {g.Input("x", {2, 4}, input), g.Input("scale", {4}), g.Input("zero", {4}, DType::kInt8)}, "y", {2, 4},
           output);
    EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre());
  }
}

TEST(Target, IntegersThatSaturate) {
  for (const auto& [dtype, is_told] :
       {std::tuple(DType::kUInt8, true), {DType::kInt8, true}, {DType::kInt16, false}, {DType::kInt32, false}}) {
    GraphBuilder g;
    g.graph.opset = 18;
    const ir::ValueId x = g.Input("x", {4}, dtype);
    g.Node("Add", {x, x}, "y", {4}, dtype);
    g.Node("Cast", {x}, "z", {4}, DType::kFloat32, {{"to", ir::Arg(int64_t{1})}});
    const auto told = HasSubstr("Add: OpenVINO on CPU gives the largest or smallest " + std::string(ir::Name(dtype)));
    EXPECT_THAT(Reasons(g, "openvino"), is_told ? testing::Matcher<std::vector<std::string>>(ElementsAre(told))
                                                : testing::Matcher<std::vector<std::string>>(ElementsAre()));
    EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre());
  }
}

TEST(Target, WhatHasToBeKnown) {
  GraphBuilder g;
  g.graph.opset = 17;
  const ir::ValueId x = g.Input("x", {2, 3});
  g.Node("Tile", {x, g.Ints("twice", {2, 1})}, "y", {4, 3});
  EXPECT_THAT(Reasons(g, "openvino"), ElementsAre());
  g.Node("Tile", {x, g.Input("r", {2}, DType::kInt64)}, "z", {Sym("a"), Sym("b")});
  EXPECT_THAT(Reasons(g, "openvino"), ElementsAre(HasSubstr("Tile: OpenVINO on CPU gives what ONNX says of Tile where "
                                                            "`repeats` is known before the model runs")));
  GraphBuilder signals;
  signals.graph.opset = 17;
  const ir::ValueId step = signals.Ints("step", {4});
  signals.Node("STFT", {signals.Input("s", {1, 16, 1}), step}, "y", {1, 3, 5, 2});
  EXPECT_THAT(Reasons(signals, "openvino"), ElementsAre());
  signals.Node("STFT", {signals.Input("t", {1, Sym("n"), 1}), step}, "z", {1, Sym("k"), 5, 2});
  EXPECT_THAT(Reasons(signals, "openvino"), ElementsAre(HasSubstr("only where the sizes of `signal` are numbers")));
}

ir::ArgList Ints(const std::vector<int64_t>& numbers) {
  ir::ArgList list;
  for (const int64_t number : numbers) list.push_back(ir::Arg(number));
  return list;
}

// Where a window would begin behind the input: what is padded at the end and the stride are more than the window.
TEST(Target, WindowsOfCeilMode) {
  const auto told = [](const char* op, ir::ArgList kernel, ir::ArgList strides, ir::ArgList pads, int64_t counted) {
    GraphBuilder g;
    g.graph.opset = 19;
    g.Node(op, {g.Input("x", {1, 1, 9})}, "y", {1, 1, 5}, DType::kFloat32,
           {{"ceil_mode", ir::Arg(int64_t{1})},
            {"kernel_shape", ir::Arg(std::move(kernel))},
            {"strides", ir::Arg(std::move(strides))},
            {"pads", ir::Arg(std::move(pads))},
            {"count_include_pad", ir::Arg(counted)}});
    return !Reasons(g, "openvino").empty();
  };
  EXPECT_FALSE(told("MaxPool", Ints({3}), Ints({2}), Ints({0, 0}), 0));
  EXPECT_FALSE(told("MaxPool", Ints({3}), Ints({2}), Ints({1, 1}), 0));
  EXPECT_TRUE(told("MaxPool", Ints({2}), Ints({2}), Ints({1, 1}), 0));
  EXPECT_TRUE(told("MaxPool", Ints({2}), Ints({3}), Ints({0, 0}), 0));
  EXPECT_FALSE(told("AveragePool", Ints({3}), Ints({2}), Ints({1, 1}), 0));
  EXPECT_TRUE(told("AveragePool", Ints({3}), Ints({2}), Ints({1, 1}), 1));
  EXPECT_FALSE(told("AveragePool", Ints({3}), Ints({2}), Ints({0, 0}), 1));
}

TEST(Target, BlocksThatDivideTheAxis) {
  for (const int64_t size : {64, 60}) {
    GraphBuilder g;
    g.graph.opset = 21;
    const ir::ValueId x = g.Input("x", {size, 4}, DType::kInt8);
    g.Node("DequantizeLinear", {x, g.Input("scale", {2, 4})}, "y", {size, 4}, DType::kFloat32,
           {{"axis", ir::Arg(int64_t{0})}, {"block_size", ir::Arg(int64_t{32})}});
    EXPECT_EQ(Reasons(g, "openvino").empty(), size == 64);
    EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre());
  }
}

TEST(Target, WithinBranches) {
  GraphBuilder g;
  const ir::ValueId x = g.Input("x", {4, 4});
  const ir::ValueId condition = g.Input("c", {}, DType::kBool);
  const ir::ValueId y = g.Node("If", {condition}, "y", {4, 4});
  ir::Node det;
  det.op = "Det";
  det.inputs = {{x}};
  det.outputs = {g.Value("d", {})};
  g.graph.body.nodes.back().blocks.emplace_back().nodes.push_back(det);
  g.graph.body.outputs.push_back({y});
  EXPECT_THAT(Reasons(g, "openvino"), ElementsAre(HasSubstr("Det: ")));
}

TEST(Target, FreeAxes) {
  GraphBuilder g;
  g.Node("Relu", {g.Input("x", {Sym("batch"), 3})}, "y", {Sym("batch"), 3});
  EXPECT_THAT(Reasons(g, "qnn"),
              ElementsAre(AllOf(HasSubstr("input `x` has free axes (`batch`)"), HasSubstr("<<inputs: x=f32[1,3]>>"))));
  EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre());
}

TEST(Target, IntegersBeyond32Bits) {
  GraphBuilder g;
  const ir::ValueId x = g.Input("x", {1}, DType::kInt64);
  const ir::ValueId large = g.Ints("large", {int64_t{1} << 40});
  g.graph.value(large).contents = ir::Dims{ir::Dim(int64_t{1} << 40)};
  g.Node("Add", {x, large}, "y", {1}, DType::kInt64);
  EXPECT_THAT(Reasons(g, "openvino"),
              testing::Contains(HasSubstr("Add: OpenVINO on CPU computes int64 in 32 bits, which do not hold")));
  EXPECT_THAT(Reasons(g, "ort-cpu"), ElementsAre());
  g.graph.value(large).contents = ir::Dims{ir::Dim(INT64_MAX)};  // as an end of a Slice
  EXPECT_THAT(Reasons(g, "openvino"), ElementsAre());
}

TEST(Target, Opsets) {
  GraphBuilder g(7);
  g.Node("Relu", {g.Input("x", {3})}, "y", {3});
  EXPECT_THAT(Reasons(g, "tensorrt"), ElementsAre(HasSubstr("TensorRT takes opsets 9 to 24, not 7")));
}

// Names of the profiles are those of ONNX's schemas, at the opset from which they hold.
TEST(Target, ProfilesNameWhatThereIs) {
  EXPECT_GE(Targets().size(), 6u);
  EXPECT_EQ(FindTarget("nothing"), nullptr);
  for (const Target& target : Targets()) {
    EXPECT_LE(target.first_opset, target.last_opset) << target.name;
    EXPECT_FALSE(target.title.empty() || target.source.empty() || target.date.empty()) << target.name;
    for (const Form& form : target.forms) {
      if (!form.present) continue;
      lowering::OpCatalog catalog(std::max(form.since, target.first_opset));
      const lowering::OpInfo* info = catalog.Find(form.op);
      ASSERT_NE(info, nullptr) << target.name << ": " << form.op;
      for (const VariableDTypes& kind : form.kinds) {
        EXPECT_NE(std::ranges::find(info->variables, kind.variable, &lowering::TypeVariable::name),
                  info->variables.end())
            << target.name << ": " << form.op << " has no " << kind.variable;
      }
      for (const std::string_view input : form.zeros)
        EXPECT_GE(info->FindInput(input), 0) << target.name << ": " << form.op << " has no " << input;
      for (const auto& inputs : {form.known, form.sized}) {
        for (const std::string_view input : inputs)
          EXPECT_TRUE(form.since < 6 || info->FindInput(input) >= 0) << target.name << ": " << form.op << ": " << input;
      }
    }
  }
}

}  // namespace
}  // namespace onnxport::target
