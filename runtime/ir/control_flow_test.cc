// Descriptions of If and Loop, whoever makes them.
#include "runtime/ir/control_flow.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace onnxport::ir::control_flow_test {
namespace {

Arg Value(int id) { return {static_cast<ValueId>(id)}; }

std::string Text(const Arg& arg) {
  if (arg.is_none()) return "-";
  if (arg.value()) return "%" + std::to_string(static_cast<int>(*arg.value()));
  return std::to_string(std::get<int64_t>(arg.v));
}

std::string Texts(const std::vector<Arg>& args) {
  std::string text;
  for (const Arg& arg : args) text += (text.empty() ? "" : " ") + Text(arg);
  return text;
}

std::string Texts(const std::vector<ValueId>& ids) {
  std::string text;
  for (const ValueId id : ids) text += (text.empty() ? "" : " ") + Text({id});
  return text;
}

// Value %n is %(n + 100) in the other graph.
Arg Moved(const Arg& arg) { return arg.value() ? Value(static_cast<int>(*arg.value()) + 100) : arg; }

IfSpec SomeIf() { return {.condition = Value(1), .results = {{Value(2), Value(3)}, {{int64_t{4}}, Value(5)}}}; }

LoopSpec SomeLoop() {
  return {.trip_count = Value(1),
          .condition = Value(2),
          .iteration = ValueId{3},
          .next_condition = Value(4),
          .carried = {{Value(5), ValueId{6}, Value(7)}, {{int64_t{8}}, ValueId{9}, Value(10)}},
          .scans = {Value(11), {int64_t{12}}}};
}

TEST(IfSpec, PartsOfItsNode) {
  EXPECT_EQ(Texts(ThenOutputs(SomeIf())), "%2 4");
  EXPECT_EQ(Texts(OtherwiseOutputs(SomeIf())), "%3 %5");
}

TEST(IfSpec, IsTheSameInAnotherGraph) {
  IfSpec spec = SomeIf();
  spec.results[0].type.dtype = DType::kFloat32;
  const IfSpec moved = Translate(spec, Moved);
  EXPECT_EQ(Text(moved.condition), "%101");
  EXPECT_EQ(Texts(ThenOutputs(moved)), "%102 4");
  EXPECT_EQ(Texts(OtherwiseOutputs(moved)), "%103 %105");
  EXPECT_EQ(moved.results[0].type.dtype, DType::kFloat32);
}

TEST(LoopSpec, PartsOfItsNode) {
  LoopSpec spec = SomeLoop();
  EXPECT_EQ(Texts(NodeInputs(spec)), "%1 %2 %5 8");
  EXPECT_EQ(Texts(BlockInputs(spec)), "%3 %6 %9");
  EXPECT_EQ(Texts(BlockOutputs(spec)), "%4 %7 %10 %11 12");
  spec = {.carried = spec.carried};
  EXPECT_EQ(Texts(NodeInputs(spec)), "- - %5 8");
  EXPECT_EQ(Texts(BlockInputs(spec)), "%6 %9");
  EXPECT_EQ(Texts(BlockOutputs(spec)), "- %7 %10");
}

TEST(LoopSpec, IsTheSameInAnotherGraph) {
  const LoopSpec moved = Translate(SomeLoop(), Moved);
  EXPECT_EQ(Texts(NodeInputs(moved)), "%101 %102 %105 8");
  EXPECT_EQ(Texts(BlockInputs(moved)), "%103 %106 %109");
  EXPECT_EQ(Texts(BlockOutputs(moved)), "%104 %107 %110 %111 12");
  EXPECT_EQ(Translate(LoopSpec(), Moved).iteration, ValueId::kNone);
}

}  // namespace
}  // namespace onnxport::ir::control_flow_test
