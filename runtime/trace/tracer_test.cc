#include "runtime/trace/tracer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include "runtime/ir/complex_number.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"
#include "runtime/trace/walk.h"

namespace onnxport::trace::tracer_test {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::DType;
using ir::ValueId;
using ir::ValueKind;
using testing::HasSubstr;

ir::Value Type(ValueKind kind, DType dtype, ir::Dims dims = {}) {
  ir::Value value;
  value.kind = kind;
  value.dtype = dtype;
  value.dims = std::move(dims);
  return value;
}
ir::Value Floats(ir::Dims dims) { return Type(ValueKind::kTensor, DType::kFloat32, std::move(dims)); }
ir::Value Int() { return Type(ValueKind::kInt, DType::kInt64); }
ir::Value Bool() { return Type(ValueKind::kBool, DType::kBool); }
Arg Ints(std::initializer_list<int64_t> ints) {
  ArgList list;
  for (const int64_t i : ints) list.push_back({i});
  return {std::move(list)};
}

size_t CountNodes(const ir::Block& block, const ir::Operator& op) {
  size_t count = 0;
  for (const ir::Node& node : block.nodes) {
    count += op == "" || node.op == op ? 1 : 0;
    for (const ir::Block& inner : node.blocks) count += CountNodes(inner, op);
  }
  return count;
}

class TracerTest : public testing::Test {
 protected:
  ValueId Call(const ir::Operator& op, std::vector<Arg> args) { return *tracer.Call(op, std::move(args))[0].value(); }
  ValueId Relu(ValueId x) { return Call("aten::relu", {{x}}); }
  ValueId AddNumber(ValueId x, double number) { return Call("aten::add.Scalar", {{x}, {number}, {1}}); }
  ValueId AddTo(ValueId x, double number) { return Call("aten::add_.Scalar", {{x}, {number}, {1}}); }
  void At(int line) {
    ir::Location location;
    location.at = ir::MakeLine("m.py", line);
    tracer.places().Set(location);
  }
  // "aten::foo: reason", one a line.
  std::string Failures() {
    std::string text;
    for (const record::Failure& failure : tracer.findings().failures())
      text += failure.op.text() + ": " + failure.reason.text + "\n";
    return text;
  }
  // The calls so far, without inputs and weights.
  std::string Source() { return ir::ToText(tracer.source()); }
  std::string TypeText(ValueId id) {
    const ir::Value& type = tracer.TypeOf(id);
    std::string text(ir::Name(type.dtype));
    if (!type.dims) return text + "[*]";
    text += "[";
    for (const ir::Dim& dim : *type.dims) text += (text.ends_with("[") ? "" : ", ") + dim.ToString();
    return text + "]";
  }

