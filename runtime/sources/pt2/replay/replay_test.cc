#include "runtime/sources/pt2/replay/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/ir/location.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/testing/emitted_graph.h"
#include "runtime/trace/walk.h"

namespace onnxport::pt2::replay_test {
namespace {

using ir::DType;
using lowering::Context;
using lowering::DispatchRow;
using lowering::PromoteKind;
using lowering::TestGraph;
using lowering::Val;
using lowering::Vals;

// Functions as the generator writes them.
Vals Relu(Context& c) {
  c.compute_in({.integers = DType::kFloat32});
  return {c.op("Relu", {c.arg(0)})};
}
Vals Add(Context& c) {
  Val self = c.arg(0);
  Val other = c.arg(1);
  const Val alpha = c.arg(2);
  c.promote({&self, &other}, PromoteKind::kDefault);
  return {alpha == 1 ? self + other : self + other * alpha};
}
Vals View(Context& c) { return {c.op("Reshape", {c.arg(0), c.arg(1)})}; }
Vals Fixed(Context& c) { return {c.op("Reshape", {c.arg(0), Vals{2, 3}})}; }
Vals WrongDType(Context& c) { return {cast(c.arg(0), DType::kFloat16)}; }
Vals Split(Context& c) {
  const Val parts = c.ops("Split", {c.arg(0), Vals{1, 2}}, {{"axis", 1}}, 2);
  return {parts};
}
Vals Pieces(Context& c) { return {c.op("SplitToSequence", {c.arg(0), 2}, {{"axis", 0}})}; }
Vals FirstOnly(Context& c) { return {c.op("Relu", {c.arg(0)}), Val()}; }
Vals Item(Context& c) { return {c.op("Reshape", {c.arg(0), Vals{}})}; }

Vals Leaky(Context& c) { return {c.op("LeakyRelu", {c.arg(0)}, {{"alpha", c.arg(1)}})}; }

constexpr DispatchRow kRows[] = {
    {"test::add", 7, 25, Add, nullptr, "test.yaml:2"},
    {"test::first_only", 7, 25, FirstOnly, nullptr, "test.yaml:3"},
    {"test::fixed", 7, 25, Fixed, nullptr, "test.yaml:4"},
    {"test::item", 7, 25, Item, nullptr, "test.yaml:5"},
    {"test::late", 11, 12, Relu, nullptr, "test.yaml:7"},
    {"test::late", 13, 25, Relu, nullptr, "test.yaml:7"},
    {"test::leaky", 7, 25, Leaky, nullptr, "test.yaml:6"},
    {"test::never", 7, 25, nullptr, "gradients are not exported", "test.yaml:8"},
    {"test::pieces", 11, 25, Pieces, nullptr, "test.yaml:13"},
    {"test::relu", 7, 25, Relu, nullptr, "test.yaml:9"},
    {"test::split", 13, 25, Split, nullptr, "test.yaml:10"},
    {"test::view", 7, 25, View, nullptr, "test.yaml:11"},
    {"test::wrong", 7, 25, WrongDType, nullptr, "test.yaml:12"},
};

// A source graph.
class Source {
 public:
  ir::ValueId Value(std::string name, ir::ValueKind kind, std::initializer_list<const char*> dims,
                    DType dtype = DType::kFloat32) {
    return graph.AddValue({.name = std::move(name),
                           .kind = kind,
                           .dtype = dtype,
                           .dims = TestGraph::Dims(dims),
                           .contents = {},
                           .strides = {}});
  }
  ir::ValueId Input(std::string name, std::initializer_list<const char*> dims) {
    const ir::ValueId id = Value(name, ir::ValueKind::kTensor, dims);
    graph.inputs.push_back({std::move(name), {id}});
    graph.body.inputs.push_back(id);
    return id;
  }
  void Call(ir::Operator op, std::vector<ir::Arg> inputs, std::vector<ir::ValueId> outputs) {
    const ir::LocationId here =
        graph.AddLocation({.at = ir::MakeLine("model.py", static_cast<int>(graph.locations.size()) + 1, "y = f(x)"),
                           .module = std::make_shared<const ir::ModuleCall>("layer"),
                           .op_name = "f"});
    graph.body.nodes.push_back({.op = std::move(op),
                                .inputs = std::move(inputs),
                                .attributes = {},
                                .outputs = std::move(outputs),
                                .blocks = {},
                                .location = here,
                                .name = {}});
  }
  ir::ValueId Tensor(ir::Operator op, std::vector<ir::Arg> inputs, std::initializer_list<const char*> dims,
                     DType dtype = DType::kFloat32) {
    const ir::ValueId id = Value("v" + std::to_string(graph.values.size()), ir::ValueKind::kTensor, dims, dtype);
    Call(std::move(op), std::move(inputs), {id});
    return id;
  }
  void Output(ir::Arg arg) {
    graph.outputs.push_back({"y" + std::to_string(graph.outputs.size()), arg});
    graph.body.outputs.push_back(arg);
  }

