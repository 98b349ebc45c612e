// Calls that are lowered as they are made.
#include "runtime/lowering/lowerer.h"

#include <gtest/gtest.h>

#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering {
namespace {

using ir::ValueId;
using ir::ValueKind;

// Functions as the generator writes them.
Vals Add(Context& c) {
  Val self = c.arg(0);
  Val other = c.arg(1);
  c.promote({&self, &other}, PromoteKind::kDefault);
  return {self + other};
}
Vals Relu(Context& c) { return {c.op("Relu", {c.arg(0)})}; }
Vals Item(Context& c) { return {c.op("Reshape", {c.arg(0), Vals{}})}; }
Vals Squeeze(Context& c) { return {dim(c.arg(0), 0) == 1 ? c.op("Squeeze", {c.arg(0), Vals{0}}) : c.arg(0)}; }
Vals SqueezeThenRefuse(Context& c) {
  Squeeze(c);
  refuse("for the test");
}
Vals ToTensor(Context& c) { return {c.constant(c.arg(0), DType::kInt64)}; }
Vals Split(Context& c) {
  const Val parts = c.ops("Split", {c.arg(0), Vals{1, 3}}, {{"axis", 1}}, 2);
  return {parts};
}

constexpr DispatchRow kRows[] = {
    {"aten::add.Tensor", 7, 25, Add, nullptr, "test.yaml:1"},
    {"aten::item", 7, 25, Item, nullptr, "test.yaml:2"},
    {"aten::relu", 7, 25, Relu, nullptr, "test.yaml:3"},
    {"aten::scalar_tensor", 7, 25, ToTensor, nullptr, "test.yaml:4"},
    {"aten::squeeze.dim", 7, 25, Squeeze, nullptr, "test.yaml:5"},
    {"aten::squeeze_then_refuse", 7, 25, SqueezeThenRefuse, nullptr, "test.yaml:6"},
    {"aten::unbind.int", 13, 25, Split, nullptr, "test.yaml:7"},
};

class Program {
 public:
  explicit Program(int opset = 18) : lowerer(opset, FreeSizes::kAsStated) {}

  ValueId Value(ValueKind kind, std::initializer_list<const char*> dims, DType dtype = DType::kFloat32) {
    return graph.AddValue({.name = "v" + std::to_string(graph.values.size()),
                           .kind = kind,
                           .dtype = dtype,
                           .dims = TestGraph::Dims(dims),
                           .contents = {},
                           .strides = {}});
  }
  ValueId Input(std::initializer_list<const char*> dims, ValueKind kind = ValueKind::kTensor,
                DType dtype = DType::kFloat32) {
    const ValueId id = Value(kind, dims, dtype);
    for (const std::string_view dim : dims) {
      if (std::isalpha(static_cast<unsigned char>(dim[0]))) graph.ranges[std::string(dim)] = {.min = 1, .max = {}};
    }
    lowerer.AddInput(graph.value(id).name, id, graph.value(id), graph.ranges);
    return id;
  }
  ValueId Weight(DType dtype, std::vector<int64_t> shape, std::string bytes) {
    const ValueId id = Value(ValueKind::kTensor, {}, dtype);
    graph.value(id).dims = ir::Dims(shape.begin(), shape.end());
    lowerer.AddWeight({id, "w", ir::MakeTensor(dtype, std::move(shape), std::move(bytes))}, graph.value(id));
    return id;
  }
  std::vector<ir::Arg> Call(const ir::Operator& op, std::vector<ir::Arg> inputs) {
    ir::Node node;
    node.op = op;
    node.inputs = std::move(inputs);
    made = {};
    const auto reason = lowerer.Call(node, nullptr, graph.next_value(), &made);
    refusal = reason ? reason->text : "";
    for (const ir::Value& value : made.values) graph.AddValue(value);
    return made.results;
  }
  std::vector<ValueId> Add(const std::vector<ir::Value>& values) {
    std::vector<ValueId> ids;
    for (const ir::Value& value : values) ids.push_back(graph.AddValue(value));
    return ids;
  }
  ir::Arg One(const ir::Operator& op, std::vector<ir::Arg> inputs) {
    const auto results = Call(op, std::move(inputs));
    return results.empty() ? ir::Arg() : results[0];
  }
  // "int float32[n, 4]"
  std::string Type(const ir::Arg& arg) {
    constexpr const char* kKinds[] = {"tensor", "int", "float", "bool", "sequence"};
    if (!arg.value()) return "host";
    const ir::Value& value = graph.value(*arg.value());
    std::string dims = value.dims ? "" : "*";
    for (const ir::Dim& dim : value.dims.value_or(ir::Dims())) dims += (dims.empty() ? "" : ", ") + dim.ToString();
    return std::string(kKinds[static_cast<size_t>(value.kind)]) + " " + std::string(ir::Name(value.dtype)) + "[" +
           dims + "]";
  }
  std::string Ops() { return TestGraph::OpsOf(lowerer.TakeGraph().body); }