  Tracer tracer{17};
};

// ---- calls ----

TEST_F(TracerTest, ResultsHaveTypesAtOnce) {
  const ValueId x = tracer.AddInput("x", Floats({ir::Dim::Symbol("batch"), 3}));
  const ValueId y = Relu(x);
  EXPECT_EQ(TypeText(y), "float32[batch, 3]");
  EXPECT_EQ(TypeText(Call("aten::t", {{y}})), "float32[3, batch]");
  EXPECT_EQ(std::get<int64_t>(tracer.Call("aten::sym_size.int", {{x}, {1}})[0].v), 3);
  const ValueId batch = Call("aten::sym_size.int", {{x}, {0}});
  EXPECT_EQ(tracer.TypeOf(batch).kind, ValueKind::kInt);
  EXPECT_EQ(tracer.source().ranges.at("batch").min, 1);
  const auto doubled = tracer.Call(ir::Instruction::kMul, {{batch}, {2}});
  ASSERT_NE(doubled[0].value(), nullptr);
  ASSERT_TRUE(tracer.TypeOf(*doubled[0].value()).contents.has_value());
  EXPECT_EQ(tracer.TypeOf(*doubled[0].value()).contents->front().ToString(), "2*batch");
  EXPECT_EQ(std::get<int64_t>(tracer.Call(ir::Instruction::kAdd, {{3}, {4}})[0].v), 7);
  tracer.AddOutput("y", {y});
  EXPECT_EQ(Failures(), "");
  const ir::Graph graph = tracer.TakeGraph();
  EXPECT_EQ(graph.outputs.size(), 1u);
  EXPECT_EQ(CountNodes(graph.body, "Relu"), 1u);
  EXPECT_EQ(graph.ranges.at("batch").min, 1);
}

// A float64 keeps the digits of 0.4, a float32 does not.
TEST_F(TracerTest, AComplexNumberHasThePrecisionOfItsCall) {
  const ValueId single = tracer.AddInput("single", Floats({2}));
  const ValueId twice = tracer.AddInput("twice", Type(ValueKind::kTensor, DType::kFloat64, {2}));
  const Arg number = ir::ComplexNumber(0.4, 0.1);
  Call("aten::full", {Ints({2}), number, {DType::kComplex128}, {}, {}, {}});
  Call("aten::full", {Ints({2}), number, {DType::kComplex64}, {}, {}, {}});
  Call("aten::mul.Scalar", {{single}, number});
  Call("aten::mul.Scalar", {{twice}, number});
  std::vector<DType> dtypes;
  for (const ir::Weight& weight : tracer.source().weights) dtypes.push_back(tracer.TypeOf(weight.value).dtype);
  EXPECT_THAT(dtypes,
              testing::ElementsAre(DType::kComplex128, DType::kComplex64, DType::kComplex64, DType::kComplex128));
}

TEST_F(TracerTest, AWriteThroughAViewReachesTheBase) {
  const ValueId x = tracer.AddInput("x", Floats({2, 6}));
  const ValueId mask = tracer.AddInput("mask", Type(ValueKind::kTensor, DType::kBool, {3, 4}));
  const ValueId a = Relu(x);
  const ValueId y = Call("aten::view", {{a}, Ints({3, 4})});
  EXPECT_EQ(Call("aten::masked_fill_.Scalar", {{y}, {mask}, {0.0}}), y);
  tracer.AddOutput("a", {a});
  tracer.AddOutput("y", {y});
  EXPECT_EQ(Failures(), "");
  const ir::Graph& source = tracer.source();
  ASSERT_EQ(source.body.nodes.size(), 4u) << Source();
  EXPECT_EQ(source.body.nodes[2].op, "aten::masked_fill.Scalar");
  EXPECT_EQ(source.body.nodes[3].op, "aten::reshape");  // back to the base
  EXPECT_EQ(*source.outputs[0].value.value(), source.body.nodes[3].outputs[0]);
  EXPECT_EQ(*source.outputs[1].value.value(), source.body.nodes[2].outputs[0]);
}

TEST_F(TracerTest, ListsOfResultsAreViews) {
  const ValueId x = tracer.AddInput("x", Floats({2, 3}));
  const ValueId a = Relu(x);
  const auto rows = tracer.Call("aten::unbind.int", {{a}, {0}});
  ASSERT_EQ(rows[0].list()->size(), 2u);
  const ValueId row = *(*rows[0].list())[1].value();
  EXPECT_EQ(TypeText(row), "float32[3]");
  AddTo(row, 1);
  tracer.AddOutput("a", {a});
  tracer.AddOutput("first", (*rows[0].list())[0]);
  EXPECT_EQ(Failures(), "");
  EXPECT_EQ(CountNodes(tracer.source().body, "aten::select_scatter"), 1u) << Source();
  EXPECT_EQ(CountNodes(tracer.source().body, "aten::unbind.int"), 1u) << Source();
  EXPECT_EQ(CountNodes(tracer.source().body, "aten::select.int"), 1u) << Source();  // `first`, after the write
}

TEST_F(TracerTest, WritesKeepDTypeAndSizes) {
  const ValueId x = tracer.AddInput("x", Type(ValueKind::kTensor, DType::kInt64, {ir::Dim::Symbol("n")}));
  const ValueId a = Call("aten::clone", {{x}, {}});
  Call("aten::mul_.Scalar", {{a}, {2}});
  Call("aten::gt_.Scalar", {{a}, {3}});
  EXPECT_EQ(TypeText(a), "int64[n]");
  EXPECT_EQ(Failures(), "");
}

TEST_F(TracerTest, OutReturnsTheTensorWrittenTo) {
  const ValueId x = tracer.AddInput("x", Floats({3}));
  const ValueId a = Relu(x);
  EXPECT_EQ(Call("aten::add.out", {{x}, {x}, {1}, {a}}), a);
  EXPECT_EQ(Call("aten::requires_grad_", {{a}, {true}}), a);
  EXPECT_EQ(Failures(), "");
}

TEST_F(TracerTest, ReshapeOfARowMajorTensorIsAView) {
  const ValueId x = tracer.AddInput("x", Floats({ir::Dim::Symbol("n"), 2, 3}));
  const ValueId a = AddNumber(x, 1);
  const ValueId flat = Call("aten::flatten.using_ints", {{a}, {1}, {2}});
  AddTo(flat, 5);
  AddNumber(a, 1);
  EXPECT_EQ(Failures(), "");
  // A transposed tensor is copied or not, by its sizes: a write is not followed.
  const ValueId turned = Call("aten::transpose.int", {{a}, {0}, {1}});
  const ValueId either = Call("aten::flatten.using_ints", {{turned}, {0}, {1}});
  At(9);
  AddTo(either, 1);
  AddNumber(a, 1);
  EXPECT_THAT(Failures(), HasSubstr("aten::add.Scalar: reads a tensor that may share memory with the one written by "
                                    "aten::add_.Scalar (m.py:9); clone it before the write"));
}

TEST_F(TracerTest, AChangeOfShapeInPlaceChangesTheObjectAlone) {
  const ValueId x = tracer.AddInput("x", Floats({1, 2, 3}));
  const ValueId y = Relu(x);
  const ValueId row = Call("aten::select.int", {{y}, {1}, {0}});
  EXPECT_EQ(Call("aten::squeeze_.dim", {{y}, {0}}), y);
  EXPECT_EQ(TypeText(y), "float32[2, 3]");
  EXPECT_EQ(Call("aten::t_", {{y}}), y);
  EXPECT_EQ(TypeText(y), "float32[3, 2]");
  EXPECT_EQ(TypeText(Call("aten::select.int", {{y}, {0}, {0}})), "float32[2]");
  AddTo(y, 1);
  EXPECT_EQ(TypeText(row), "float32[1, 3]");
  tracer.AddOutput("y", {y});
  tracer.AddOutput("row", {row});  // has the write
  EXPECT_EQ(Failures(), "");
  EXPECT_EQ(CountNodes(tracer.source().body, "aten::select.int"), 3u) << Source();
}

TEST_F(TracerTest, AChangeOfShapeInPlaceThatCannotBeFollowed) {
  const ValueId x = tracer.AddInput("x", Floats({2, 3}));
  const ValueId condition = tracer.AddInput("c", Bool());
  const ValueId y = Relu(x);
  At(1);
  Call("aten::contiguous", {{y}, {}});  // y itself, so another name of the object
  Call("aten::t_", {{y}});
  EXPECT_THAT(Failures(), HasSubstr("aten::t_: changes the shape of a tensor in place"));
  const ValueId z = Relu(x);
  tracer.regions().Begin();
  At(2);
  Call("aten::t_", {{z}});
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  tracer.regions().If({.condition = {condition}}, std::move(then), tracer.regions().End());
  EXPECT_THAT(Failures(), HasSubstr("of a tensor from outside an `if` or loop in place"));
}

TEST_F(TracerTest, AWriteToAnExpandedTensorIsRefusedOnceAndTheWalkGoesOn) {
  const ValueId x = tracer.AddInput("x", Floats({1, 3}));
  const ValueId a = Relu(x);
  const ValueId e = Call("aten::expand", {{a}, Ints({4, 3}), {false}});
  At(3);
  AddTo(e, 1);
  Relu(e);
  EXPECT_EQ(Failures(),
            "aten::add_.Scalar: a write to a tensor with elements that are, or may be, one in memory: it was expanded, "
            "or unfold or as_strided made it; clone it before the write\n");
  EXPECT_EQ(tracer.source().location(tracer.findings().failures()[0].location).line(), 3);
}

TEST_F(TracerTest, ElementsOfSequencesMayBeTheTensorsPutIn) {
  const ValueId x = tracer.AddInput("x", Floats({3}));
  const ValueId n = tracer.AddInput("n", Int());
  const ValueId a = Relu(x);
  const ValueId list = Call(ir::Instruction::kSequenceConstruct, {{ArgList{{a}, {x}}}});
  const ValueId element = Call(ir::Instruction::kSequenceAt, {{list}, {n}});
  EXPECT_EQ(TypeText(element), "float32[3]");
  AddTo(element, 1);
  EXPECT_EQ(Failures(), "");
  Relu(a);
  EXPECT_THAT(Failures(), HasSubstr("may share memory"));
}

TEST_F(TracerTest, WhatIsTakenForGrantedOfFreeSizesIsTold) {
  const ValueId x = tracer.AddInput("x", Floats({ir::Dim::Symbol("batch"), 3}));
  EXPECT_EQ(TypeText(Call("aten::squeeze.dim", {{x}, {0}})), "float32[batch, 3]");
  EXPECT_THAT(tracer.findings().remarks(),
              testing::ElementsAre("aten::squeeze.dim is exported for sizes other than 1 of `batch`"));
}

TEST_F(TracerTest, WeightsAreOneByTheirData) {
  const auto data = ir::MakeTensor(DType::kFloat32, {2}, std::string(8, '\0'));
  const ValueId w = tracer.AddWeight("w", data);
  EXPECT_EQ(tracer.AddWeight("v", data), w);
  auto tied = std::make_shared<ir::TensorData>(*data);  // another tensor of the same storage
  const ValueId t = tracer.AddWeight("t", tied);
  EXPECT_NE(t, w);
  AddTo(w, 1);
  EXPECT_THAT(tracer.findings().remarks(), testing::ElementsAre(HasSubstr("the new value of 'w' is not kept")));
  Relu(t);
  EXPECT_THAT(Failures(), HasSubstr("may share memory"));
}

// ---- state ----

class StateTest : public testing::Test {
 protected:
  static std::shared_ptr<const ir::TensorData> Zeros(std::vector<int64_t> shape) {
    size_t count = 1;
    for (const int64_t size : shape) count *= static_cast<size_t>(size);
    return ir::MakeTensor(DType::kFloat32, std::move(shape), std::string(4 * count, '\0'));
  }
  static std::unique_ptr<Tracer> New(const ProgramState& state) {
    return std::make_unique<Tracer>(18, lowering::FreeSizes::kAsStated, ir::Ranges(), lowering::Options(), state);
  }
  // A walk that writes to b only if a is an input, as a program may.
  std::unique_ptr<Tracer> Walk(const ProgramState& state) {
    ++walks;
    auto tracer = New(state);
    const ValueId x = tracer->AddInput("x", Floats({2}));
    const ValueId a = tracer->AddWeight("a", data_a);
    const ValueId b = tracer->AddWeight("b", data_b);
    tracer->Call("aten::add_.Scalar", {{a}, {1.0}, {1}});
    if (state.inputs.contains("a")) tracer->Call("aten::add_.Scalar", {{b}, {1.0}, {1}});
    tracer->AddOutput("y", tracer->Call("aten::add.Tensor", {{x}, {a}, {1}})[0]);
    return tracer;
  }
  std::shared_ptr<const ir::TensorData> data_a = Zeros({2});
  std::shared_ptr<const ir::TensorData> data_b = Zeros({2});
  int walks = 0;
};

TEST_F(StateTest, IsFoundByWalkingUntilNoMoreIsWritten) {
  const auto walk = [&](int, const ProgramState& state) { return Walk(state); };
  const Traced traced = trace::Trace(walk, 18, {.keep_state = true});
  EXPECT_EQ(walks, 3);
  ASSERT_EQ(traced.onnx.inputs.size(), 3u);
  ASSERT_EQ(traced.onnx.outputs.size(), 3u);
  ASSERT_EQ(traced.state.size(), 2u);
  EXPECT_EQ(traced.state[1].name, "b");
  EXPECT_EQ(traced.onnx.inputs[traced.state[1].input].name, "b");
  EXPECT_EQ(traced.onnx.outputs[traced.state[1].output].name, "b.next");
  EXPECT_TRUE(traced.remarks.empty());
}

TEST_F(StateTest, IsDroppedUnlessItIsAskedFor) {
  const Traced traced = trace::Trace([&](int, const ProgramState& state) { return Walk(state); }, 18);
  EXPECT_EQ(walks, 1);
  EXPECT_EQ(traced.onnx.outputs.size(), 1u);
  EXPECT_THAT(traced.remarks, testing::ElementsAre(HasSubstr("the new value of 'a' is not kept")));
}

TEST_F(StateTest, WhatIsMadeAnewIsNone) {
  const auto tracer = New({.kept = true, .inputs = {"constant"}});
  const ValueId c = tracer->AddWeight("constant", data_a, {.made_anew = true});
  tracer->Call("aten::add_.Scalar", {{c}, {1.0}, {1}});
  tracer->EndState();
  EXPECT_TRUE(tracer->kept_state().more().empty());
  EXPECT_TRUE(tracer->kept_state().pairs().empty());
  EXPECT_THAT(tracer->findings().remarks(), testing::ElementsAre(HasSubstr("is not kept")));
}

TEST_F(StateTest, TensorsMayExchangeTheirValues) {
  const auto tracer = New({.kept = true, .inputs = {"a", "b"}});
  const ValueId a = tracer->AddWeight("a", data_a);
  const ValueId b = tracer->AddWeight("b", data_b);
  tracer->kept_state().Become({{a, {b}}, {b, {a}}});
  tracer->EndState();
  ASSERT_EQ(tracer->kept_state().pairs().size(), 2u);
  EXPECT_EQ(*tracer->source().outputs[0].value.value(), b);
  EXPECT_EQ(*tracer->source().outputs[1].value.value(), a);
}

TEST_F(StateTest, AnotherShapeOrSharedMemoryIsAFailure) {
  const auto tracer = New({.kept = true, .inputs = {"a", "long"}});
  const ValueId a = tracer->AddWeight("a", data_a);
  const ValueId longer = tracer->AddWeight("long", Zeros({3}));
  tracer->AddWeight("tied", std::make_shared<ir::TensorData>(*data_a));
  tracer->kept_state().Become({{a, {longer}}});
  tracer->Call("aten::add_.Scalar", {{a}, {1.0}, {1}});
  tracer->EndState();
  std::vector<std::string> reasons;
  for (const record::Failure& failure : tracer->findings().failures()) {
    EXPECT_EQ(failure.reason.code, Code::kStateIsNotKept);
    reasons.push_back(failure.reason.text);
  }
  EXPECT_THAT(reasons, testing::ElementsAre(HasSubstr("'a' is float32[2] before the program and float32[3] after it"),
                                            HasSubstr("'a' is written to and shares memory with 'tied'")));
}

// ---- failures ----

TEST_F(TracerTest, ACallWithAFailedArgumentFailsSilently) {
  const ValueId x = tracer.AddInput("x", Floats({3}));
  At(1);
  const ValueId bad = Call("aten::no_such_operator", {{x}});
  EXPECT_TRUE(tracer.IsFailed(bad));
  const ValueId after = Relu(bad);
  EXPECT_TRUE(tracer.IsFailed(after));
  const ValueId a = Relu(x);
  Call("aten::copy_", {{a}, {bad}, {false}});
  EXPECT_TRUE(tracer.IsFailed(a));
  EXPECT_TRUE(tracer.IsFailed(Relu(a)));
  EXPECT_EQ(Failures(), "aten::no_such_operator: no spec says how to export it\n");
}

TEST_F(TracerTest, AFailedArgumentHidesNoOperatorThatIsUnknownItself) {
  const ValueId x = tracer.AddInput("x", Floats({3}));
  At(1);
  const ValueId bad = Call("aten::_coalesce", {{x}});
  At(2);
  Call("aten::_indices_copy", {{bad}});
  Call("aten::_values_copy", {{Relu(bad)}});
  EXPECT_EQ(Failures(),
            "aten::_coalesce: no spec says how to export it\n"
            "aten::_indices_copy: no spec says how to export it\n"
            "aten::_values_copy: no spec says how to export it\n");
}

TEST_F(TracerTest, PoisonIsReportedWhereItIsUsed) {
  const ValueId poison = tracer.Poison("`h` is set on one side only");
  EXPECT_EQ(Failures(), "");
  At(4);
  Relu(poison);
  Relu(poison);
  At(5);
  Relu(poison);
  EXPECT_EQ(Failures(),
            "aten::relu: `h` is set on one side only\n"
            "aten::relu: `h` is set on one side only\n");
  tracer.Fail("aten::x", "why");
  tracer.Fail("aten::x", "why");
  EXPECT_EQ(tracer.findings().failures().size(), 3u);
}

// ---- If ----

class IfTest : public TracerTest {
 protected:
  ValueId condition = tracer.AddInput("c", Bool());
  ValueId x = tracer.AddInput("x", Floats({2, 3}));
};

TEST_F(IfTest, JoinsTypes) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  const ValueId yes = AddNumber(a, 1);
  const ValueId text = Call("aten::select.int", {{a}, {0}, {0}});
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId no = Call("aten::cat", {{ArgList{{a}, {a}}}, {0}});
  const ValueId other = Call("aten::select.int", {{a}, {1}, {0}});
  Region otherwise = tracer.regions().End();
  EXPECT_TRUE(then.writes.empty());
  const auto results = tracer.regions().If(
      {.condition = {condition},
       .results = {{{yes}, {no}}, {{2}, {2}}, {{2}, {3}}, {{yes}, {5}}, {{text}, {other}}, {{a}, {a}}}},
      std::move(then), std::move(otherwise));
  EXPECT_EQ(TypeText(*results[0].value()), "float32[?, 3]");
  EXPECT_EQ(std::get<int64_t>(results[1].v), 2);
  EXPECT_EQ(tracer.TypeOf(*results[2].value()).kind, ValueKind::kInt);
  EXPECT_TRUE(tracer.IsFailed(*results[3].value()));
  EXPECT_EQ(TypeText(*results[4].value()), "float32[?]");
  EXPECT_EQ(*results[5].value(), a);
  tracer.AddOutput("y", results[0]);
  EXPECT_EQ(Failures(), "");
  Relu(*results[3].value());
  EXPECT_EQ(Failures(),
            "aten::relu: it is a float32 tensor on one side and an int on the other of an `if` decided at run time\n");
}