  trace::Traced Walked(int opset) const {
    return trace::Trace([&](int at, const auto&) { return Replay(graph, at); }, opset);
  }
  std::string Lowered(int opset = 17) {
    try {
      trace::Traced traced = Walked(opset);
      remarks = std::move(traced.remarks);
      return ir::ToText(traced.onnx);
    } catch (const Error& error) {
      kind = error.kind();
      code = error.report().diagnostics()[0].code;
      return error.what();
    }
  }

  ir::Graph graph;
  std::vector<std::string> remarks;
  std::optional<ErrorKind> kind;  // of the error
  std::optional<Code> code;       // the first one
};

ir::Arg None() { return {}; }
ir::Arg Int(int64_t i) { return {i}; }

TEST(Replay, RowsFunctionsAndLocations) {
  Source s;
  const auto x = s.Input("x", {"batch", "3"});
  s.Input("unused", {"2"});
  const auto y = s.Tensor("test::leaky", {{x}, {0.1}}, {"batch", "3"});
  const auto z = s.Tensor("test::add", {{y}, Int(2), Int(1)}, {"batch", "3"});
  s.Output({z});
  EXPECT_EQ(s.Lowered(),
            "opset 17\n"
            "symbol batch in 1..\n"
            "input x = %x: float32[batch, 3]\n"
            "input unused = %unused: float32[2]\n"
            "%#2: float32[batch, 3] = LeakyRelu(%x, alpha=0.1)  # layer model.py:1\n"
            "%#3: float32[] = Constant(value=float32[]{2})  # layer model.py:2\n"
            "%#4: float32[batch, 3] = Add(%#2, %#3)  # layer model.py:2\n"
            "output y0 = %#4\n");
}

TEST(Replay, KeepsBatchSymbolicInAView) {
  Source s;
  const auto x = s.Input("x", {"batch", "4", "5"});
  const auto n = s.Value("n", ir::ValueKind::kInt, {}, DType::kInt64);
  s.graph.value(n).contents = ir::Dims{ir::Dim::Symbol("batch")};
  s.Call("aten::sym_size.int", {{x}, Int(0)}, {n});
  const auto y = s.Tensor("test::view", {{x}, {ir::ArgList{{n}, {int64_t{-1}}}}}, {"batch", "20"});
  s.Output({y});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("float32[batch, 20] = Reshape"), std::string::npos) << text;
}

TEST(Replay, WeightsListsAndHostOutputs) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto w = s.Value("p_w", ir::ValueKind::kTensor, {"3"});
  s.graph.weights.push_back({w, "fc.w", ir::MakeTensor(DType::kFloat32, {3}, std::string(12, '\0'))});
  const auto a = s.Value("a", ir::ValueKind::kTensor, {"2", "1"});
  const auto b = s.Value("b", ir::ValueKind::kTensor, {"2", "2"});
  s.Call("test::split", {{x}}, {a, b});
  s.Output({b});
  s.Output(None());
  s.Output(Int(7));
  s.Output({2.5});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("weight fc.w = %fc.w: float32[3]"), std::string::npos) << text;
  EXPECT_NE(text.find("value=int64[]{7}"), std::string::npos) << text;
  EXPECT_NE(text.find("value=float64[]{2.5}"), std::string::npos) << text;
  EXPECT_EQ(s.remarks, std::vector<std::string>{"output `y1` is None and is left out"});
}