  ir::Graph graph;  // values of the program only
  Lowerer lowerer;
  std::string refusal;
  Lowerer::Made made;  // by the last call
};

ir::Arg Int(int64_t i) { return {i}; }

TEST(Call, ResultsHaveTypes) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  EXPECT_EQ(p.Type(p.One("aten::relu", {{x}})), "tensor float32[n, 4]");
  EXPECT_EQ(p.made.values.size(), 1u);
  EXPECT_EQ(p.Type(p.One("aten::add.Tensor", {{x}, {2.5}, Int(1)})), "tensor float32[n, 4]");
  // One result that is a list; its elements are the call's outputs.
  const ir::Arg parts = p.One("aten::unbind.int", {{x}, Int(1)});
  ASSERT_TRUE(parts.list());
  EXPECT_EQ(p.Type((*parts.list())[1]), "tensor float32[n, 3]");
  EXPECT_EQ(p.made.values.size(), 2u);
  // Numbers are host values as long as they are known.
  EXPECT_EQ(std::get<int64_t>(p.One("aten::sym_size.int", {{x}, Int(1)}).v), 4);
  const ir::Arg n = p.One("aten::sym_size.int", {{x}, Int(0)});
  EXPECT_EQ(p.Type(n), "int int64[]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kTrueDiv, {n, Int(2)})), "float float64[]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kGt, {n, Int(3)})), "bool bool[]");
  EXPECT_EQ(std::get<bool>(p.One(ir::Instruction::kGe, {n, Int(1)}).v), true);
  // As a tensor it promotes like one.
  EXPECT_EQ(p.Type(p.One("aten::scalar_tensor", {n})), "tensor int64[]");
  p.Call("aten::unknown", {{x}});
  EXPECT_EQ(p.refusal, "no spec says how to export it");
}

// Before opset 13 not even Identity takes bfloat16.
TEST(Call, OutputsAreOfDTypesThatTheOpsetHas) {
  for (const int opset : {7, 13}) {
    Program p(opset);
    const ValueId x = p.Input({"4"}, ValueKind::kTensor, DType::kBFloat16);
    const auto reason = p.lowerer.AddOutput({"y", {x}});
    if (opset == 13) {
      EXPECT_FALSE(reason.has_value());
    } else {
      EXPECT_EQ(reason.value().text, "output `y`: ONNX of opset 7 has no operator that gives bfloat16");
    }
  }
}

TEST(Call, ConstantsAreHostValues) {
  Program p;
  const ValueId one = p.Weight(DType::kFloat32, {1}, std::string("\0\0\0\x40", 4));
  EXPECT_EQ(std::get<double>(p.One("aten::item", {{one}}).v), 2.0);
  const ValueId flag = p.Weight(DType::kBool, {}, std::string("\1", 1));
  EXPECT_EQ(std::get<bool>(p.One("aten::item", {{flag}}).v), true);
  const ValueId x = p.Input({}, ValueKind::kTensor, DType::kFloat32);
  EXPECT_EQ(p.Type(p.One("aten::item", {{x}})), "float float64[]");
  const ValueId k = p.Input({"1"}, ValueKind::kTensor, DType::kInt32);
  EXPECT_EQ(p.Type(p.One("aten::item", {{k}})), "int int64[]");
}

// Traced programs compute sizes with tensors: torch.mul(torch.size(x, 0), CONSTANTS.c0).
TEST(Call, SizesAsTensors) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  const ir::Arg n = p.One("aten::scalar_tensor", {p.One("aten::sym_size.int", {{x}, Int(0)})});
  const ValueId two = p.Weight(DType::kInt64, {}, std::string("\2\0\0\0\0\0\0\0", 8));
  const ir::Arg more = p.One("aten::item", {p.One("aten::add.Tensor", {n, {two}, Int(1)})});
  ASSERT_TRUE(more.value());
  EXPECT_EQ(p.graph.value(*more.value()).contents->front().ToString(), "n + 2");
}

