// A program's calls, one after another, and the functional calls that they become: no tracer and no file takes part.
#include "runtime/trace/functionalize/functionalizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace onnxport::functionalize::functionalizer_test {
namespace {

using ir::Arg;
using ir::DType;
using ir::ValueId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FunctionalizerTest : public testing::Test {
 protected:
  ValueId Input(const std::string& name, ir::Dims dims) {
    ir::Value type;
    type.dtype = DType::kFloat32;
    type.dims = std::move(dims);
    const ValueId id = recorder_.AddInput(name, std::move(type));
    layouts_.SetRowMajor(id);
    return id;
  }
  ValueId Call(const ir::Operator& op, std::vector<Arg> inputs) {
    ir::Node node;
    node.op = op;
    node.inputs = std::move(inputs);
    const std::vector<Arg> results = functionalizer_.Call(std::move(node), nullptr);
    return results.size() == 1 && results[0].value() != nullptr ? *results[0].value() : ValueId::kNone;
  }
  std::vector<std::string> Ops() {
    std::vector<std::string> ops;
    for (const ir::Node& node : recorder_.graph().body.nodes) ops.push_back(node.op.text());
    return ops;
  }

  record::Recorder recorder_{18, lowering::FreeSizes::kAsStated, {}, {}};
  Layouts layouts_{&recorder_};
  Functionalizer functionalizer_{&recorder_, &layouts_};
};

TEST_F(FunctionalizerTest, AWriteThroughAViewMakesItsBaseAnew) {
  const ValueId x = Input("x", {2, 3});
  const ValueId a = Call("aten::relu", {{x}});
  const ValueId row = Call("aten::select.int", {{a}, {int64_t{0}}, {int64_t{1}}});
  // The argument that a call wrote to is its result.
  EXPECT_EQ(Call("aten::add_.Tensor", {{row}, {2.0}, {int64_t{1}}}), row);
  Arg now{a};
  functionalizer_.Read(&now, "the test");
  EXPECT_NE(*now.value(), a);
  EXPECT_EQ(recorder_.graph().value(*now.value()).dims, (ir::Dims{2, 3}));
  EXPECT_THAT(Ops(), ElementsAre("aten::relu", "aten::select.int", "aten::add.Tensor", "aten::select_scatter"));
  EXPECT_THAT(recorder_.findings().failures(), IsEmpty());
}

TEST_F(FunctionalizerTest, ARemarkIsMadeOfAWriteToItsTensorOnly) {
  const ValueId x = Input("x", {2, 3});
  functionalizer_.RemarkOnWrite(x, "x is not kept");
  const ValueId a = Call("aten::relu", {{x}});
  Call("aten::add_.Tensor", {{a}, {2.0}, {int64_t{1}}});
  EXPECT_THAT(recorder_.findings().remarks(), IsEmpty());
  const ValueId row = Call("aten::select.int", {{x}, {int64_t{0}}, {int64_t{1}}});
  Call("aten::add_.Tensor", {{row}, {2.0}, {int64_t{1}}});
  EXPECT_THAT(recorder_.findings().remarks(), ElementsAre("x is not kept"));
}

TEST_F(FunctionalizerTest, AWriteThatCannotBeFollowedIsAFailure) {
  const ValueId x = Input("x", {2, 3});
  const ValueId whole = Call("aten::expand", {{x}, {ir::ArgList{{int64_t{4}}, {int64_t{2}}, {int64_t{3}}}}, {false}});
  Call("aten::add_.Tensor", {{whole}, {2.0}, {int64_t{1}}});
  ASSERT_EQ(recorder_.findings().failures().size(), 1u);
  EXPECT_EQ(recorder_.findings().failures()[0].op, "aten::add_.Tensor");
  EXPECT_THAT(recorder_.findings().failures()[0].reason.text, HasSubstr("elements that are, or may be, one in memory"));
}

}  // namespace
}  // namespace onnxport::functionalize::functionalizer_test