TEST_F(IfTest, WritesInABranchAreJoined) {
  const ValueId a = Relu(x);
  const ValueId row = Call("aten::select.int", {{a}, {0}, {0}});
  tracer.regions().Begin();
  AddTo(row, 1);
  EXPECT_EQ(TypeText(a), "float32[2, 3]");
  Region then = tracer.regions().End();
  ASSERT_EQ(then.writes.size(), 1u);
  EXPECT_EQ(then.writes[0].base, a);
  tracer.regions().Begin();
  Region otherwise = tracer.regions().End();
  EXPECT_TRUE(tracer.regions().If({.condition = {condition}}, std::move(then), std::move(otherwise)).empty());
  tracer.AddOutput("a", {a});
  tracer.AddOutput("row", {row});
  EXPECT_EQ(Failures(), "");
  const ir::Graph& source = tracer.source();
  const auto& nodes = source.body.nodes;
  ASSERT_EQ(nodes.size(), 4u) << Source();
  EXPECT_EQ(nodes[2].op, "prim::If");
  EXPECT_EQ(*source.outputs[0].value.value(), nodes[2].outputs[0]);
  EXPECT_EQ(nodes[3].op, "aten::select.int");  // the view, made again from what the If gave
  EXPECT_EQ(*nodes[3].inputs[0].value(), nodes[2].outputs[0]);
}

