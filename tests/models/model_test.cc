// Exports one model fixture with the real command at several opsets, checks each file with onnx::checker, runs it in
// ONNX Runtime and compares with what eager PyTorch gave.
//
// The fixture's folder: see make_model.py. Environment: MODEL, FIXTURE (folder), EXPORTER, SINCE and
// SINCE_DYNAMIC (from which opset on the static and the dynamic variants must export; below it a report is right too),
// NOISE (factor on the absolute tolerance), OPSETS, ORT_RUNNER, ORT_RUNNER_NEW.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "tests/ort/client.h"
#include "tests/ort/compare.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

std::string Env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The tensors `KIND_0.pb`, `KIND_1.pb` ... of a folder.
std::vector<ort::Tensor> ReadTensors(const fs::path& folder, const std::string& kind) {
  std::vector<ort::Tensor> tensors;
  for (int i = 0; fs::exists(folder / (kind + "_" + std::to_string(i) + ".pb")); ++i) {
    onnx::TensorProto proto;
    EXPECT_TRUE(proto.ParseFromString(ReadFile(folder / (kind + "_" + std::to_string(i) + ".pb"))));
    tensors.push_back({.name = proto.name(),
                       .dtype = static_cast<ir::DType>(proto.data_type()),
                       .shape = {proto.dims().begin(), proto.dims().end()},
                       .bytes = proto.raw_data()});
  }
  return tensors;
}

struct Outcome {
  int status;
  std::string text;
};

Outcome Export(const fs::path& model, const fs::path& out, int opset) {
  const std::string log = out.string() + ".log";
  const std::string command = Env("EXPORTER") + " export " + model.string() + " -o " + out.string() + " --opset " +
                              std::to_string(opset) + " >" + log + " 2>&1";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ReadFile(log)};
}

struct Case {
  std::string variant;  // "", "decomposed", "dynamic", "dynamic.decomposed"
  int opset;
  bool promised;
};

class ModelTest : public testing::Test {
 public:
  explicit ModelTest(Case c) : case_(std::move(c)) {}

  void TestBody() override {
    const fs::path fixture = Env("FIXTURE");
    const std::string stem = Env("MODEL") + (case_.variant.empty() ? "" : "." + case_.variant);
    const fs::path out = fs::path(testing::TempDir()) / (stem + "." + std::to_string(case_.opset) + ".onnx");
    const Outcome outcome = Export(fixture / (stem + ".pt2"), out, case_.opset);
    if (outcome.status != 0 && !case_.promised) {
      EXPECT_EQ(outcome.status, 1) << outcome.text;
      EXPECT_THAT(outcome.text, testing::HasSubstr("opset"));
      EXPECT_FALSE(fs::exists(out));
      return;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    const bool dynamic = case_.variant.starts_with("dynamic");
    Check(out, fixture / (Env("MODEL") + (dynamic ? ".dynamic.data" : ".data")));
    fs::remove(out);
    fs::remove(out.string() + ".log");
  }

 private:
  void Check(const fs::path& path, const fs::path& data) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(ReadFile(path)));
    ASSERT_EQ(model.opset_import(0).version(), case_.opset);
    ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true)) << "onnx::checker";
    auto inputs = ReadTensors(data, "input");
    const int weights = model.ir_version() < 4 ? model.graph().initializer_size() : 0;
    ASSERT_EQ(inputs.size(), static_cast<size_t>(model.graph().input_size() - weights));
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i].name = model.graph().input(static_cast<int>(i)).name();
    const auto response =
        ort::ClientFor(case_.opset).Run({.model_path = path.string(), .model_bytes = {}, .inputs = inputs});
    ASSERT_EQ(response.error, "");
    const auto expected = ReadTensors(data, "output");
    ASSERT_EQ(response.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const double scale = std::stod(Env("NOISE")) * std::max(1.0, ort::Largest(expected[i]));
      const ort::Tolerance tolerance = {.relative = 1e-3, .absolute = 1e-5 * scale};
      EXPECT_EQ(ort::Difference(response.outputs[i], expected[i], tolerance), "")
          << "output " << i << " " << response.outputs[i].name;
    }
  }

  Case case_;
};

void Register() {
  const fs::path fixture = Env("FIXTURE");
  std::istringstream opsets(Env("OPSETS"));
  for (int opset; opsets >> opset;) {
    for (const char* variant : {"", "decomposed", "dynamic", "dynamic.decomposed"}) {
      const std::string suffix = *variant == '\0' ? "" : std::string(".") + variant;
      if (!fs::exists(fixture / (Env("MODEL") + suffix + ".pt2"))) continue;
      const bool dynamic = suffix.starts_with(".dynamic");
      const Case c{variant, opset, opset >= std::stoi(Env(dynamic ? "SINCE_DYNAMIC" : "SINCE"))};
      const std::string name =
          (*variant == '\0' ? "exported" : std::string(variant)) + "/opset" + std::to_string(opset);
      testing::RegisterTest(Env("MODEL").c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [c]() -> testing::Test* { return new ModelTest(c); });
    }
  }
}

}  // namespace
}  // namespace onnxport

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  onnxport::Register();
  return RUN_ALL_TESTS();
}