// The program's own conditions are asked when the model runs; what a spec takes for granted is told.
TEST(Call, FreeSizesMayBeOne) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  const ir::Arg n = p.One("aten::sym_size.int", {{x}, Int(0)});
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kEq, {n, Int(1)})), "bool bool[]");
  EXPECT_EQ(std::get<bool>(p.One(ir::Instruction::kEq, {n, Int(0)}).v), false);
  EXPECT_TRUE(p.made.assumed.empty());
  EXPECT_EQ(p.Type(p.One("aten::squeeze.dim", {{x}, Int(0)})), "tensor float32[n, 4]");
  ASSERT_EQ(p.made.assumed.size(), 1u);
  EXPECT_EQ(p.made.assumed[0].ToString(), "n - 1");
  // A call that is refused takes nothing for granted, and leaves nothing to the next.
  p.Call("aten::squeeze_then_refuse", {{x}, Int(0)});
  EXPECT_EQ(p.refusal, "for the test");
  p.Call("aten::relu", {{x}});
  EXPECT_TRUE(p.made.assumed.empty());
}

TEST(Call, NumbersOfARun) {
  Program p;
  const ir::Arg n = {p.Input({}, ValueKind::kInt)};
  const ir::Arg s = {p.Input({}, ValueKind::kFloat)};
  const ir::Arg b = {p.Input({}, ValueKind::kBool)};
  const struct {
    ir::Instruction op;
    std::vector<ir::Arg> args;
    const char* type;
  } cases[] = {
      {ir::Instruction::kAdd, {n, Int(1)}, "int int64[]"},
      {ir::Instruction::kAdd, {n, s}, "float float64[]"},
      {ir::Instruction::kFloorDiv, {n, Int(2)}, "int int64[]"},
      {ir::Instruction::kMod, {n, Int(2)}, "int int64[]"},
      {ir::Instruction::kPow, {n, Int(2)}, "int int64[]"},
      {ir::Instruction::kAbs, {n}, "int int64[]"},
      {ir::Instruction::kNeg, {s}, "float float64[]"},
      {ir::Instruction::kSqrt, {n}, "float float64[]"},
      {ir::Instruction::kTrunc, {s}, "int int64[]"},
      {ir::Instruction::kFloor, {s}, "int int64[]"},
      {ir::Instruction::kFloat, {n}, "float float64[]"},
      {ir::Instruction::kNe, {n, Int(0)}, "bool bool[]"},
      {ir::Instruction::kEq, {b, {true}}, "bool bool[]"},
      {ir::Instruction::kAnd, {b, b}, "bool bool[]"},
      {ir::Instruction::kAnd, {n, Int(3)}, "int int64[]"},
      {ir::Instruction::kNot, {b}, "bool bool[]"},
      {ir::Instruction::kMax, {n, Int(3)}, "int int64[]"},
      {ir::Instruction::kMin, {s, {2.0}}, "float float64[]"},
      {ir::Instruction::kIte, {b, n, Int(3)}, "int int64[]"},
      {ir::Instruction::kRound, {s}, "int int64[]"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(p.Type(p.One(test.op, test.args)), test.type) << TextOf(test.op) << " " << p.refusal;
  }
  p.One(ir::Instruction::kAdd, {n});
  EXPECT_EQ(p.refusal, "takes 2 operands, not 1");
  p.One("host::add", {n, Int(1)});
  EXPECT_EQ(p.refusal, "no spec says how to export it");
}

TEST(Control, IfOfBlocksThatHaveEnded) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  const ValueId test = p.Input({}, ValueKind::kBool);
  p.lowerer.BeginBlock();
  const ir::Arg yes = p.One("aten::relu", {{x}});
  ir::Block then = p.lowerer.EndBlock();
  p.lowerer.BeginBlock();
  p.One("aten::relu", {{x}});
  ir::Block dropped = p.lowerer.EndBlock();
  p.lowerer.BeginBlock();
  ir::Block otherwise = p.lowerer.EndBlock();
  const ir::IfSpec spec{
      .condition = {test},
      .results = {{yes, {x}, p.graph.value(x)}, {Int(3), Int(4), p.graph.value(p.Value(ValueKind::kInt, {}))}}};
  std::vector<ir::Value> made;
  ASSERT_EQ(
      p.lowerer.If(spec, ir::LocationId::kNone, std::move(then), std::move(otherwise), p.graph.next_value(), &made),
      std::nullopt);
  const std::vector<ValueId> results = p.Add(made);
  EXPECT_EQ(p.Type({results[0]}), "tensor float32[n, 4]");
  EXPECT_EQ(p.Type({results[1]}), "int int64[]");
  // A value of a branch is none of the graph.
  p.One("aten::relu", {yes});
  EXPECT_NE(p.refusal.find("has ended"), std::string::npos) << p.refusal;
  p.One("aten::add.Tensor", {{results[0]}, {results[1]}, Int(1)});
  EXPECT_EQ(p.Ops(), "If{Relu Identity}{Identity Identity} Cast Add");
}