TEST(Replay, ElementsOfASequence) {
  Source s;
  const auto x = s.Input("x", {"batch", "3"});
  const auto a = s.Value("a", ir::ValueKind::kTensor, {"2", "3"});
  const auto b = s.Value("b", ir::ValueKind::kTensor, {"batch - 2", "3"});
  s.Call("test::pieces", {{x}}, {a, b});
  s.Output({b});
  s.Output({a});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find(": float32[2, 3] = SequenceAt("), std::string::npos) << text;
  EXPECT_NE(text.find(": float32[batch - 2, 3] = SequenceAt("), std::string::npos) << text;
  EXPECT_NE(text.find("value=int64[]{1}"), std::string::npos) << text;
}

TEST(Replay, TellsTheOpsetThatGivesAnOutput) {
  Source s;
  const auto x = s.Input("x", {"2"});
  s.graph.value(x).dtype = ir::DType::kBFloat16;
  s.Output({x});
  EXPECT_EQ(s.Lowered(9),
            "the model cannot be exported at opset 9:\n"
            "  output `y0`: ONNX of opset 9 has no operator that gives bfloat16\n"
            "      opset 13 can express it");
}

TEST(Replay, OneReportOfEverything) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  auto y = s.Tensor("test::late", {{x}}, {"2", "3"});
  y = s.Tensor("test::never", {{y}}, {"2", "3"});
  y = s.Tensor("other::thing", {{y}}, {"2", "3"});
  y = s.Tensor("test::relu", {{y}}, {"2", "3"});
  y = s.Tensor("test::late", {{y}}, {"2", "3"});
  s.Output({y});
  EXPECT_EQ(s.Lowered(9),
            "the model cannot be exported at opset 9:\n"
            "  test::late (2 calls): opset 9 cannot express it; the spec covers 11 to 25\n"
            "      opset 11 can express it\n"
            "      layer  model.py:1  y = f(x)\n"
            "      layer  model.py:5  y = f(x)\n"
            "  test::never (1 call): gradients are not exported\n"
            "      layer  model.py:2  y = f(x)\n"
            "  other::thing (1 call): no spec says how to export it\n"
            "      layer  model.py:3  y = f(x)");
}

TEST(Replay, AFreeAxisIsNeverFixed) {
  Source s;
  const auto x = s.Input("x", {"batch", "3"});
  s.Output({s.Tensor("test::fixed", {{x}}, {"batch", "3"})});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("dimension 0 of the result is `batch`, which must stay free, but would be fixed at 2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("model.py:1"), std::string::npos);
  EXPECT_EQ(s.kind, ErrorKind::kCannotExport);
}

struct Contradiction {
  const char* op;
  std::initializer_list<const char*> dims;
  const char* message;
};

TEST(Replay, ContradictionsAreNeverWritten) {
  const Contradiction kCases[] = {
      {"test::fixed",
       {"2", "4"},
       "test.yaml:4 gives float32[2, 3], the source says float32[2, 4]: dimension 1 differs"},
      {"test::fixed", {"6"}, "the ranks differ"},
      {"test::wrong", {"6"}, "test.yaml:12 gives float16[6], the source says float32[6]: the dtypes differ"},
  };
  for (const Contradiction& c : kCases) {
    Source s;
    const auto x = s.Input("x", {"6"});
    s.Output({s.Tensor(c.op, {{x}}, c.dims)});
    const std::string text = s.Lowered();
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
    EXPECT_EQ(s.kind, ErrorKind::kBadInput);
    EXPECT_EQ(s.code, Code::kContradictsFile);
  }
}

TEST(Replay, TwoNamesThatCannotBeOneSizeContradict) {
  Source s;
  const auto x = s.Input("x", {"batch", "3"});
  s.Output({s.Tensor("test::relu", {{x}}, {"batch + 1", "3"})});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("dimension 0 differs"), std::string::npos) << text;
  EXPECT_EQ(s.kind, ErrorKind::kBadInput);
}

