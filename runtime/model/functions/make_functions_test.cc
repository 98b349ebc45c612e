#include "runtime/model/functions/make_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/testing/error_of.h"
#include "runtime/testing/modular_program.h"

namespace onnxport::functions {
namespace {

struct Case {
  const char* name;
  const char* program;
  const char* functions;
  std::vector<std::string> classes = {};
};

class MakeFunctionsTest : public testing::TestWithParam<Case> {};

TEST_P(MakeFunctionsTest, Gives) {
  const ir::Graph graph = ProgramReader().Read(GetParam().program);
  EXPECT_EQ("\n" + ModularText(MakeFunctions(graph, {.classes = GetParam().classes})).text(), GetParam().functions);
}

const Case kCases[] = {
    {"Shared", R"(
a = MatMul x f.w : f Linear
b = Add a f.b : f Linear
d = Relu b
e = MatMul d g.w : g Linear
y = Add e g.b : g Linear
return y)",
     R"(
__main__.Linear(input, w, b) -> output
  /MatMul_output_0 = MatMul(input, w)
  output = Add(/MatMul_output_0, b)
graph -> out0
  /f/Add_output_0 = __main__.Linear(x, f.w, f.b)
  /Relu_output_0 = Relu(/f/Add_output_0)
  out0 = __main__.Linear(/Relu_output_0, g.w, g.b)
)"},
    // The same class and shape of program, but not the same attribute.
    {"OtherAttributes", R"(
a = MatMul x f.w : f nn.Linear
b = Softmax/1 a : f nn.Linear
d = MatMul b g.w : g nn.Linear
e = Softmax/2 d : g nn.Linear
f = MatMul e h.w : h nn.Linear
y = Softmax/1 f : h nn.Linear
return y)",
     R"(
nn.Linear(input, w) -> output
  /MatMul_output_0 = MatMul(input, w)
  output = Softmax(/MatMul_output_0)
nn.Linear_2(input, w) -> output
  /MatMul_output_0 = MatMul(input, w)
  output = Softmax(/MatMul_output_0)
graph -> out0
  /f/Softmax_output_0 = nn.Linear(x, f.w)
  /g/Softmax_output_0 = nn.Linear_2(/f/Softmax_output_0, g.w)
  out0 = nn.Linear(/g/Softmax_output_0, h.w)
)"},
    {"Nested", R"(
a = MatMul x n.f.w : n Net, n.f nn.Linear
b = Add a n.f.b : n Net, n.f nn.Linear
c1 = Relu b : n Net
d = MatMul c1 n.g.w : n Net, n.g nn.Linear
y = Add d n.g.b : n Net, n.g nn.Linear
return y)",
     R"(
nn.Linear(input, w, b) -> output
  /MatMul_output_0 = MatMul(input, w)
  output = Add(/MatMul_output_0, b)
__main__.Net(input, f.w, f.b, g.w, g.b) -> output
  /f/Add_output_0 = nn.Linear(input, f.w, f.b)
  /Relu_output_0 = Relu(/f/Add_output_0)
  output = nn.Linear(/Relu_output_0, g.w, g.b)
graph -> out0
  out0 = __main__.Net(x, n.f.w, n.f.b, n.g.w, n.g.b)
)"},
    {"CalledTwiceInARow", R"(
a = Mul x f.w : f nn.Scale
b = Neg a : f nn.Scale
d = Mul b f.w : f@1 nn.Scale
y = Neg d : f@1 nn.Scale
return y)",
     R"(
nn.Scale(input, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Neg(/Mul_output_0)
graph -> out0
  /f/Neg_output_0 = nn.Scale(x, f.w)
  out0 = nn.Scale(/f/Neg_output_0, f.w)
)"},
    // A node between two nodes of a module in the data flow is between two functions.
    {"OutsideBetween", R"(
a = Mul x f.w : f nn.Scale
b = Neg a : f nn.Scale
d = Exp b
e = Add a d : f nn.Scale
y = Add e f.w : f nn.Scale
return y)",
     R"(
nn.Scale(input, w) -> output, output_1
  output = Mul(input, w)
  output_1 = Neg(output)
nn.Scale_2(input, input_1, w) -> output
  /Add_output_0 = Add(input, input_1)
  output = Add(/Add_output_0, w)
graph -> out0
  /f/Mul_output_0, /f/Neg_output_0 = nn.Scale(x, f.w)
  /Exp_output_0 = Exp(/f/Neg_output_0)
  out0 = nn.Scale_2(/f/Mul_output_0, /Exp_output_0, f.w)
)"},
    // A node that only lies between them in the list goes before.
    {"OutsideInTheList", R"(
a = Mul x f.w : f nn.Scale
b = Exp x
y = Add a b : f nn.Scale
return y)",
     R"(
