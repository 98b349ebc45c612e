#include "runtime/model/onnx_file/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <span>

#include "runtime/testing/error_of.h"

namespace onnxport::onnx_file {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

onnx::ModelProto Model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("somebody");
  onnx::GraphProto* graph = model.mutable_graph();
  graph->set_name("g");
  graph->add_input()->set_name("x");
  graph->add_node()->set_op_type("Relu");
  onnx::TensorProto* raw = graph->add_initializer();
  raw->set_name("raw");
  raw->set_data_type(onnx::TensorProto::UINT8);
  raw->add_dims(4);
  raw->set_raw_data("abcd");
  onnx::TensorProto* spelled = graph->add_initializer();
  spelled->set_name("spelled");
  spelled->set_data_type(onnx::TensorProto::FLOAT);
  spelled->add_float_data(1.5);
  return model;
}

onnx::TensorProto* AddExternal(onnx::ModelProto* model, const std::string& location, const std::string& offset = "1",
                               const std::string& length = "2") {
  onnx::TensorProto* tensor = model->mutable_graph()->add_initializer();
  tensor->set_name("outside");
  tensor->set_data_type(onnx::TensorProto::UINT8);
  tensor->add_dims(2);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"location", location}, {"offset", offset}, {"length", length}}) {
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  return tensor;
}

std::string InFolder(const std::string& name) { return std::filesystem::path(testing::TempDir()) / name; }

Skeleton Read(const std::string& bytes) {
  auto owner = std::make_shared<const std::string>(bytes);
  return ReadSkeleton(archive::OpenBytes("m.onnx", std::as_bytes(std::span(*owner)), owner), InFolder("m.onnx"));
}

std::string BytesOf(const Initializer& initializer) { return ir::BytesOf(*initializer.bytes); }

TEST(Skeleton, HasAllButTheBytes) {
  const onnx::ModelProto model = Model();
  const Skeleton skeleton = Read(model.SerializeAsString());
  EXPECT_EQ(skeleton.ir_version, 8);
  ASSERT_EQ(skeleton.inputs.size(), 1U);
  EXPECT_EQ(skeleton.inputs[0].name(), "x");
  ASSERT_EQ(skeleton.initializers.size(), 2U);
  EXPECT_EQ(skeleton.initializers[0].name, "raw");
  EXPECT_EQ(skeleton.initializers[0].dtype, ir::DType::kUInt8);
  EXPECT_THAT(skeleton.initializers[0].shape, ElementsAre(4));
  EXPECT_EQ(BytesOf(skeleton.initializers[0]), "abcd");
  EXPECT_EQ(skeleton.initializers[1].bytes, nullptr);
  onnx::GraphProto graph;
  ASSERT_TRUE(graph.ParseFromString(skeleton.graph + skeleton.initializers[1].field));
  EXPECT_EQ(graph.name(), "g");
  EXPECT_EQ(graph.node(0).op_type(), "Relu");
  EXPECT_EQ(graph.initializer(0).float_data(0), 1.5);
  EXPECT_EQ(graph.initializer_size(), 1);
  EXPECT_EQ(graph.input_size(), 0);
  onnx::ModelProto rest;
  ASSERT_TRUE(rest.ParseFromString(skeleton.model));
  EXPECT_EQ(rest.producer_name(), "somebody");
  EXPECT_FALSE(rest.has_graph());
}

TEST(Skeleton, FindsDataFilesBesideIt) {
  std::ofstream(InFolder("m.data")) << "0123";
  onnx::ModelProto model = Model();
  AddExternal(&model, "m.data");
  const Skeleton skeleton = Read(model.SerializeAsString());
  EXPECT_EQ(skeleton.data_files.size(), 1u);
  EXPECT_EQ(BytesOf(skeleton.initializers[2]), "12");
}