TEST(Replay, MissingResultsAreRefusedOnlyWhenUsed) {
  Source s;
  const auto x = s.Input("x", {"2"});
  const auto a = s.Value("a", ir::ValueKind::kTensor, {"2"});
  const auto b = s.Value("b", ir::ValueKind::kTensor, {"2"});
  s.Call("test::first_only", {{x}}, {a, b});
  s.Output({a});
  EXPECT_NE(s.Lowered().find("= Relu(%x)"), std::string::npos);
  s.Output({b});
  EXPECT_EQ(s.Lowered(),
            "the model cannot be exported at opset 17:\n"
            "  result `b` of test::first_only is not exported");
}

TEST(Replay, OpsetsOutsideTheTablesAreUsageErrors) {
  Source s;
  try {
    s.Walked(26);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_STREQ(error.what(), "opset 26 is not supported; 7 to 25 are");
  }
}

struct NumberCase {
  ir::Instruction op;
  std::vector<ir::Arg> args;  // kNone: a computed int of unknown contents
  const char* text;
};

TEST(Replay, ArithmeticOfNumbers) {
  const ir::Arg n{ir::ValueId::kNone};
  const NumberCase kCases[] = {
      {ir::Instruction::kFloorDiv, {Int(-7), Int(2)}, "value=int64[]{-4}"},
      {ir::Instruction::kTrueDiv, {Int(7), Int(2)}, "value=float64[]{3.5}"},
      {ir::Instruction::kRound, {{2.5}}, "value=int64[]{2}"},
      {ir::Instruction::kTrunc, {{-2.5}}, "value=int64[]{-2}"},
      {ir::Instruction::kCeil, {{2.5}}, "value=int64[]{3}"},
      {ir::Instruction::kPow, {Int(2), Int(5)}, "value=int64[]{32}"},
      {ir::Instruction::kGe, {Int(2), Int(2)}, "value=bool[]{True}"},
      {ir::Instruction::kNot, {{true}}, "value=bool[]{False}"},
      {ir::Instruction::kAnd, {{true}, {false}}, "value=bool[]{False}"},
      {ir::Instruction::kIte, {{true}, Int(1), Int(2)}, "value=int64[]{1}"},
      {ir::Instruction::kMul, {n, Int(3)}, "int64[] = Mul"},
      {ir::Instruction::kTrueDiv, {n, Int(3)}, "float64[] = Div"},
      {ir::Instruction::kSqrt, {n}, "float64[] = Sqrt"},
      {ir::Instruction::kPow, {n, {0.5}}, "float64[] = Pow"},
      {ir::Instruction::kPow, {n, Int(2)}, "int64[] = Mul"},
      {ir::Instruction::kFloor, {n}, "output y0 = %n"},
      {ir::Instruction::kGe, {n, Int(3)}, "bool[] = Not"},
      {ir::Instruction::kEq, {n, Int(3)}, "bool[] = Equal"},
      {ir::Instruction::kMax, {n, Int(3)}, "int64[] = Max"},
      {ir::Instruction::kFloat, {n}, "float64[] = Cast"},
  };
  for (const NumberCase& c : kCases) {
    Source s;
    const auto number = s.Value("#0", ir::ValueKind::kInt, {}, DType::kInt64);
    s.graph.inputs.push_back({"n", {number}});
    s.graph.body.inputs.push_back(number);
    std::vector<ir::Arg> args = c.args;
    for (ir::Arg& arg : args) {
      if (arg.value()) arg = {number};
    }
    const bool is_bool = std::string_view(c.text).find("bool") != std::string_view::npos;
    const bool is_float = std::string_view(c.text).find("float") != std::string_view::npos;
    const auto kind = is_bool ? ir::ValueKind::kBool : is_float ? ir::ValueKind::kFloat : ir::ValueKind::kInt;
    const auto y = s.Value("y", kind, {}, DType::kUndefined);
    s.Call(c.op, args, {y});
    s.Output({y});
    const std::string text = s.Lowered();
    EXPECT_NE(text.find(c.text), std::string::npos) << TextOf(c.op) << "\n" << text;
  }
}

