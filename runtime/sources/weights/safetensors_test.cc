#include "runtime/sources/weights/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "runtime/testing/error_of.h"

namespace onnxport::weights {
namespace {

using testing::HasSubstr;

std::string File(const std::string& header, const std::string& bytes, int64_t length = -1) {
  const auto size = static_cast<uint64_t>(length < 0 ? static_cast<int64_t>(header.size()) : length);
  std::string file;
  for (int i = 0; i < 8; ++i) file.push_back(static_cast<char>(size >> (8 * i)));
  return file + header + bytes;
}

std::shared_ptr<const archive::ByteSource> Open(const std::string& file) {
  auto owner = std::make_shared<const std::string>(file);
  return archive::OpenBytes("w.safetensors", std::as_bytes(std::span(*owner)), owner);
}

std::string BytesOf(const ir::TensorData& data) { return ir::BytesOf(*data.bytes); }

TEST(Safetensors, GivesTensorsByName) {
  const auto tensors =
      ReadSafetensors(Open(File(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]},)"
                                R"("fc.weight":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},)"
                                R"("none":{"dtype":"F32","shape":[0,3],"data_offsets":[9,9]}})",
                                "abcdefghi")));
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors.at("fc.weight")->dtype, ir::DType::kFloat16);
  EXPECT_EQ(tensors.at("fc.weight")->shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(BytesOf(*tensors.at("fc.weight")), "abcdefgh");
  EXPECT_EQ(BytesOf(*tensors.at("b")), "i");
  EXPECT_EQ(BytesOf(*tensors.at("none")), "");
}

TEST(Safetensors, IsToldByItsFirstBytes) {
  EXPECT_TRUE(IsSafetensors(*Open(File("{}", ""))));
  EXPECT_FALSE(IsSafetensors(*Open("PK\x03\x04 and more bytes of a ZIP")));
  EXPECT_FALSE(IsSafetensors(*Open("")));
  EXPECT_FALSE(IsSafetensors(*Open(File("[]", ""))));
}

TEST(Safetensors, TellsWhatIsDamaged) {
  const struct {
    std::string file;
    std::string error;
  } kCases[] = {
      {File("{", "", 100), "w.safetensors: is cut off inside of its header"},
      {File(R"({"a":)", ""), "the header is damaged"},
      {File(R"({"a":3})", ""), "the header is damaged"},
      {File(R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,4]}})", "abcd"), "has the dtype F4"},
      {File(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "abc"), "lies outside of the file"},
      {File(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "abcd"), "lies outside of the file"},
      {File(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", "abcd"), "another number of bytes"},
      {File(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "abcd"), "is negative"},
      {File(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]}})", "abcd"),
       "another number of bytes"},
      {File(
           R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
           "a"),
       "twice"},
      {File(
           R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
           "abc"),
       "'b' lies where another tensor does"},
      {File(
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
           "a"),
       "'b' lies where another tensor does"},
      {File(
           R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
           "abc"),
       "'b' lies behind bytes of no tensor"},
      {File(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "ab"), "'a' lies behind bytes of no tensor"},
      {File(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "ab"), "bytes of no tensor at the end"},
      {File("{}", "a"), "bytes of no tensor at the end"},
      {File(R"({"__metadata__":"pt"})", ""), "__metadata__"},
      {File(R"({"__metadata__":["pt"]})", ""), "__metadata__"},
      {File(R"({"__metadata__":{"format":1}})", ""), "__metadata__"},
      {File(R"({"__metadata__":{"format":{"a":"b"}}})", ""), "__metadata__"},
  };
  for (const auto& [file, error] : kCases) {
    EXPECT_THAT(ErrorOf(Code::kBadSafetensors, [&] { ReadSafetensors(Open(file)); }), HasSubstr(error)) << file;
  }
}

}  // namespace
}  // namespace onnxport::weights