// Two elements in a byte.
TEST(Skeleton, LeavesFourBitWeightsWhereTheyAre) {
  std::ofstream(InFolder("m.data")) << "0123";
  onnx::ModelProto model = Model();
  AddExternal(&model, "m.data");
  onnx::TensorProto* weight = model.mutable_graph()->mutable_initializer(2);
  weight->set_data_type(onnx::TensorProto::INT4);
  weight->set_dims(0, 4);
  onnx::TensorProto* inside = model.mutable_graph()->mutable_initializer(0);
  inside->set_data_type(onnx::TensorProto::INT4);
  inside->set_dims(0, 8);
  const Skeleton skeleton = Read(model.SerializeAsString());
  EXPECT_EQ(ir::Name(skeleton.initializers[0].dtype), "int4");
  EXPECT_EQ(BytesOf(skeleton.initializers[0]), "abcd");
  EXPECT_EQ(BytesOf(skeleton.initializers[2]), "12");
}

TEST(Skeleton, TiedWeightsAreOneRange) {
  std::ofstream(InFolder("m.data")) << "0123";
  onnx::ModelProto model = Model();
  for (int i = 0; i < 100; ++i) AddExternal(&model, "m.data");
  const Skeleton skeleton = Read(model.SerializeAsString());
  EXPECT_EQ(skeleton.initializers[2].bytes, skeleton.initializers[101].bytes);
}

TEST(Skeleton, OtherWeightsDoNotOverlap) {
  std::ofstream(InFolder("m.data")) << "0123";
  onnx::ModelProto model = Model();
  AddExternal(&model, "m.data", "0", "3");
  AddExternal(&model, "m.data", "1", "3");
  EXPECT_THAT(ErrorOf(Code::kBadOnnxFile, [&] { Read(model.SerializeAsString()); }),
              HasSubstr("m.onnx: has weights that overlap in "));
}

TEST(Skeleton, RefusesTypesThatAreNotKnown) {
  std::ofstream(InFolder("m.data")) << "0123";
  for (const int type : {0, static_cast<int>(onnx::TensorProto::STRING), 99}) {
    onnx::ModelProto model = Model();
    AddExternal(&model, "m.data")->set_data_type(type);
    EXPECT_THAT(ErrorOf(Code::kBadOnnxFile, [&] { Read(model.SerializeAsString()); }),
                HasSubstr("weight `outside` has the type " + std::to_string(type) + ", which is not known"));
  }
}

TEST(Skeleton, RefusesWhatIsDamaged) {
  std::ofstream(InFolder("m.data")) << "0123";
  const struct {
    const char* location;
    const char* offset;
    const char* length;
    const char* message;
  } kCases[] = {
      {"/etc/passwd", "0", "1", "lies in `/etc/passwd`, which is no file beside it"},
      {"../m.data", "0", "1", "lies in `../m.data`, which is no file beside it"},
      {"", "0", "1", "which is no file beside it"},
      {"m.data", "3", "2", "`outside` lies outside of"},
      {"m.data", "5", "0", "`outside` lies outside of"},
      {"m.data", "18446744073709551615", "2", "`outside` lies outside of"},
      {"m.data", "-1", "2", "lies at `-1`, which is no number"},
      {"nowhere.data", "0", "1", "nowhere.data"},
  };
  for (const auto& test : kCases) {
    onnx::ModelProto model = Model();
    AddExternal(&model, test.location, test.offset, test.length);
    EXPECT_THAT(ErrorOf(ErrorKind::kBadInput, [&] { Read(model.SerializeAsString()); }), HasSubstr(test.message));
  }
}

TEST(Skeleton, RefusesWhatIsCutOff) {
  const std::string bytes = Model().SerializeAsString();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ErrorOf(Code::kBadOnnxFile, [&] { Read(bytes.substr(0, size)); }), HasSubstr("m.onnx")) << size;
  }
  EXPECT_THAT(ErrorOf(Code::kBadOnnxFile, [&] { Read(std::string(20, '\xff')); }), HasSubstr("no ONNX model"));
}

}  // namespace
}  // namespace onnxport::onnx_file
