#include "runtime/model/serializer/node_metadata.h"

#include <map>
#include <memory>

#include "gtest/gtest.h"
#include "onnx/onnx_pb.h"

namespace onnxport::serializer::node_metadata_test {
namespace {

ir::Value Named(const char* name) {
  ir::Value value;
  value.name = name;
  return value;
}

using Properties = std::map<std::string, std::string>;

// y = relu(x) in a Linear `fc` of a Net, z = y + y outside of modules.
struct Program {
  ir::Graph graph;
  ir::LocationId relu = ir::LocationId::kNone;
  ir::LocationId add = ir::LocationId::kNone;

  Program() {
    const ir::ValueId x = graph.AddValue(Named("x"));
    const ir::ValueId y = graph.AddValue(Named("%y"));
    const ir::ValueId z = graph.AddValue(Named("%7"));
    const auto net = std::make_shared<const ir::ModuleCall>("", "app.Net");
    relu = graph.AddLocation({.at = std::make_shared<const ir::SourceLine>(ir::SourceLine{
                                  .file = "net.py", .line = 3, .trace = "File \"net.py\", line 3, in forward\n    r"}),
                              .module = std::make_shared<const ir::ModuleCall>("fc", "app.Linear", net),
                              .op_name = "relu_1"});
    add = graph.AddLocation({.at = ir::MakeLine("caf\xe9.py", 4, "z = y + y")});
    Call("aten::relu", {{x}}, y, relu);
    Call("aten::add.Tensor", {{y}, {y}, {int64_t{1}}}, z, add);
    graph.body.outputs = {{y}, {z}};
  }

  void Call(std::string op, std::vector<ir::Arg> inputs, ir::ValueId output, ir::LocationId at) {
    ir::Node& call = graph.body.nodes.emplace_back();
    call.op = std::move(op);
    call.inputs = std::move(inputs);
    call.outputs = {output};
    call.location = at;
  }
};

onnx::NodeProto Described(const Program& program, ir::LocationId at, int ir_version) {
  onnx::NodeProto node;
  std::string fields;
  NodeMetadata(program.graph, program.graph.locations, ir_version).AppendFieldsOf(at, &fields);
  EXPECT_TRUE(node.ParseFromString(fields));
  return node;
}

Properties PropertiesOf(const onnx::NodeProto& node) {
  Properties found;
  for (const auto& entry : node.metadata_props()) EXPECT_TRUE(found.emplace(entry.key(), entry.value()).second);
  return found;
}

TEST(NodeMetadata, HasTheKeysOfPyTorch) {
  const onnx::NodeProto node = Described(Program(), Program().relu, 10);
  EXPECT_EQ(node.doc_string(), "");
  EXPECT_EQ(
      PropertiesOf(node),
      (Properties{
          {"namespace", ": app.Net/fc: app.Linear/relu_1: aten.relu.default"},
          {"pkg.torch.onnx.class_hierarchy", "['app.Net', 'app.Linear', 'aten.relu.default']"},
          {"pkg.torch.onnx.name_scopes", "['', 'fc', 'relu_1']"},
          {"pkg.torch.onnx.fx_node",
           "%relu_1 : [num_users=2] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})"},
          {"pkg.torch.onnx.stack_trace", "File \"net.py\", line 3, in forward\n    r"},
      }));
}

TEST(NodeMetadata, SaysWhatIsKnown) {
  const Properties found = PropertiesOf(Described(Program(), Program().add, 13));
  EXPECT_EQ(found.at("namespace"), "7: aten.add.Tensor");
  EXPECT_EQ(found.at("pkg.torch.onnx.class_hierarchy"), "['aten.add.Tensor']");
  EXPECT_EQ(found.at("pkg.torch.onnx.stack_trace"), "File \"caf?.py\", line 4\n    z = y + y");
}

TEST(NodeMetadata, IsDocumentationWhereNodesHaveNoProperties) {
  const onnx::NodeProto node = Described(Program(), Program().relu, 9);
  EXPECT_EQ(node.metadata_props_size(), 0);
  EXPECT_EQ(node.doc_string(),
            "%relu_1 : [num_users=2] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n"
            "File \"net.py\", line 3, in forward\n    r");
}

TEST(NodeMetadata, SaysNothingOfNodesFromNowhere) {
  EXPECT_EQ(Described(Program(), ir::LocationId::kNone, 13).ByteSizeLong(), 0u);
}

}  // namespace
}  // namespace onnxport::serializer::node_metadata_test
