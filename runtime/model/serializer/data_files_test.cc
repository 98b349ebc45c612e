#include "runtime/model/serializer/data_files.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "onnx/onnx_pb.h"
#include "runtime/base/interruption.h"

namespace onnxport::serializer::data_files_test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::string kData = "m." + std::string(kHashDigits, '0') + ".data";

class DataFiles : public testing::Test {
 protected:
  DataFiles() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / kData) << "data";
  }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }

  // A model with one weight that lies in `data`, or has these bytes.
  void WriteModel(const std::string& name, const std::string& data, const std::string& bytes = "") {
    onnx::ModelProto model;
    onnx::TensorProto* weight = model.mutable_graph()->add_initializer();
    weight->set_name("w");
    weight->set_raw_data(bytes);
    if (!data.empty()) {
      auto* entry = weight->add_external_data();
      entry->set_key("location");
      entry->set_value(data);
    }
    std::ofstream(folder_ / name, std::ios::binary) << model.SerializeAsString();
  }

  // Returns true if the file is removed.
  bool Removes() const {
    const Names left = RemoveUnnamed({kData}, Path("m.onnx"));
    const bool there = fs::exists(folder_ / kData);
    EXPECT_EQ(left, there ? Names{kData} : Names());
    return !there;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "data_files";
};

TEST_F(DataFiles, AreThoseThatTheModelNames) {
  EXPECT_EQ(DataFilesOf(Path("m.onnx"), "m"), Names());  // no such model
  WriteModel("m.onnx", kData);
  EXPECT_EQ(DataFilesOf(Path("m.onnx"), "m"), Names{kData});
  EXPECT_EQ(DataFilesOf(Path("m.onnx"), "n"), Names());
  WriteModel("m.onnx", "", "bytes of a weight: " + kData);
  EXPECT_EQ(DataFilesOf(Path("m.onnx"), "m"), Names());
  std::ofstream(folder_ / "m.onnx") << "no model";
  EXPECT_EQ(DataFilesOf(Path("m.onnx"), "m"), Names());
}

TEST_F(DataFiles, GoWhenNobodyNamesThem) {
  WriteModel("m.onnx", "");
  WriteModel("other.onnx", "other.data", "bytes of a weight: " + kData);
  EXPECT_TRUE(Removes());
}

TEST_F(DataFiles, StayWhenAnotherModelNamesThem) {
  WriteModel("other.onnx", kData);
  EXPECT_FALSE(Removes());
}

TEST_F(DataFiles, StayWhenAnotherModelCannotBeRead) {
  std::ofstream(folder_ / "other.onnx") << "no model";
  EXPECT_FALSE(Removes());
}

TEST_F(DataFiles, StayWhenThereIsNoTime) {
  WriteModel("other.onnx", "");
  const Interruption interruption({}, std::chrono::steady_clock::now());
  EXPECT_FALSE(Removes());
}

}  // namespace
}  // namespace onnxport::serializer::data_files_test