TEST(Replay, SizesThatContradictTheSourceAreRefused) {
  Source s;
  const auto x = s.Input("x", {"batch", "3"});
  const auto stride = s.Value("stride", ir::ValueKind::kInt, {}, DType::kInt64);
  s.graph.value(stride).contents = ir::Dims{ir::Dim::Symbol("batch") * 2};
  s.Call("aten::sym_stride.int", {{x}, Int(1)}, {stride});
  s.Output({stride});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("aten::sym_stride.int is 1, the source says 2*batch"), std::string::npos) << text;
}

// A size that a call computes from data: item().
TEST(Replay, ComputedNumbersServeAsSizes) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto one = s.Input("one", {"1"});
  const auto n = s.Value("n", ir::ValueKind::kInt, {}, DType::kInt64);
  s.graph.value(n).contents = ir::Dims{ir::Dim::Symbol("u0")};
  s.Call("test::item", {{one}}, {n});
  s.Output({s.Tensor("test::view", {{x}, {ir::ArgList{{n}, {int64_t{-1}}}}}, {"u0", "?"})});
  const std::string text = s.Lowered();
  EXPECT_NE(text.find("int64[] {u0} = Cast"), std::string::npos) << text;
  EXPECT_NE(text.find("float32[u0, "), std::string::npos) << text;
}

// Long models must not exhaust the stack.
TEST(Replay, TenThousandCallsInARow) {
  Source s;
  auto x = s.Input("x", {"batch", "3"});
  for (int i = 0; i < 5000; ++i) {
    x = s.Tensor("test::relu", {{x}}, {"batch", "3"});
    x = s.Tensor("test::add", {{x}, Int(2), Int(1)}, {"batch", "3"});
  }
  s.Output({x});
  EXPECT_EQ(s.Walked(17).onnx.body.nodes.size(), 10001u);
}

// A call of `op` on x with these arguments, None for x, and one graph that gives back what it takes.
std::string LoweredWithGraph(const std::string& op, std::vector<ir::Arg> inputs) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  for (ir::Arg& input : inputs) {
    if (input.is_none()) input = {x};
  }
  const auto y = s.Tensor(op, std::move(inputs), {"2", "3"});
  ir::Block block;
  block.inputs = {s.Value("a", ir::ValueKind::kTensor, {"2", "3"})};
  block.outputs = {{block.inputs[0]}};
  s.graph.body.nodes.back().blocks.push_back(std::move(block));
  s.Output({y});
  return s.Lowered();
}

TEST(Replay, CallsThatChangeNothingAreLeftOut) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto y = s.Value("y", ir::ValueKind::kTensor, {"2", "3"});
  const auto z = s.Value("z", ir::ValueKind::kTensor, {"2", "3"});
  s.Call("aten::_coalesce", {{x}}, {y});
  s.Call("aten::_coalesce", {{y}}, {z});
  s.Output({x});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("output y0 = %x"));
  s.Call("aten::_assert_async", {{x}}, {});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("aten::_assert_async"));
}

TEST(Replay, WhatACallWritesToIsUsed) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto y = s.Value("y", ir::ValueKind::kTensor, {"2", "3"});
  const auto z = s.Value("z", ir::ValueKind::kTensor, {"2", "3"});
  s.Call("aten::_coalesce", {{x}}, {y});
  s.Call("aten::relu_", {{y}}, {z});
  s.Output({x});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("aten::_coalesce"));
}

const ir::Arg kGraph{ir::Word{"body"}};