nn.Scale(input, input_1, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Add(/Mul_output_0, input_1)
graph -> out0
  /Exp_output_0 = Exp(x)
  out0 = nn.Scale(x, /Exp_output_0, f.w)
)"},
    // One result that each module computed remains in one of them: it is made outside, so that the modules are the
    // same.
    {"SharedResult", R"(
m = Less x ca : f nn.Mask
a = Mul m f.w : f nn.Mask
b = Neg a : f nn.Mask
d = Mul m g.w : g nn.Mask
y = Neg d : g nn.Mask
return b y)",
     R"(
nn.Mask(input, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Neg(/Mul_output_0)
graph -> out0, out1
  /f/Less_output_0 = Less(x, constant)
  out0 = nn.Mask(/f/Less_output_0, f.w)
  out1 = nn.Mask(/f/Less_output_0, g.w)
)"},
    // `ca` all give, `cb` and `cd` differ.
    {"Constants", R"(
a = Mul x ca : f nn.Scale
b = Add a cb : f nn.Scale
d = Mul b ca2 : g nn.Scale
y = Add d cd : g nn.Scale
return y)",
     R"(
nn.Scale(input, constant_1) -> output
  constant = Constant()
  /Mul_output_0 = Mul(input, constant)
  output = Add(/Mul_output_0, constant_1)
graph -> out0
  /f/Add_output_0 = nn.Scale(x, constant_1)
  out0 = nn.Scale(/f/Add_output_0, constant_3)
)"},
    // Through a function that all calls of the inner one are in.
    {"ConstantsOfConstants", R"(
a = Mul x ca : n Net, n.f nn.Scale
b = Neg a : n Net, n.f nn.Scale
y = Exp b : n Net
return y)",
     R"(
nn.Scale(input) -> output
  constant = Constant()
  /Mul_output_0 = Mul(input, constant)
  output = Neg(/Mul_output_0)
__main__.Net(input) -> output
  /f/Neg_output_0 = nn.Scale(input)
  output = Exp(/f/Neg_output_0)
graph -> out0
  out0 = __main__.Net(x)
)"},
    // Two inputs of one function are one weight here.
    {"TiedWeights", R"(
a = Mul x f.w : f nn.Scale
b = Add a f.b : f nn.Scale
d = Mul b g.w : g nn.Scale
y = Add d g.w : g nn.Scale
return y)",
     R"(
nn.Scale(input, w, b) -> output
  /Mul_output_0 = Mul(input, w)
  output = Add(/Mul_output_0, b)
nn.Scale_2(input, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Add(/Mul_output_0, w)
graph -> out0
  /f/Add_output_0 = nn.Scale(x, f.w, f.b)
  out0 = nn.Scale_2(/f/Add_output_0, g.w)
)"},
    {"OneNodeStaysANode", R"(
a = Relu x : f nn.ReLU
b = Mul a g.w : g nn.Scale
y = Neg b : g nn.Scale
return y)",
     R"(
nn.Scale(input, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Neg(/Mul_output_0)
graph -> out0
  /f/Relu_output_0 = Relu(x)
  out0 = nn.Scale(/f/Relu_output_0, g.w)
)"},
    // By the last part or in full; other modules are as if they were not there.
    {"NamedClasses",
     R"(
a = Relu x : n a.Net, n.f nn.ReLU
b = Mul a n.g.w : n a.Net, n.g nn.Scale
d = Neg b : n a.Net, n.g nn.Scale
y = Mul d m.w : m b.BigScale
return y)",
     R"(
nn.ReLU(input) -> output
  output = Relu(input)
nn.Scale(input, w) -> output
  /Mul_output_0 = Mul(input, w)
  output = Neg(/Mul_output_0)
graph -> out0
  /n/f/Relu_output_0 = nn.ReLU(x)
  /n/g/Neg_output_0 = nn.Scale(/n/f/Relu_output_0, n.g.w)
  out0 = Mul(/n/g/Neg_output_0, m.w)
)",
     {"Scale", "nn.ReLU"}},
    {"NoClasses", R"(
a = Relu x : f
y = Neg a : f
return y)",
     R"(
graph -> out0
  /f/Relu_output_0 = Relu(x)
  out0 = Neg(/f/Relu_output_0)
)"},
    // Odd letters of local classes; a node has the name already.
    {"Names", R"(
a = Neg x : f my.make.<locals>.Net
b = Exp a : f my.make.<locals>.Net
d = ops.Net b
e = Neg d : g ops.Net
y = Abs e : g ops.Net
return y)",
     R"(
my.make._locals_.Net(input) -> output
  /Neg_output_0 = Neg(input)
  output = Exp(/Neg_output_0)
ops.Net_2(input) -> output
  /Neg_output_0 = Neg(input)
  output = Abs(/Neg_output_0)
graph -> out0
  /f/Exp_output_0 = my.make._locals_.Net(x)
  /Net_output_0 = ops.Net(/f/Exp_output_0)
  out0 = ops.Net_2(/Net_output_0)
)"},
};