TEST_F(IfTest, AViewFromOutsideThatABranchWroteToLeavesItUpToDate) {
  const ValueId a = Relu(x);
  const ValueId row = Call("aten::select.int", {{a}, {0}, {0}});
  tracer.regions().Begin();
  AddTo(a, 1);  // `row` is out of date now
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId other = Call("aten::select.int", {{x}, {0}, {1}});
  Region otherwise = tracer.regions().End();
  const auto results = tracer.regions().If({.condition = {condition}, .results = {{{row}, {other}}}}, std::move(then),
                                           std::move(otherwise));
  tracer.AddOutput("r", results[0]);
  EXPECT_EQ(Failures(), "");
  const ir::Node& node = tracer.source().body.nodes[2];
  ASSERT_EQ(node.blocks[0].nodes.size(), 2u) << Source();
  EXPECT_EQ(node.blocks[0].nodes[1].op, "aten::select.int");
  EXPECT_EQ(*node.blocks[0].outputs[0].value(), node.blocks[0].nodes[1].outputs[0]);
}

TEST_F(IfTest, ADroppedRegionLeavesNoTrace) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  AddTo(x, 1);
  AddTo(a, 1);
  Call("aten::no_such_operator", {{a}});
  Region region = tracer.regions().End();
  EXPECT_TRUE(region.failed);
  EXPECT_EQ(region.writes.size(), 2u);
  EXPECT_EQ(Failures(), "");
  EXPECT_TRUE(tracer.findings().remarks().empty());
  tracer.AddOutput("a", {a});
  EXPECT_EQ(*tracer.source().outputs[0].value.value(), a);
}