// Whatever else such an operator takes.
TEST(Replay, GraphsThatAreOnlyCalled) {
  const ir::Arg dict{ir::Word{"dict"}};
  struct Case {
    const char* op;
    std::vector<ir::Arg> args;
  };
  const ir::Arg x{ir::ValueId{0}};  // the first value there is
  const Case cases[] = {
      {"hints_wrapper", {kGraph, {ir::ArgList{x}}, dict, dict}},
      {"invoke_quant", {kGraph, None(), {std::string("nf4")}}},
      {"invoke_subgraph", {kGraph, {std::string("name")}, None()}},
      {"run_const_graph", {kGraph, {ir::ArgList{x}}}},
      {"strict_mode", {kGraph, {ir::ArgList{x}}}},
      {"tag_activation_checkpoint", {kGraph, None(), {false}, {true}}},
      {"wrap", {kGraph, None()}},
      {"wrap_activation_checkpoint", {kGraph, None(), {false}}},
      {"wrap_with_autocast", {{std::string("cpu")}, {DType::kBFloat16}, {false}, {true}, kGraph, None()}},
      {"wrap_with_set_grad_enabled", {{false}, kGraph, None()}},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(LoweredWithGraph(std::string("higher_order::") + c.op, c.args), testing::HasSubstr("output y0 = %x"))
        << c.op;
  }
}

TEST(Replay, PrintingIsLeftOut) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  s.Call("higher_order::print", {{std::string("x is {}")}, {x}}, {});
  // After run_decompositions(), with the order of such calls.
  const auto token = s.Value("token", ir::ValueKind::kTensor, {}, DType::kUndefined);
  const auto next = s.Value("next", ir::ValueKind::kTensor, {}, DType::kUndefined);
  const ir::Arg print{ir::Word{"torch.ops.higher_order.print"}};
  s.Call("higher_order::with_effects", {{token}, print, {std::string("x is {}")}, {x}}, {next, ir::ValueId::kNone});
  s.Output({x});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("output y0 = %x"));
  EXPECT_THAT(s.remarks, testing::ElementsAre("what the program prints is left out"));
}

// torch.linalg.inv after run_decompositions()
TEST(Replay, AssertionsInARowAreLeftOut) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto token = s.Value("token", ir::ValueKind::kTensor, {}, DType::kUndefined);
  const auto next = s.Value("next", ir::ValueKind::kTensor, {}, DType::kUndefined);
  const ir::Arg check{ir::Word{"torch.ops.aten._linalg_check_errors.default"}};
  s.Call("higher_order::with_effects", {{token}, check, {x}, {std::string("linalg.inv")}, {true}}, {next});
  s.Output({x});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("output y0 = %x"));
  EXPECT_THAT(s.remarks, testing::IsEmpty());
}

TEST(Replay, OtherEffectsThanPrintingAreRefused) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto y = s.Value("y", ir::ValueKind::kTensor, {"2", "3"});
  s.Call("higher_order::with_effects", {{x}, {ir::Word{"torch.ops.mine.log"}}, {x}}, {y});
  s.Output({y});
  EXPECT_THAT(s.Lowered(), testing::HasSubstr("calls an operator with effects outside of the program; leave it out"));
}

TEST(Replay, HigherOrderOperatorsThatAreRefusedSayWhatWouldWork) {
  struct Case {
    const char* op;
    const char* expected;
  };
  constexpr Case kCases[] = {
      {"aoti_call_delegate", "save the program before it is lowered"},
      {"auto_functionalized", "write it with PyTorch's own operators"},
      {"auto_functionalized_v2", "write it with PyTorch's own operators"},
      {"call_torchbind", "compute it with tensors"},
      {"dynamo_bypassing_wrapper", "a function that the file does not hold"},
      {"executorch_call_delegate", "save the program before it is lowered"},
      {"flat_apply", "let torch.export trace it"},
      {"flex_attention", "scaled_dot_product_attention with bias and mask as `attn_mask` is"},
      {"flex_attention_backward", "export the forward pass"},
      {"flex_gemm", "write it with PyTorch's own operators"},
      {"foreach_map", "write the loop in Python"},
      {"inductor_compiled_code", "save the program before it is lowered"},
      {"inline_asm_elementwise", "write it with PyTorch's own operators"},
      {"invoke_leaf_function", "let torch.export trace it"},
      {"invoke_quant_packed", "save the program before it is lowered"},
      {"local_map_hop", "export the model of one"},
      {"out_dtype", "convert the arguments and call the operator"},
      {"register_hook", "export the forward pass"},
      {"switch", "nested torch.cond is"},
      {"triton_kernel_wrapper_functional", "write it with PyTorch's own operators"},
      {"triton_kernel_wrapper_mutation", "write it with PyTorch's own operators"},
      {"while_loop_stack_output", "export the forward pass"},
      {"of_a_later_version", "run_decompositions() may write it out"},
  };
  for (const Case& c : kCases) {
    const std::string op = std::string("higher_order::") + c.op;
    const std::string text = LoweredWithGraph(op, {None(), kGraph});
    EXPECT_THAT(text, testing::HasSubstr(op + " (1 call): "));
    EXPECT_THAT(text, testing::HasSubstr(c.expected));
  }
}