TEST(Control, LoopPutsInputsInOrder) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  const ValueId count = p.Input({}, ValueKind::kInt);
  p.lowerer.BeginBlock();
  const ValueId total = p.Value(ValueKind::kFloat, {}, DType::kFloat64);
  const ValueId carried = p.Value(ValueKind::kTensor, {"n", "4"});
  for (const ValueId id : {carried, total}) p.lowerer.AddBlockInput(id, p.graph.value(id));
  const ir::Arg next = p.One("aten::relu", {{carried}});
  const ir::Arg sum = p.One(ir::Instruction::kAdd, {{total}, {1.5}});
  const ir::LoopSpec spec{
      .trip_count = {count}, .carried = {{{x}, carried, next}, {{0.0}, total, sum}}, .scans = {next}};
  std::vector<ir::Value> made;
  const std::vector<ir::Value> types{p.graph.value(carried), p.graph.value(total)};
  ASSERT_EQ(p.lowerer.Loop(spec, ir::LocationId::kNone, p.lowerer.EndBlock(), types, p.graph.next_value(), &made),
            std::nullopt);
  const std::vector<ValueId> results = p.Add(made);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(p.Type({results[0]}), "tensor float32[n, 4]");
  EXPECT_EQ(p.Type({results[1]}), "float float64[]");
  EXPECT_EQ(p.Type({results[2]}), "tensor float32[?, n, 4]");
  const ir::Graph graph = p.lowerer.TakeGraph();
  const ir::Node& loop = graph.body.nodes.back();
  EXPECT_EQ(TestGraph::OpsOf(graph.body), "Loop{Relu Add Identity Identity}");
  ASSERT_EQ(loop.blocks[0].inputs.size(), 4u);
  EXPECT_EQ(graph.value(loop.blocks[0].inputs[0]).dtype, DType::kInt64);
  EXPECT_EQ(graph.value(loop.blocks[0].inputs[1]).dtype, DType::kBool);
  EXPECT_EQ(graph.value(loop.blocks[0].inputs[2]).dtype, DType::kFloat32);
  EXPECT_EQ(graph.value(loop.blocks[0].inputs[3]).dtype, DType::kFloat64);
}

TEST(Control, SequencesOfARun) {
  Program p;
  const ValueId x = p.Input({"n", "4"});
  ir::Value list_type = p.graph.value(x);
  const ir::Arg list = p.One(ir::Instruction::kSequenceConstruct, {{ir::ArgList{{x}, {x}}}});
  EXPECT_EQ(p.Type(list), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceLength, {list})), "int int64[]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceAt, {list, Int(-1)})), "tensor float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceAppend, {list, {x}})), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceInsert, {list, {x}, Int(0)})), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceErase, {list, Int(0)})), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceConcat, {list, list})), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceReverse, {list})), "sequence float32[n, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceSplit, {{x}})), "sequence float32[4]");
  const ir::Arg empty = p.One(ir::Instruction::kSequenceEmpty, {{DType::kFloat32}});
  EXPECT_EQ(p.Type(empty), "sequence float32[*]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceEmpty, {{DType::kFloat32}, {ir::ArgList{Int(-1), Int(4)}}})),
            "sequence float32[?, 4]");
  EXPECT_EQ(p.Type(p.One(ir::Instruction::kSequenceAppend, {empty, {x}})), "sequence float32[n, 4]");
  p.Call("aten::relu", {list});
  EXPECT_NE(p.refusal.find("takes no list of float32 tensors"), std::string::npos) << p.refusal;

  Program old(9);
  old.Call(ir::Instruction::kSequenceConstruct, {{ir::ArgList{{old.Input({"n"})}}}});
  EXPECT_EQ(old.refusal, "a list of tensors whose length is known only at run time needs opset 11, not 9");
}

[[maybe_unused]] const bool kAdded = DispatchTables::Add({kBuiltIn, kRows, {7, 25}});

}  // namespace
}  // namespace onnxport::lowering