// `if n > 0: y = y.view(n, -1, 4)`: the empty tensor of the other side gets the rank, and has to be empty.
TEST_F(IfTest, AnEmptySideGetsTheRankOfTheOther) {
  struct Row {
    ir::Instruction op;
    int64_t with;
    bool empty_first;  // which side must have no elements
    bool joins;
  };
  const ValueId n = tracer.AddInput("n", Int());
  const ValueId rows = Call("aten::nonzero", {{x}});
  size_t joined = 0;
  for (const auto& [op, with, empty_first, joins] : {Row{ir::Instruction::kGt, 0, false, true},
                                                     {ir::Instruction::kNe, 0, false, true},
                                                     {ir::Instruction::kEq, 0, true, true},
                                                     {ir::Instruction::kLt, 1, true, true},
                                                     {ir::Instruction::kGt, 1, false, false}}) {
    const ValueId more = *tracer.Call(op, {{n}, {with}})[0].value();
    tracer.regions().Begin();
    const ValueId blocks = Call("aten::view", {{rows}, {ArgList{{n}, {-1}, {2}}}});
    Region viewed = tracer.regions().End();
    tracer.regions().Begin();
    Region plain = tracer.regions().End();
    ir::IfSpec spec{.condition = {more}, .results = {{{blocks}, {rows}}}};
    if (empty_first) {
      std::swap(viewed, plain);
      std::swap(spec.results[0].then, spec.results[0].otherwise);
    }
    const auto results = tracer.regions().If(std::move(spec), std::move(viewed), std::move(plain));
    EXPECT_EQ(tracer.IsFailed(*results[0].value()), !joins) << TextOf(op) << " " << with;
    joined += joins ? 1 : 0;
    EXPECT_EQ(CountNodes(tracer.source().body, ir::Instruction::kEmptied), joined) << TextOf(op) << " " << with;
    if (joins) {
      EXPECT_EQ(TypeText(*results[0].value()), "int64[?, ?, 2]") << TextOf(op);
    }
  }
  EXPECT_EQ(Failures(), "");
  EXPECT_THAT(tracer.findings().remarks(), testing::Contains(HasSubstr("leaves an empty tensor of 2 dimensions")));
}

TEST_F(IfTest, AFailedRegionFailsTheResults) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  const ValueId bad = Call("aten::no_such_operator", {{a}});
  AddTo(a, 1);
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  Region otherwise = tracer.regions().End();
  const auto results =
      tracer.regions().If({.condition = {condition}, .results = {{{bad}, {a}}}}, std::move(then), std::move(otherwise));
  EXPECT_TRUE(tracer.IsFailed(*results[0].value()));
  EXPECT_TRUE(tracer.IsFailed(a));
  EXPECT_EQ(tracer.findings().failures().size(), 1u);
}

// The write to the result is one to the older tensor where the condition says so.
TEST_F(IfTest, AResultThatMayBeAnOlderTensor) {
  for (const bool is_view : {false, true}) {
    const ValueId a = Relu(x);
    const ValueId older = is_view ? Call("aten::select.int", {{a}, {0}, {0}}) : a;
    tracer.regions().Begin();
    Region then = tracer.regions().End();
    tracer.regions().Begin();
    const ValueId copy = AddNumber(older, 2);
    Region otherwise = tracer.regions().End();
    const ValueId y =
        *tracer.regions()
             .If({.condition = {condition}, .results = {{{older}, {copy}}}}, std::move(then), std::move(otherwise))[0]
             .value();
    const size_t before = CountNodes(tracer.source().body, "prim::If");
    AddTo(y, 1);
    EXPECT_EQ(CountNodes(tracer.source().body, "prim::If"), before + 1);
    AddTo(a, 1);
    EXPECT_EQ(CountNodes(tracer.source().body, "prim::If"), before + 2);
    Relu(y);
  }
  EXPECT_EQ(Failures(), "");
}