// Calls with graphs, and marks of vmap, that are not exported are named.
TEST(Replay, WhatCannotBeCalledWithAGraphIsNamed) {
  EXPECT_THAT(LoweredWithGraph("higher_order::invoke_subgraph", {kGraph}),
              testing::HasSubstr("a graph takes more values than it is given"));
  EXPECT_THAT(LoweredWithGraph("higher_order::cond", {None(), kGraph, {ir::ArgList{}}}),
              testing::HasSubstr("higher_order::cond (1 call): has other arguments than those known here"));
  EXPECT_THAT(LoweredWithGraph("torch._functorch.predispatch._vmap_increment_nesting", {Int(2), {std::string("same")}}),
              testing::HasSubstr("_vmap_increment_nesting (1 call): is of a kind that is not exported"));
}

// The inputs of a graph of the loop, and how often it gives its results.
struct LoopGraph {
  size_t takes = 1;
  size_t gives = 1;
};

std::string LoweredLoop(const LoopGraph& condition, const LoopGraph& body) {
  Source s;
  const auto x = s.Input("x", {"2", "3"});
  const auto y =
      s.Tensor("higher_order::while_loop", {kGraph, kGraph, {ir::ArgList{{x}}}, {ir::ArgList{}}}, {"2", "3"});
  for (const LoopGraph& graph : {condition, body}) {
    ir::Block block;
    for (size_t i = 0; i < graph.takes; ++i) block.inputs.push_back(s.Value("a", ir::ValueKind::kTensor, {"2", "3"}));
    for (size_t i = 0; i < graph.gives; ++i)
      block.outputs.push_back(graph.takes == 0 ? None() : ir::Arg{block.inputs[0]});
    s.graph.body.nodes.back().blocks.push_back(std::move(block));
  }
  s.Output({y});
  return s.Lowered();
}

TEST(Replay, ADamagedWhileLoopIsRefused) {
  using testing::HasSubstr;
  EXPECT_THAT(LoweredLoop({.gives = 0}, {}), HasSubstr("has a condition that gives no one bool"));
  EXPECT_THAT(LoweredLoop({.gives = 2}, {}), HasSubstr("has a condition that gives no one bool"));
  EXPECT_THAT(LoweredLoop({}, {}), HasSubstr("has a condition that gives no bool")) << "it is the body";
  EXPECT_THAT(LoweredLoop({.takes = 0}, {}), HasSubstr("a graph is given 1 values and takes 0"));
  EXPECT_THAT(LoweredLoop({.takes = 2}, {}), HasSubstr("a graph takes more values than it is given"));
  EXPECT_THAT(LoweredLoop({}, {.gives = 0}), HasSubstr("has a body that gives not what it carries"));
  EXPECT_THAT(LoweredLoop({}, {.gives = 2}), HasSubstr("has a body that gives not what it carries"));
}

[[maybe_unused]] const bool kAdded = lowering::DispatchTables::Add({kBuiltIn, kRows, {7, 25}});

}  // namespace

}  // namespace onnxport::pt2::replay_test
