// Real archives: testdata/features.pt2 (made by testdata/make_features.py) and the MNIST example.
#include "runtime/sources/pt2/pt2.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/archive/archive.h"
#include "runtime/ir/location.h"
#include "runtime/testing/error_of.h"
#include "runtime/testing/zip_writer.h"

namespace onnxport::pt2::pt2_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFeatures = "runtime/sources/pt2/testdata/features.pt2";
constexpr const char* kMnist = "examples/mnist/mnist.pt2";

std::string FileBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Bytes(const ir::TensorData& data) { return ir::BytesOf(*data.bytes); }

const ir::Weight& WeightOf(const ir::Graph& graph, std::string_view name) {
  for (const ir::Weight& weight : graph.weights) {
    if (weight.name == name) return weight;
  }
  ADD_FAILURE() << "no weight " << name;
  return graph.weights[0];
}

TEST(Pt2, Features) {
  Remarks remarks;
  const ir::Graph graph = ReadPt2(kFeatures, &remarks);
  EXPECT_THAT(remarks, ElementsAre("argument 'scale' is no tensor: its value at export is part of the graph"));
  const std::string text = ir::ToText(graph);
  for (const char* line : {
           "symbol s52 in 2..50",
           "input tokens = %tokens: int64[s52, 4]",
           "input past.0 = %past.0: float32[s52, 3]",
           "input named.z.w = %named.z.w: float32[3]",
           "input named.a = %named.a: bool[1]",
           "weight brain = %brain: bfloat16[3]",
           "weight plain = %plain: float32[3]",
           "%add_: int64[] = aten::add_.Tensor(%steps, 1, 1)",
           "%reshape: float32[8*s52, 2] = aten::reshape(%linear, [-1, 2])",
           "%add_1: int {2*s52 + 1} = host::add(%mul_1, 1)",
           "%getitem_3: float32[] = higher_order::wrap_with_set_grad_enabled(False, submod_1, %past.1)",
           "    %sum_1: float32[] = aten::sum(%past_1, None)",
           "output y = %reshape",
           "output all.1 = None",
           "output all.2 = 7",
           "output all.3 = %named.a",
           "output all.4 = %reshape",
           "output shift = %getitem_3",
       }) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("_assert_tensor_metadata")));
}

TEST(Pt2, FeaturesWeights) {
  const ir::Graph graph = ReadPt2(kFeatures, nullptr);
  // base.view(4, 3).t(): column by column of 0..11.
  const std::string turned = Bytes(*WeightOf(graph, "turned").data);
  ASSERT_EQ(turned.size(), 12 * sizeof(float));
  for (int i = 0; i < 12; ++i) {
    float value = 0;
    std::memcpy(&value, turned.data() + i * sizeof(float), sizeof(float));
    EXPECT_EQ(value, static_cast<float>(i % 4 * 3 + i / 4)) << i;
  }
  EXPECT_EQ(Bytes(*WeightOf(graph, "brain").data), "\x80\x3f\x80\x3f\x80\x3f");
  EXPECT_EQ(Bytes(*WeightOf(graph, "steps").data), std::string(8, '\0'));
}

TEST(Pt2, Mnist) {
  const ir::Graph graph = ReadPt2(kMnist, nullptr);
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.weights.size(), 8u);
  const ir::Node& first = graph.body.nodes.at(0);
  EXPECT_EQ(first.op, "aten::conv2d");
  EXPECT_EQ(ModulePath(graph.location(first.location)), "conv1");
  for (const ir::Weight& weight : graph.weights) EXPECT_FALSE(Bytes(*weight.data).empty());
}

// The archive with one record replaced.
std::string Replaced(std::string_view suffix, const std::string& contents, std::string_view new_name = "") {
  const auto archive = archive::Archive::Open(kFeatures);
  archive::ZipContents records;
  for (const archive::Archive::Record& record : archive->records()) {
    if (!record.name.ends_with(suffix)) {
      records.emplace_back(record.name, archive->Read(record, 1 << 20));
    } else if (new_name != "drop") {
      records.emplace_back(new_name.empty() ? record.name : std::string(new_name), contents);
    }
  }
  return archive::WriteTestFile("replaced.pt2", archive::WriteZip(records));
}

std::string ErrorOf(const std::string& path) {
  return onnxport::ErrorOf(ErrorKind::kBadInput, [&] { ReadPt2(path, nullptr); });
}

TEST(Pt2, Refuses) {
  EXPECT_THAT(ErrorOf(Replaced("/byteorder", "big")), HasSubstr("says 'big': only little-endian archives are read"));
  EXPECT_THAT(ErrorOf(Replaced("models/model.json", "", "drop")),
              HasSubstr("neither an exported program (models/*.json) nor a TorchScript module (data.pkl) in it"));
  EXPECT_THAT(ErrorOf(Replaced("models/model.json", "", "serialized_exported_program.json")),
              HasSubstr("PyTorch before 2.8"));
  EXPECT_THAT(ErrorOf(Replaced("archive_format", "{}", "features/models/other.json")),
              HasSubstr("an archive of 2 models (model, other)"));
  EXPECT_THAT(ErrorOf(Replaced("models/model.json", "{]")),
              HasSubstr("record 'features/models/model.json' is damaged: no valid JSON at byte"));
  EXPECT_THAT(ErrorOf(Replaced("model_weights_config.json", "", "drop")), HasSubstr("never read"));
  EXPECT_THAT(ErrorOf(Replaced("weights/weight_1", "abc")), HasSubstr("is shorter than"));
  EXPECT_EQ(ErrorOf(Replaced("sample_inputs/model.pt", "no pickle at all")), "no error");
}

