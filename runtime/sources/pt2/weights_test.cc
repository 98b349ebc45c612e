#include "runtime/sources/pt2/weights.h"

#include <cstring>
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/testing/zip_writer.h"

namespace onnxport::pt2::weights_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One entry of a payload list: uint8 unless said otherwise.
struct Entry {
  std::string name = "w";
  std::string sizes = "2, 3";
  std::string strides = "3, 1";
  std::string offset = "0";
  int dtype = 1;
  std::string record = "weight_0";
  std::string pickled = "false";
};

std::string Dims(const std::string& numbers) {
  std::string list;
  for (size_t begin = 0; begin < numbers.size();) {
    const size_t comma = std::min(numbers.find(',', begin), numbers.size());
    list += (list.empty() ? "" : ", ") + std::string("{\"as_int\": ") + numbers.substr(begin, comma - begin) + "}";
    begin = comma + 1;
  }
  return "[" + list + "]";
}

std::string ListOf(const std::vector<Entry>& entries) {
  std::string list;
  for (const Entry& e : entries) {
    list += (list.empty() ? "\"" : ", \"") + e.name + R"(": {"path_name": ")" + e.record +
            R"(", "is_param": true, "use_pickle": )" + e.pickled + R"(, "tensor_meta": {"dtype": )" +
            std::to_string(e.dtype) + R"(, "sizes": )" + Dims(e.sizes) + R"(, "strides": )" + Dims(e.strides) +
            R"(, "storage_offset": {"as_int": )" + e.offset + R"(}, "layout": 7}})";
  }
  return R"({"config": {)" + list + "}}";
}

class WeightsTest : public testing::Test {
 protected:
  Weights& Open(const std::vector<Entry>& entries, const std::vector<Entry>& constants = {}) {
    const std::string zip = archive::WriteZip({{"m/data/weights/weight_0", "0123456789abcdef"},
                                               {"m/data/constants/tensor_0", "constant"},
                                               {"m/data/weights/model_weights_config.json", ListOf(entries)},
                                               {"m/data/constants/model_constants_config.json", ListOf(constants)}});
    archive_ = archive::Archive::Open(archive::WriteTestFile("weights.pt2", zip));
    weights_ = std::make_unique<Weights>(archive_, "m/", "model", &metas_);
    return *weights_;
  }

  std::string ErrorOf(const Entry& entry) {
    try {
      Open({entry}).Find(entry.name, false);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  static std::string Bytes(const ir::TensorData& data) { return ir::BytesOf(*data.bytes); }

  MetaReader metas_;
  std::shared_ptr<const archive::Archive> archive_;
  std::unique_ptr<Weights> weights_;
};

TEST_F(WeightsTest, Layouts) {
  const std::pair<Entry, const char*> cases[] = {
      {{}, "012345"},
      {{.offset = "10"}, "abcdef"},
      {{.sizes = "16", .strides = "1"}, "0123456789abcdef"},
      {{.sizes = "", .strides = "", .offset = "7"}, "7"},
      {{.sizes = "0, 5", .strides = "5, 1"}, ""},
      {{.sizes = "3, 2", .strides = "1, 3"}, "031425"},  // transposed
      {{.sizes = "2, 3", .strides = "8, 2", .offset = "1"}, "1359bd"},
      {{.sizes = "2, 2", .strides = "0, 1"}, "0101"},  // expanded
      {{.sizes = "1, 3", .strides = "999, 1"}, "012"},
      {{.sizes = "2, 2", .strides = "4, 2", .dtype = 3}, "014589cd"},  // int16
  };
  for (const auto& [entry, bytes] : cases) {
    const auto data = Open({entry}).Find("w", false);
    EXPECT_EQ(Bytes(*data), bytes) << entry.sizes << " / " << entry.strides;
    EXPECT_EQ(Bytes(*data), bytes) << "the second time";
  }
}

TEST_F(WeightsTest, TiedWeightsAreOneObject) {
  Weights& weights = Open({{}, {.name = "tied"}, {.name = "view", .sizes = "6", .strides = "1"}});
  EXPECT_EQ(weights.Find("w", false), weights.Find("tied", false));
  EXPECT_NE(weights.Find("w", false), weights.Find("view", false));
  EXPECT_EQ(weights.Find("w", false)->bytes->storage(), weights.Find("view", false)->bytes->storage());
}

TEST_F(WeightsTest, ConstantsAndTypes) {
  Weights& weights = Open({{.name = "h", .sizes = "2", .strides = "1", .dtype = 13}, {.name = "both"}},
                          {{.name = "c", .sizes = "8", .strides = "1", .record = "tensor_0"},
                           {.name = "both", .sizes = "3", .strides = "1", .record = "tensor_0"}});
  EXPECT_EQ(Bytes(*weights.Find("c", true)), "constant");
  EXPECT_EQ(Bytes(*weights.Find("both", true)), "con");
  EXPECT_EQ(Bytes(*weights.Find("both", false)), "012345");
  EXPECT_EQ(weights.Find("h", false)->dtype, ir::DType::kBFloat16);
  EXPECT_THAT(weights.Find("h", false)->shape, ElementsAre(2));
}

TEST_F(WeightsTest, Refuses) {
  const std::pair<Entry, const char*> cases[] = {
      {{.offset = "11"}, "is shorter than 'w' needs: 16 bytes"},
      {{.sizes = "17", .strides = "1"}, "is shorter than"},
      {{.sizes = "9223372036854775807, 9223372036854775807", .strides = "1, 1"}, "is shorter than"},
      {{.sizes = "2, 2", .strides = "9223372036854775807, 1"}, "is shorter than"},
      {{.sizes = "4611686018427387904", .strides = "0"}, "is "},
      {{.sizes = "134217729, 1", .strides = "0, 0"}, "is repeated beyond reason"},
      {{.offset = "9223372036854775807"}, "is shorter than"},
      {{.offset = "-1"}, "a size or stride that is no number: -1"},
      {{.strides = "-3, 1"}, "no number: -3"},
      {{.record = "weight_1"}, "record 'm/data/weights/weight_1' is missing; 'w' lies in it"},
      {{.record = "../constants/tensor_0"}, "is missing"},
      {{.pickled = "true"},
       "'w' is stored as a pickle, which is never read (it could run code); make it a plain tensor"},
  };
  for (const auto& [entry, message] : cases) EXPECT_THAT(ErrorOf(entry), HasSubstr(message));
  EXPECT_THROW(Open({}).Find("nobody", false), Error);
}

TEST_F(WeightsTest, ListsAreRefusedWhenDamaged) {
  const auto error_of = [&](const std::string& list) -> std::string {
    const std::string zip = archive::WriteZip(
        {{"data/weights/model_weights_config.json", list}, {"data/constants/model_constants_config.json", ListOf({})}});
    try {
      Weights(archive::Archive::Open(archive::WriteTestFile("lists.pt2", zip)), "", "model", &metas_);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of("{"), HasSubstr("model_weights_config.json' is damaged: no valid JSON"));
  EXPECT_THAT(error_of(R"({"config": {"w": 3}})"), HasSubstr("at 'config/w': an object expected, not an integer"));
  EXPECT_THAT(error_of(ListOf({{}, {}})), HasSubstr("'w' occurs twice in one object"));
  EXPECT_EQ(error_of(ListOf({})), "no error");
}

}  // namespace
}  // namespace onnxport::pt2::weights_test
