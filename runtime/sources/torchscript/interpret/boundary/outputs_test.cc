#include "runtime/sources/torchscript/interpret/boundary/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {
namespace {

using testing::HasSubstr;

class OutputsTest : public testing::Test {
 public:
  Value Input(const std::string& name, ir::ValueKind kind = ir::ValueKind::kTensor) {
    ir::Value type;
    type.kind = kind;
    type.dtype = ir::DType::kFloat32;
    type.dims = ir::Dims{ir::Dim::Symbol("n"), 4};
    return {Tensor{tracer_.AddInput(name, type)}};
  }
  Value List(ValueList items) { return {heap_.NewList(std::move(items))}; }
  static Value Tuple(ValueList items, const Class* type = nullptr) {
    return {std::make_shared<const TupleValue>(TupleValue{std::move(items), type})};
  }

  // The names of the outputs, or the failures.
  std::string Outputs(const Value& result) {
    AddOutputs(result, &tracer_);
    std::string text;
    for (const auto& failure : tracer_.findings().failures()) text += failure.reason.text + "\n";
    if (!text.empty()) return text;
    for (const ir::Port& port : tracer_.TakeGraph().outputs) text += (text.empty() ? "" : " ") + port.name;
    return text;
  }

 protected:
  Heap heap_;
  trace::Tracer tracer_{17};
};

TEST_F(OutputsTest, ALoneTensor) { EXPECT_EQ(Outputs(Input("x")), "output"); }

TEST_F(OutputsTest, ContainersAreFlattened) {
  const Value x = Input("x");
  const Value dict = {heap_.NewDict({{std::string("boxes")}, {std::string("rest")}}, {x, List({x, x})})};
  EXPECT_EQ(Outputs(Tuple({x, List({x, Tuple({x, {int64_t{3}}})}), dict, {None{}}})),
            "output_0 output_1.0 output_1.1.0 output_1.1.1 output_2.boxes output_2.rest.0 output_2.rest.1");
}

TEST_F(OutputsTest, NamedTuplesHaveTheirFieldNames) {
  Class pair;
  pair.kind = ClassKind::kNamedTuple;
  pair.fields.resize(2);
  pair.fields[0].name = "left";
  pair.fields[1].name = "right";
  const Value x = Input("x");
  EXPECT_EQ(Outputs(Tuple({x, x}, &pair)), "left right");
}

TEST_F(OutputsTest, DictsWithNumbersAsKeys) {
  const Value x = Input("x");
  EXPECT_EQ(Outputs({heap_.NewDict({{int64_t{7}}}, {x})}), "7");
}

TEST_F(OutputsTest, ListsOfARunsLength) {
  const Value xs = Input("xs", ir::ValueKind::kSequence);
  const CellPtr list = heap_.NewList({}, {"Tensor", {}});
  heap_.Edit(list).sequence = xs.As<Tensor>()->id;
  const CellPtr numbers = heap_.NewList({}, {"float", {}});
  heap_.Edit(numbers).stacked = Input("numbers").As<Tensor>()->id;
  EXPECT_EQ(Outputs(Tuple({{list}, {numbers}})), "output_0 output_1");
}

TEST_F(OutputsTest, WhatIsNoOutputIsNamed) {
  const CellPtr ring = heap_.NewList({});
  heap_.Edit(ring).items.push_back({ring});
  const std::string text = Outputs(Tuple({{std::string("done")},
                                          {heap_.NewObject("__torch__.Box", nullptr)},
                                          {Missing{.reason = "is set on one side only"}},
                                          {Missing{.reason = "silent", .reported = true}},
                                          {heap_.NewDict({{0.5}}, {{int64_t{1}}})},
                                          {ring}}));
  EXPECT_THAT(text, HasSubstr("output `output_0` is a text (\"done\"): ONNX models return tensors"));
  EXPECT_THAT(text, HasSubstr("output `output_1` is an object (__torch__.Box): return its tensors"));
  EXPECT_THAT(text, HasSubstr("output `output_2` is set on one side only"));
  EXPECT_THAT(text, HasSubstr("output `output_4` is a dictionary with keys that are neither texts nor numbers"));
  EXPECT_THAT(text, HasSubstr("is a container that holds itself"));
  EXPECT_EQ(text.find("silent"), std::string::npos);
}

}  // namespace
}  // namespace onnxport::torchscript