// The text is read while its checksum is summed up: what a damaged one seems to say does not count.
TEST(Pt2, DamageIsFoundBeforeWhatItSays) {
  const std::string whole = FileBytes(Replaced("/byteorder", "little"));
  // Bad JSON, another name, an unknown number, and a byte of the last piece.
  for (const std::string_view text : {"\"graph_module\"", "\"name\": ", "\"layout\": ", "\"major\": "}) {
    std::string damaged = whole;
    const size_t at = damaged.find(text);
    ASSERT_NE(at, std::string::npos) << text;
    damaged[at + text.size() - 1] = '~';
    EXPECT_THAT(ErrorOf(archive::WriteTestFile("damaged.pt2", damaged)), HasSubstr("its checksum (CRC32)")) << text;
  }
}

// As torch.export.save writes fake tensors.
TEST(Pt2, WeightsMayBeAbsent) {
  const ir::Graph graph = ReadPt2(Replaced("weights/weight_1", ""), nullptr);
  int absent = 0;
  for (const ir::Weight& weight : graph.weights) absent += weight.data->bytes->absent() ? 1 : 0;
  EXPECT_EQ(absent, 1);
}

// ---- mutations ----

class Mutations : public testing::TestWithParam<const char*> {
 protected:
  // Everything that reading does. True when it came to its end.
  static bool Run(const std::string& path) {
    try {
      const ir::Graph graph = ReadPt2(path, nullptr);
      for (const ir::Weight& weight : graph.weights) weight.data->bytes->Stream([](std::span<const std::byte>) {});
      EXPECT_FALSE(ir::ToText(graph).empty());
      return true;
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::kBadInput || error.kind() == ErrorKind::kCannotExport) << error.what();
      EXPECT_GT(std::string(error.what()).size(), 10u);
      return false;
    }
  }

  size_t Below(size_t end) { return std::uniform_int_distribution<size_t>(0, end - 1)(random_); }

  std::mt19937 random_{20240607};
};

TEST_P(Mutations, BytesAndTruncations) {
  const std::string whole = FileBytes(GetParam());
  ASSERT_TRUE(Run(archive::WriteTestFile("mutant.pt2", whole)));
  int accepted = 0;
  for (int i = 0; i < 500; ++i) {
    std::string mutant = whole;
    if (i % 10 == 0) mutant.resize(Below(mutant.size()));
    for (size_t n = Below(3); i % 10 != 0 && n < 3; ++n)
      mutant[Below(mutant.size())] ^= static_cast<char>(1 << Below(8));
    accepted += Run(archive::WriteTestFile("mutant.pt2", mutant));
  }
  // Accepted changes were in padding or in records that are not used.
  EXPECT_LT(accepted, 250);
}

TEST_P(Mutations, DirectoryFields) {
  const std::string whole = FileBytes(GetParam());
  const size_t directory = whole.find("PK\1\2");
  ASSERT_NE(directory, std::string::npos);
  constexpr uint8_t kEvil[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  for (int i = 0; i < 500; ++i) {
    std::string mutant = whole;
    const size_t at = directory + Below(mutant.size() - directory);
    for (size_t n = 0; n < 4 && at + n < mutant.size(); ++n) mutant[at + n] = static_cast<char>(kEvil[Below(5)]);
    Run(archive::WriteTestFile("mutant.pt2", mutant));
  }
}

// Valid archives whose JSON is changed, so that the checksum does not hide what is behind it.
TEST_P(Mutations, JsonValues) {
  const auto archive = archive::Archive::Open(GetParam());
  archive::ZipContents records;
  std::vector<size_t> texts;
  for (const archive::Archive::Record& record : archive->records()) {
    if (record.name.ends_with(".json")) texts.push_back(records.size());
    records.emplace_back(record.name, archive->Read(record, 1 << 24));
  }
  constexpr std::string_view kValues[] = {
      "-1",
      "0",
      "1",
      "2",
      "9223372036854775807",
      "-9223372036854775808",
      "1e400",
      "0.5",
      "null",
      "true",
      "[]",
      "{}",
      "\"\"",
      "\"x\"",
      "[[[[]]]]",
      "{\"as_int\": -5}",
      "{\"as_tensor\": {\"name\": \"x\"}}",
      "\"torch.ops.aten.add_.Tensor\"",
      "\"torch.ops.aten.view.default\"",
      "{\"as_expr\": {\"expr_str\": \"Pow(Symbol('s0'), Integer(9))\"}}",
  };
  int accepted = 0;
  for (int i = 0; i < 1000; ++i) {
    archive::ZipContents mutant = records;
    std::string& text = mutant[texts[Below(texts.size())]].second;
    // A value follows a colon, a comma or a bracket; it ends before the next one.
    const size_t begin = text.find_first_of(":,[", Below(text.size()));
    if (begin == std::string::npos) continue;
    const size_t end = std::min(text.find_first_of(",]}", begin + 1), text.size());
    text.replace(begin + 1, end - begin - 1, kValues[Below(std::size(kValues))]);
    accepted += Run(archive::WriteTestFile("mutant.pt2", archive::WriteZip(mutant)));
  }
  EXPECT_LT(accepted, 800);
}

INSTANTIATE_TEST_SUITE_P(Archives, Mutations, testing::Values(kFeatures, kMnist),
                         [](const auto& info) { return std::string(info.param == kMnist ? "Mnist" : "Features"); });

}  // namespace
}  // namespace onnxport::pt2::pt2_test