// Nobody knows when the side's own view is the older tensor.
TEST_F(IfTest, AResultThatMayShareMemoryWithAnOlderTensor) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  const ValueId view = Call("aten::select.int", {{a}, {0}, {0}});
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId copy = AddNumber(Call("aten::select.int", {{a}, {0}, {0}}), 2);
  Region otherwise = tracer.regions().End();
  const ValueId y =
      *tracer.regions()
           .If({.condition = {condition}, .results = {{{view}, {copy}}}}, std::move(then), std::move(otherwise))[0]
           .value();
  At(7);
  AddTo(y, 1);
  tracer.AddOutput("y", {y});
  EXPECT_EQ(Failures(), "");
  Relu(a);
  EXPECT_THAT(Failures(), HasSubstr("may share memory with the one written by aten::add_.Scalar (m.py:7)"));
}

// Both sides have one tensor for both results, or two: a write to one of two that are linked twice is not followed.
TEST_F(IfTest, ResultsThatMayBeOneOlderTensor) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId copy = AddNumber(a, 2);
  Region otherwise = tracer.regions().End();
  const auto results = tracer.regions().If({.condition = {condition}, .results = {{{a}, {copy}}, {{a}, {copy}}}},
                                           std::move(then), std::move(otherwise));
  AddTo(*results[0].value(), 1);
  EXPECT_EQ(Failures(), "");
  Relu(*results[1].value());
  EXPECT_THAT(Failures(), HasSubstr("may share memory"));
}

TEST_F(IfTest, ResultsThatMayBeOneTensor) {
  tracer.regions().Begin();
  const ValueId base = AddNumber(x, 1);
  const ValueId view = Call("aten::select.int", {{base}, {0}, {0}});
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId other = AddNumber(x, 2);
  const ValueId row = Relu(Call("aten::select.int", {{x}, {0}, {0}}));
  Region otherwise = tracer.regions().End();
  const auto results = tracer.regions().If({.condition = {condition}, .results = {{{base}, {other}}, {{view}, {row}}}},
                                           std::move(then), std::move(otherwise));
  AddTo(*results[0].value(), 1);
  EXPECT_EQ(Failures(), "");
  Relu(*results[1].value());
  EXPECT_THAT(Failures(), HasSubstr("may share memory"));
}

TEST_F(IfTest, WhatOneSideNeverUses) {
  tracer.regions().Begin();
  const ValueId yes = Relu(x);
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  Region otherwise = tracer.regions().End();
  const auto results = tracer.regions().If(
      {.condition = {condition}, .results = {{{yes}, {ir::None{}}}, {{ir::None{}}, {4}}, {{ir::None{}}, {ir::None{}}}}},
      std::move(then), std::move(otherwise));
  EXPECT_EQ(TypeText(*results[0].value()), "float32[2, 3]");
  EXPECT_EQ(tracer.TypeOf(*results[1].value()).kind, ValueKind::kInt);
  EXPECT_TRUE(results[2].is_none());
  EXPECT_EQ(Failures(), "");
}

TEST_F(IfTest, WhatStandsForAnUnsetSideHasTheSizesThatAreDeclared) {
  const ValueId free = tracer.AddInput("free", Floats({ir::Dim::Symbol("n"), 3}));
  tracer.regions().Begin();
  const ValueId same = Relu(free);
  const ValueId twice = Call("aten::cat", {{ArgList{{free}, {free}}}, {0}});
  Region then = tracer.regions().End();
  tracer.regions().Begin();
  Region otherwise = tracer.regions().End();
  const auto results =
      tracer.regions().If({.condition = {condition}, .results = {{{same}, {ir::None{}}}, {{twice}, {ir::None{}}}}},
                          std::move(then), std::move(otherwise));
  EXPECT_EQ(TypeText(*results[0].value()), "float32[n, 3]");
  EXPECT_EQ(TypeText(*results[1].value()), "float32[?, 3]");  // no input has 2*n, so nothing is declared
  EXPECT_EQ(Failures(), "");
}

TEST_F(IfTest, NestedWritesReachTheOuterBranch) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  tracer.regions().Begin();
  AddTo(a, 1);
  Region inner = tracer.regions().End();
  tracer.regions().Begin();
  Region inner_otherwise = tracer.regions().End();
  tracer.regions().If({.condition = {condition}}, std::move(inner), std::move(inner_otherwise));
  Region then = tracer.regions().End();
  ASSERT_EQ(then.writes.size(), 1u);
  tracer.regions().Begin();
  Region otherwise = tracer.regions().End();
  tracer.regions().If({.condition = {condition}}, std::move(then), std::move(otherwise));
  tracer.AddOutput("a", {a});
  EXPECT_EQ(Failures(), "");
  const ir::Graph graph = tracer.TakeGraph();
  EXPECT_EQ(CountNodes(graph.body, "If"), 2u);
}

// ---- Loop ----

class LoopTest : public TracerTest {
 protected:
  // Traces a loop over `before` again and again, as a source does, until it is known what it changes.
  using Body = std::function<std::vector<ValueId>(const std::vector<ValueId>& inside)>;
  std::vector<Arg> Settle(const std::vector<ValueId>& before, const Body& body) {
    std::vector<Region::Write> writes;
    for (int round = 0; round < 8; ++round) {
      tracer.regions().Begin();
      ir::LoopSpec loop = {.trip_count = Arg{n}, .iteration = tracer.regions().BlockInput(Int())};
      std::vector<ValueId> inside;
      for (const ValueId id : before) inside.push_back(tracer.regions().BlockInput(tracer.TypeOf(id), {id}));
      tracer.regions().CarryWrites(writes);
      const std::vector<ValueId> next = body(inside);
      for (size_t i = 0; i < before.size(); ++i) loop.carried.push_back({{before[i]}, inside[i], {next[i]}});
      Region region = tracer.regions().End();
      if (!region.failed && UpdateWrites(region, &writes)) continue;
      std::vector<ir::Value> joined;
      if (const auto results = tracer.regions().Loop(std::move(loop), std::move(region), &joined)) return *results;
    }
    ADD_FAILURE() << "it does not settle";
    return {};
  }

  ValueId n = tracer.AddInput("n", Int());
  ValueId x = tracer.AddInput("x", Floats({2, 3}));
};

