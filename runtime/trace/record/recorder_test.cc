// Functional calls are lowered as they are made, and kept with what is to be said of them.
#include "runtime/trace/record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ir/location.h"
#include "runtime/lowering/dsl/dispatch.h"

namespace onnxport::record {
namespace {

using ir::Arg;
using ir::DType;
using ir::ValueId;
using lowering::Context;
using lowering::Vals;
using testing::ElementsAre;
using testing::IsEmpty;

// Functions as the generator writes them.
Vals Relu(Context& c) { return {c.op("Relu", {c.arg(0)})}; }
Vals Squeeze(Context& c) { return {dim(c.arg(0), 0) == 1 ? c.op("Squeeze", {c.arg(0), Vals{0}}) : c.arg(0)}; }
Vals Unbind(Context& c) { return {c.ops("Split", {c.arg(0), Vals{1, 3}}, {{"axis", 1}}, 2)}; }
Vals Refuse(Context&) { lowering::refuse("for the test"); }

constexpr lowering::DispatchRow kRows[] = {
    {"aten::exp", 7, 25, Refuse, nullptr, "test.yaml:1"},
    {"aten::relu", 7, 25, Relu, nullptr, "test.yaml:2"},
    {"aten::squeeze.dim", 7, 25, Squeeze, nullptr, "test.yaml:3"},
    {"aten::unbind.int", 13, 25, Unbind, nullptr, "test.yaml:4"},
};
[[maybe_unused]] const bool kAdded = lowering::DispatchTables::Add({kBuiltIn, kRows, {7, 25}});

class RecorderTest : public testing::Test {
 protected:
  ir::Node Node(const ir::Operator& op, std::vector<Arg> inputs) {
    ir::Node node;
    node.op = op;
    node.inputs = std::move(inputs);
    node.location = recorder_.places().current();
    return node;
  }
  std::vector<Arg> Append(const ir::Operator& op, std::vector<Arg> inputs, const ir::StatedTypes* stated = nullptr) {
    ir::Node node = Node(op, std::move(inputs));
    return recorder_.Append(&node, stated);
  }
  ValueId Input(const std::string& name) {
    ir::Value type;
    type.dtype = DType::kFloat32;
    type.dims = ir::Dims{ir::Dim::Symbol("n"), ir::Dim(4)};
    return recorder_.AddInput(name, std::move(type));
  }
  void At(int line) {
    ir::Location location;
    location.at = ir::MakeLine("m.py", line);
    recorder_.places().Set(location);
  }
  std::vector<std::string> Reasons() {
    std::vector<std::string> reasons;
    for (const Failure& failure : recorder_.findings().failures())
      reasons.push_back(failure.op.text() + ": " + failure.reason.text);
    return reasons;
  }
  std::vector<std::string> Ops(const ir::Block& block) {
    std::vector<std::string> ops;
    for (const ir::Node& node : block.nodes) ops.push_back(node.op.text());
    return ops;
  }

  Recorder recorder_{18, lowering::FreeSizes::kAsStated, {}, {}};
  const ir::Graph& graph_ = recorder_.graph();
};

TEST_F(RecorderTest, ACallIsKeptAndLowered) {
  const ValueId x = Input("x");
  ir::Node node = Node("aten::unbind.int", {{x}, {int64_t{1}}});
  const std::vector<Arg> results = recorder_.Append(&node);
  ASSERT_EQ(results.size(), 1u);
  ASSERT_NE(results[0].list(), nullptr);
  // A list is flattened in the node; the ids go on where the graph's ended, and are their names.
  EXPECT_THAT(node.outputs, ElementsAre(ir::After(x, 1), ir::After(x, 2)));
  EXPECT_EQ(graph_.value(node.outputs[1]).name, "%2");
  EXPECT_EQ(graph_.value(node.outputs[1]).dims, (ir::Dims{ir::Dim::Symbol("n"), ir::Dim(3)}));
  recorder_.AddOutput("y", {node.outputs[1]});
  EXPECT_THAT(Ops(graph_.body), ElementsAre("aten::unbind.int"));
  EXPECT_THAT(Reasons(), IsEmpty());
  EXPECT_THAT(Ops(recorder_.TakeOnnx().body), ElementsAre("Constant", "Split"));
}

TEST_F(RecorderTest, AFailureIsReportedOnceForItsPlace) {
  const ValueId x = Input("x");
  At(1);
  const std::vector<Arg> failed = Append("aten::exp", {{x}});
  EXPECT_TRUE(recorder_.AnyFailed(failed));
  // A call that takes its result fails in silence.
  EXPECT_TRUE(recorder_.AnyFailed(Append("aten::relu", failed)));
  Append("aten::exp", {{x}});
  EXPECT_THAT(Reasons(), ElementsAre("aten::exp: for the test"));
  EXPECT_EQ(recorder_.findings().reports(), 2u);
  At(2);
  Append("aten::exp", {{x}});
  EXPECT_THAT(Reasons(), ElementsAre("aten::exp: for the test", "aten::exp: for the test"));
  EXPECT_THAT(Ops(graph_.body), IsEmpty());
}

TEST_F(RecorderTest, WhereTypesAreStatedAFailedCallGoesOnWithThem) {
  const ValueId x = Input("x");
  ir::Value type;
  type.name = "y";
  type.dtype = DType::kFloat32;
  type.dims = ir::Dims{ir::Dim(7)};
  const ir::StatedTypes stated = {&type};
  const std::vector<Arg> results = Append("aten::exp", {{x}}, &stated);
  EXPECT_FALSE(recorder_.AnyFailed(results));
  const std::vector<Arg> next = Append("aten::relu", results);
  EXPECT_FALSE(recorder_.AnyFailed(next));
  EXPECT_EQ(graph_.value(*next[0].value()).dims, type.dims);
}

TEST_F(RecorderTest, WhatASpecTakesForGrantedIsARemark) {
  const ValueId x = Input("x");
  At(7);
  Append("aten::squeeze.dim", {{x}, {int64_t{0}}});
  Append("aten::squeeze.dim", {{x}, {int64_t{0}}});
  EXPECT_THAT(recorder_.findings().remarks(),
              ElementsAre("aten::squeeze.dim (m.py:7) is exported for sizes other than 1 of `n`"));
  EXPECT_THAT(recorder_.findings().TakeRemarks(0).size(), 1u);
  EXPECT_THAT(recorder_.findings().remarks(), IsEmpty());
}

TEST_F(RecorderTest, ABlockThatIsDroppedLeavesNothing) {
  const ValueId x = Input("x");
  recorder_.BeginBlock();
  const ValueId inside = recorder_.AddBlockInput(graph_.value(x));
  const std::vector<Arg> first = Append("aten::relu", {{inside}});
  Recorder::Block block = recorder_.EndBlock();
  EXPECT_THAT(block.source.inputs, ElementsAre(inside));
  EXPECT_THAT(Ops(block.source), ElementsAre("aten::relu"));
  recorder_.AppendTo(&block, [&] { Append("aten::relu", first); });
  EXPECT_THAT(Ops(block.source), ElementsAre("aten::relu", "aten::relu"));
  recorder_.AddOutput("y", {x});
  EXPECT_THAT(Ops(graph_.body), IsEmpty());
  EXPECT_THAT(Ops(recorder_.TakeOnnx().body), IsEmpty());
}

}  // namespace
}  // namespace onnxport::record
