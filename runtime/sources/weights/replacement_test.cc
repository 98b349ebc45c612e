#include "runtime/sources/weights/replacement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "runtime/testing/error_of.h"

namespace onnxport::weights {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const archive::ByteSource> Safetensors(const std::string& header, const std::string& bytes) {
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  file[1] = static_cast<char>(header.size() >> 8);
  auto owner = std::make_shared<const std::string>(file + header + bytes);
  return archive::OpenBytes("w.safetensors", std::as_bytes(std::span(*owner)), owner);
}

std::string Entry(const std::string& name, int begin, const std::string& dtype = "U8", int size = 2) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":[)" + std::to_string(size) + R"(],"data_offsets":[)" +
         std::to_string(begin) + "," + std::to_string(begin + 2) + "]}";
}

std::shared_ptr<const ir::TensorData> Tensor(const std::string& bytes) {
  return ir::MakeTensor(ir::DType::kUInt8, {static_cast<int64_t>(bytes.size())}, bytes);
}

std::string BytesOf(const ir::Weight& weight) {
  if (weight.data->bytes->absent()) return "(absent)";
  return ir::BytesOf(*weight.data->bytes);
}

ir::Graph Program(const std::vector<ir::Weight>& weights) {
  ir::Graph graph;
  graph.weights = weights;
  return graph;
}

std::vector<std::string> AllBytes(const ir::Graph& graph) {
  std::vector<std::string> all;
  for (const ir::Weight& weight : graph.weights) all.push_back(BytesOf(weight));
  return all;
}

TEST(Replacement, TakesParametersAndBuffersOfTheFile) {
  const auto tied = Tensor("ab");
  ir::Graph program = Program({{ir::ValueId::kNone, "a", tied},
                               {ir::ValueId::kNone, "b", Tensor("cd")},
                               {ir::ValueId::kNone, "c", Tensor("ef"), true},
                               {ir::ValueId::kNone, "a2", tied}});
  Replacement replacement(Safetensors(
      "{" + Entry("a", 0) + "," + Entry("b", 2) + "," + Entry("c", 4) + "," + Entry("other", 6) + "}", "ABCDEFGH"));
  replacement.Apply(&program);
  EXPECT_THAT(AllBytes(program), ElementsAre("AB", "CD", "ef", "AB"));
  EXPECT_EQ(program.weights[0].data, program.weights[3].data);
  EXPECT_EQ(program.weights[0].data->bytes->storage(), tied->bytes->storage());
  EXPECT_THAT(replacement.Remarks(), ElementsAre("the model has no use for c, other of w.safetensors"));
}

TEST(Replacement, FindsATiedWeightByAnyOfItsNames) {
  const auto tied = Tensor("ab");
  ir::Graph program = Program({{ir::ValueId::kNone, "head", tied}, {ir::ValueId::kNone, "embedding", tied}});
  Replacement replacement(Safetensors("{" + Entry("embedding", 0) + "}", "AB"));
  replacement.Apply(&program);
  EXPECT_THAT(AllBytes(program), ElementsAre("AB", "AB"));
}

TEST(Replacement, LeavesOutTheElements) {
  const auto data = Tensor("ab");
  ir::Graph program = Program({{ir::ValueId::kNone, "a", data}, {ir::ValueId::kNone, "c", Tensor("ef"), true}});
  Replacement replacement;
  replacement.Apply(&program);
  EXPECT_THAT(AllBytes(program), ElementsAre("(absent)", "ef"));
  EXPECT_EQ(program.weights[0].data->bytes->storage(), data->bytes->storage());
  EXPECT_EQ(program.weights[0].data->shape, data->shape);
  EXPECT_THAT(replacement.Remarks(), IsEmpty());
  EXPECT_THAT(ErrorOf(ErrorKind::kCannotExport, [&] { program.weights[0].data->bytes->Stream([](auto) {}); }),
              HasSubstr("the value of a weight is needed"));
}

TEST(Replacement, TellsAllThatTheFileHasNot) {
  const auto tied = Tensor("ab");
  ir::Graph program = Program({{ir::ValueId::kNone, "a", tied},
                               {ir::ValueId::kNone, "gone", Tensor("cd")},
                               {ir::ValueId::kNone, "lost", Tensor("cd")},
                               {ir::ValueId::kNone, "half", Tensor("ef")},
                               {ir::ValueId::kNone, "long", Tensor("ef")},
                               {ir::ValueId::kNone, "a2", tied}});
  Replacement replacement(Safetensors("{" + Entry("a", 0) + "," + Entry("a2", 2) + "," + Entry("half", 4, "F16", 1) +
                                          ",\"long\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[6,10]}}",
                                      "ABCDEFGHIJ"));
  EXPECT_THAT(ErrorOf(Code::kWeightsDiffer, [&] { replacement.Apply(&program); }),
              AllOf(HasSubstr("w.safetensors does not have the weights of the model"),
                    HasSubstr("there is no gone, lost in it, but a, a2, half, long"),
                    HasSubstr("'half' is float16[1] in the file, and uint8[2] in the model"),
                    HasSubstr("'long' is uint8[4] in the file"), HasSubstr("'a2' is tied to another weight")));
}

}  // namespace
}  // namespace onnxport::weights