TEST_F(LoopTest, CarriesValuesAndWritesAndStacksScans) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  tracer.regions().BlockInput(Int());
  AddTo(a, 1);
  const Region trial = tracer.regions().End();
  ASSERT_EQ(trial.writes.size(), 1u);
  tracer.regions().Begin();
  const ValueId i = tracer.regions().BlockInput(Int());
  const ValueId h = tracer.regions().BlockInput(tracer.TypeOf(x));
  tracer.regions().CarryWrites(trial.writes);
  AddTo(a, 1);
  const ValueId next = Call("aten::add.Tensor", {{h}, {a}, {1}});
  const ValueId scan = Relu(next);
  Region body = tracer.regions().End();
  std::vector<ir::Value> joined;
  const auto results =
      tracer.regions().Loop({.trip_count = Arg{n}, .iteration = i, .carried = {{{x}, h, {next}}}, .scans = {{scan}}},
                            std::move(body), &joined);
  ASSERT_TRUE(results.has_value());
  ASSERT_EQ(results->size(), 2u);
  EXPECT_EQ(TypeText(*(*results)[0].value()), "float32[2, 3]");
  EXPECT_EQ(TypeText(*(*results)[1].value()), "float32[?, 2, 3]");
  tracer.AddOutput("h", (*results)[0]);
  tracer.AddOutput("all", (*results)[1]);
  tracer.AddOutput("a", {a});
  EXPECT_EQ(Failures(), "");
  const ir::Node& loop = tracer.source().body.nodes.back();
  EXPECT_EQ(loop.op, "prim::Loop");
  EXPECT_EQ(loop.blocks[0].inputs.size(), 3u);   // iteration, h, a
  EXPECT_EQ(loop.blocks[0].outputs.size(), 4u);  // condition, h, a, scan
  EXPECT_EQ(*tracer.source().outputs[2].value.value(), loop.outputs[1]);
  EXPECT_EQ(CountNodes(tracer.TakeGraph().body, "Loop"), 1u);
}

TEST_F(LoopTest, ScansOfWhatLaterIterationsWriteAreRefused) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  tracer.regions().BlockInput(Int());
  AddTo(a, 1);
  const Region trial = tracer.regions().End();
  tracer.regions().Begin();
  const ValueId i = tracer.regions().BlockInput(Int());
  tracer.regions().CarryWrites(trial.writes);
  AddTo(a, 1);
  Region body = tracer.regions().End();
  std::vector<ir::Value> joined;
  tracer.regions().Loop({.trip_count = Arg{n}, .iteration = i, .scans = {{a}}}, std::move(body), &joined);
  EXPECT_THAT(Failures(), testing::HasSubstr("append a clone of it"));
}

TEST_F(LoopTest, WhatIsOnlyCarriedIsNoWrite) {
  const ValueId a = Relu(x);
  tracer.regions().Begin();
  AddTo(a, 1);
  const Region trial = tracer.regions().End();
  ASSERT_EQ(trial.writes.size(), 1u);
  EXPECT_FALSE(trial.writes[0].kept);
  tracer.regions().Begin();
  tracer.regions().CarryWrites(trial.writes);
  Relu(a);
  const Region body = tracer.regions().End();
  ASSERT_EQ(body.writes.size(), 1u);
  EXPECT_TRUE(body.writes[0].kept);
}

TEST_F(LoopTest, TypesThatChangeAreToldAndTriedAgain) {
  for (int round = 0; round < 2; ++round) {
    tracer.regions().Begin();
    const ValueId i = tracer.regions().BlockInput(Int());
    ir::Value type = tracer.TypeOf(x);
    if (round == 1) type.dims = ir::Dims{ir::Dim(), 3};
    const ValueId h = tracer.regions().BlockInput(type);
    const ValueId next = Call("aten::cat", {{ArgList{{h}, {x}}}, {0}});
    Region body = tracer.regions().End();
    std::vector<ir::Value> joined;
    const auto results = tracer.regions().Loop({.trip_count = Arg{n}, .iteration = i, .carried = {{{x}, h, {next}}}},
                                               std::move(body), &joined);
    EXPECT_EQ(results.has_value(), round == 1);
    ASSERT_EQ(joined.size(), 1u);
    EXPECT_TRUE((*joined[0].dims)[0].is_unknown());
    EXPECT_EQ((*joined[0].dims)[1], ir::Dim(3));
  }
  EXPECT_EQ(Failures(), "");
}

TEST_F(LoopTest, AnotherDTypeCannotBeCarried) {
  tracer.regions().Begin();
  const ValueId i = tracer.regions().BlockInput(Int());
  const ValueId h = tracer.regions().BlockInput(tracer.TypeOf(x));
  const ValueId next = Call("aten::gt.Scalar", {{h}, {1}});
  Region body = tracer.regions().End();
  std::vector<ir::Value> joined;
  const auto results = tracer.regions().Loop({.trip_count = Arg{n}, .iteration = i, .carried = {{{x}, h, {next}}}},
                                             std::move(body), &joined);
  ASSERT_TRUE(results.has_value());
  EXPECT_TRUE(tracer.IsFailed(*(*results)[0].value()));
  EXPECT_THAT(Failures(), HasSubstr("a float32 tensor on one side and a bool tensor on the other"));
}

TEST_F(LoopTest, NumbersAreCarried) {
  const auto count = [&](Arg initial) {
    tracer.regions().Begin();
    const ValueId i = tracer.regions().BlockInput(Int());
    const ValueId total = tracer.regions().BlockInput(Int());
    const Arg next = tracer.Call(ir::Instruction::kAdd, {{total}, {i}})[0];
    const Arg go_on = tracer.Call(ir::Instruction::kLt, {next, {n}})[0];
    Region body = tracer.regions().End();
    std::vector<ir::Value> joined;
    return *tracer.regions().Loop(
        {.condition = Arg{true}, .iteration = i, .next_condition = go_on, .carried = {{initial, total, next}}},
        std::move(body), &joined);
  };
  const auto results = count({0});
  EXPECT_EQ(tracer.TypeOf(*results[0].value()).kind, ValueKind::kInt);
  count(results[0]);
  EXPECT_EQ(Failures(), "");
}