INSTANTIATE_TEST_SUITE_P(, MakeFunctionsTest, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

// x -> If(c): a module in each branch, which captures x and `k`, a result of the module around the If.
ir::Graph GraphWithIf() {
  passes::GraphBuilder b;
  const ir::ValueId x = b.Input("x", {2});
  const ir::ValueId condition = b.Input("c", {}, ir::DType::kBool);
  const auto outer = std::make_shared<const ir::ModuleCall>("n", "a.Net");
  const auto inner = std::make_shared<const ir::ModuleCall>("n.f", "a.Scale", outer);
  const ir::LocationId of_outer = b.graph.AddLocation({.module = outer});
  const ir::LocationId of_inner = b.graph.AddLocation({.module = inner});
  const ir::ValueId k = b.Node("Exp", {x}, "k", {2});
  std::vector<ir::Block> sides;
  for (const char* op : {"Neg", "Abs"}) {
    const size_t first = b.Size();
    const ir::ValueId scaled = b.Node("Mul", {x, k}, "scaled", {2});
    const ir::ValueId done = b.Node(op, {scaled}, "done", {2});
    sides.push_back(b.TakeBlock(first, {}, {done}));
    for (ir::Node& node : sides.back().nodes) node.location = of_inner;
  }
  const ir::ValueId y = b.Node("If", {condition}, "y", {2});
  b.AddBlocks(std::move(sides));
  for (ir::Node& node : b.graph.body.nodes) node.location = of_outer;
  b.Output(y);
  passes::NameValues(&b.graph);
  return std::move(b.graph);
}

TEST(MakeFunctions, ModulesOfSubgraphs) {
  EXPECT_EQ("\n" + ModularText(MakeFunctions(GraphWithIf(), {})).text(), R"(
a.Scale(input, input_1) -> output
  /Mul_output_0 = Mul(input, input_1)
  output = Neg(/Mul_output_0)
a.Scale_2(input, input_1) -> output
  /Mul_1_output_0 = Mul(input, input_1)
  output = Abs(/Mul_1_output_0)
a.Net(input, input_1) -> output
  /Exp_output_0 = Exp(input)
  output = If(input_1)
  { -> /f/Neg_output_0
    /f/Neg_output_0 = a.Scale(input, /Exp_output_0)
  { -> /f/Abs_output_0
    /f/Abs_output_0 = a.Scale_2(input, /Exp_output_0)
graph -> out0
  out0 = a.Net(x, c)
)");
}

// Weights of two shapes: what is known of the function is what both have.
TEST(MakeFunctions, HasTheTypesOfAllCalls) {
  ir::Graph graph = ProgramReader().Read(R"(
a = Mul x f.w : f nn.Scale
b = Neg a : f nn.Scale
d = Mul b g.w : g nn.Scale
y = Neg d : g nn.Scale
return y)");
  const ir::ValueId first = *graph.body.nodes[0].outputs.data();
  graph.value(first).dims = ir::Dims{ir::Dim(2), ir::Dim(3)};
  graph.value(graph.body.nodes[2].outputs[0]).dims = ir::Dims{ir::Dim(2), ir::Dim(4)};
  graph.value(graph.body.nodes[3].outputs[0]).dims = ir::Dims();
  const ModularGraph model = MakeFunctions(graph, {});
  const ir::Block& body = model.functions.at(0).body;
  const auto& product = model.graph.value(body.nodes[0].outputs[0]).dims;
  ASSERT_TRUE(product && product->size() == 2);
  EXPECT_EQ((*product)[0], ir::Dim(2));
  EXPECT_TRUE((*product)[1].is_unknown());
  EXPECT_FALSE(model.graph.value(body.nodes[1].outputs[0]).dims);  // of two ranks
  EXPECT_THAT(model.functions[0].paths, testing::ElementsAre("f", "g"));
}

TEST(MakeFunctions, RefusesWhatIsNotThere) {
  const ir::Graph graph = ProgramReader().Read(R"(
a = Mul x f.w : f nn.Scale
y = Relu a : g nn.ReLU
return y)");
  const auto make = [&](const char* name) { MakeFunctions(graph, {.classes = {"Scale", name}}); };
  EXPECT_EQ(ErrorOf(ErrorKind::kUsage, [&] { make("Scal"); }),
            "ExportOptions::functions: no module of the model is of class `Scal`; there are nn.ReLU, nn.Scale");
  EXPECT_EQ(ErrorOf(ErrorKind::kUsage, [&] { make("n.Scale"); }),
            "ExportOptions::functions: no module of the model is of class `n.Scale`; there are nn.ReLU, nn.Scale");
  EXPECT_EQ(ErrorOf(ErrorKind::kUsage, [] { CheckOpset(14); }),
            "ExportOptions::functions at opset 14: files have functions from IR version 8 on; take opset 15 or later");
  EXPECT_EQ(ErrorOf(ErrorKind::kUsage, [] { CheckOpset(15); }), "no error");
}

}  // namespace
}  // namespace onnxport::functions