TEST_F(LoopTest, AWriteToACarriedTensorThatHasAnotherName) {
  const auto loop = [&](bool reads) {
    const ValueId a = Relu(x);
    Settle({a}, [&](const std::vector<ValueId>& inside) {
      if (reads) Relu(a);  // the second iteration sees the write of the first
      AddTo(inside[0], 1);
      return std::vector<ValueId>{AddNumber(inside[0], 2)};
    });
    Relu(a);  // one iteration wrote to it
  };
  loop(false);
  loop(true);
  EXPECT_EQ(Failures(), "");
}

// `v = y; for ...: v.relu(); y += 1; v = v * 2`: in the first iteration the write changes v as well.
TEST_F(LoopTest, AWriteToAnOlderTensorThatACarriedOneMayBe) {
  const auto loop = [&](bool reads_after) {
    const ValueId y = Relu(x);
    Settle({y}, [&](const std::vector<ValueId>& v) {
      if (!reads_after) Relu(v[0]);
      AddTo(y, 1);
      return std::vector<ValueId>{AddNumber(reads_after ? v[0] : y, 2)};
    });
  };
  loop(false);
  loop(true);
  EXPECT_EQ(Failures(), "");
}

// `for ...: b += 1; b = a if flag else b`: from the second iteration on the write may be one to `a`. That `b` may be
// `a` comes too late for the write, which must not count as one that knew of it.
TEST_F(LoopTest, AWriteBeforeAnIterationMakesItATensorFromOutside) {
  const ValueId flag = tracer.AddInput("flag", {.kind = ValueKind::kBool});
  const ValueId a = Relu(x);
  const ValueId b = AddNumber(x, 1);
  Settle({b}, [&](const std::vector<ValueId>& inside) {
    AddTo(inside[0], 1);
    tracer.regions().Begin();
    Region then = tracer.regions().End();
    tracer.regions().Begin();
    Region otherwise = tracer.regions().End();
    const auto next = tracer.regions().If({.condition = {flag}, .results = {{{a}, {inside[0]}, {}}}}, std::move(then),
                                          std::move(otherwise));
    return std::vector<ValueId>{*next[0].value()};
  });
  EXPECT_THAT(Failures(), HasSubstr("that it carries and that has another name"));
}

// `a, b = b, a`, and one of them is written in place.
TEST_F(LoopTest, CarriedTensorsThatChangePlaces) {
  const auto loop = [&](bool writes) {
    const std::vector<ValueId> before = {Relu(x), AddNumber(x, 1)};
    const std::vector<Arg> results = Settle(before, [&](const std::vector<ValueId>& inside) {
      if (writes) AddTo(inside[0], 1);
      return std::vector<ValueId>{inside[1], inside[0]};
    });
    return std::pair(before[1], *results[0].value());
  };
  const auto [older, result] = loop(false);
  EXPECT_EQ(Failures(), "");
  AddTo(older, 1);
  Relu(result);  // after one iteration it is `older`
  EXPECT_THAT(Failures(), HasSubstr("may share memory with the one written by aten::add_.Scalar"));
  loop(true);
  EXPECT_THAT(Failures(), HasSubstr("that it carries and that has another name"));
}

// ---- cost ----

TEST_F(TracerTest, ACallCostsTheSameHoweverManyCameBefore) {
  const ValueId x = tracer.AddInput("x", Floats({2, 3}));
  ValueId y = Relu(x);
  const ValueId row = Call("aten::select.int", {{y}, {0}, {0}});
  constexpr size_t kCalls = 100'000;
  std::vector<size_t> values;
  for (size_t i = 0; i < kCalls; ++i) {
    if (i % (kCalls / 2) == 0) values.push_back(tracer.source().values.size());
    At(static_cast<int>(i % 50));
    if (i % 10 == 0) {
      AddTo(i % 20 == 0 ? row : y, 1);
    } else {
      y = i % 10 == 5 ? Call("aten::view", {{y}, Ints({3, 2})}) : Relu(y);
    }
  }
  values.push_back(tracer.source().values.size());
  EXPECT_EQ(Failures(), "");
  const size_t first = values[1] - values[0];
  const size_t second = values[2] - values[1];
  EXPECT_LT(second, first + first / 20);
  EXPECT_LT(tracer.source().values.size(), 3 * kCalls);
  // One for each call, and one text for each line.
  const ir::Locations& locations = tracer.source().locations;
  EXPECT_LE(locations.size(), kCalls + 50);
  EXPECT_LT(std::set(locations.begin(), locations.end()).size(), 60u);
}

TEST_F(IfTest, ABranchCostsWhatItChanges) {
  constexpr size_t kBranches = 2'000;
  std::vector<ValueId> tensors;
  for (int i = 0; i < 50; ++i) tensors.push_back(Relu(x));
  std::vector<size_t> values;
  for (size_t i = 0; i < kBranches; ++i) {
    if (i % (kBranches / 2) == 0) values.push_back(tracer.source().values.size());
    tracer.regions().Begin();
    AddTo(tensors[i % tensors.size()], 1);
    Region then = tracer.regions().End();
    EXPECT_EQ(then.writes.size(), 1u);
    tracer.regions().Begin();
    Region otherwise = tracer.regions().End();
    tracer.regions().If({.condition = {condition}}, std::move(then), std::move(otherwise));
    EXPECT_EQ(tracer.source().body.nodes.back().blocks[0].nodes.size(), 1u);
  }
  values.push_back(tracer.source().values.size());
  EXPECT_EQ(Failures(), "");
  EXPECT_EQ(values[2] - values[1], values[1] - values[0]);
  EXPECT_EQ(CountNodes(tracer.TakeGraph().body, "If"), kBranches);
}

}  // namespace
}  // namespace onnxport::trace::tracer_test
