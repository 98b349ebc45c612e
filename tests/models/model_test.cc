// Exports one model fixture with the real command at several opsets, checks each file with onnx::checker, runs it in
// ONNX Runtime and compares with what eager PyTorch gave.
//
// make/make_model.py describes the fixture's folder. Environment:
//
//   MODEL, FIXTURE    the model and its folder
//   EXPORTER          the command
//   CASES             `VARIANT:OPSET,...`, separated by blanks
//   SINCE             the opset from which on the static variants must export; SINCE_DYNAMIC and SINCE_TORCHSCRIPT are
//                     those of the dynamic and of the `.pt` variants. Below it, a report is right, too, if it promises
//                     an opset up to this one.
//   REFUSED           the report's text if no opset will do
//   RUN_UNTIL         the last opset at which ONNX Runtime has all kernels
//   NOISE             a factor on the absolute tolerance
//   SKIPPED           skipped.txt
//   ORT_RUNNER, ORT_RUNNER_NEW
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"
#include "tests/known_wrong/known_wrong.h"
#include "tests/models/fixture.h"
#include "tests/ort/client.h"
#include "tests/support/refusal.h"

namespace onnxport::models {
namespace {

namespace fs = std::filesystem;

// One archive and how to export it.
struct Variant {
  std::string name;
  std::string archive;  // NAME of the model before it
  std::string data;     // the same
  bool named = false;   // with the texts of NAME.torchscript.inputs
  std::string since;    // environment variable
};

const std::vector<Variant>& Variants() {
  static const std::vector<Variant> variants = {
      {"exported", ".pt2", ".data", false, "SINCE"},
      {"decomposed", ".decomposed.pt2", ".data", false, "SINCE"},
      {"dynamic", ".dynamic.pt2", ".dynamic.data", false, "SINCE_DYNAMIC"},
      {"dynamic.decomposed", ".dynamic.decomposed.pt2", ".dynamic.data", false, "SINCE_DYNAMIC"},
      // At the sizes that the trace recorded, and with named axes at other sizes.
      {"traced", ".torchscript.traced.pt", ".torchscript.data", false, "SINCE_TORCHSCRIPT"},
      {"traced.named", ".torchscript.traced.pt", ".torchscript.named.data", true, "SINCE_TORCHSCRIPT"},
      {"scripted", ".torchscript.scripted.pt", ".torchscript.named.data", true, "SINCE_TORCHSCRIPT"},
  };
  return variants;
}

struct Case {
  Variant variant;
  int opset;
  int since;
};

class ModelTest : public testing::Test {
 public:
  explicit ModelTest(Case c) : case_(std::move(c)) {}

  void TestBody() override {
    const fs::path fixture = Env("FIXTURE");
    const std::string stem = fixture / Env("MODEL");
    const std::string archive = stem + case_.variant.archive;
    if (IsSkipped(archive)) GTEST_SKIP() << ReadFile(archive + ".why");
    const std::string name = Env("MODEL") + "." + case_.variant.name + "." + std::to_string(case_.opset) + ".onnx";
    const fs::path out = fs::path(testing::TempDir()) / name;
    const Outcome outcome = Export(archive + InputTexts(stem), out, case_.opset);
    if (outcome.status != 0 && case_.opset < case_.since) {
      EXPECT_EQ(outcome.status, 1) << outcome.text;
      CheckRefusal(outcome.text);
      EXPECT_FALSE(fs::exists(out));
      return;
    }
    ASSERT_EQ(outcome.status, 0) << outcome.text;
    Check(out, stem + case_.variant.data);
    fs::remove(out);
    fs::remove(out.string() + ".log");
  }

 private:
  // skipped.txt lists exactly the archives that the fixture lacks, with the reason.
  static bool IsSkipped(const fs::path& archive) {
    const fs::path why = archive.string() + ".why";
    std::ifstream file(Env("SKIPPED"));
    std::string listed;
    for (const Excused& skipped : ReadExcused(file)) {
      if (skipped.line == archive.filename()) listed = skipped.reason + "\n";
    }
    EXPECT_EQ(listed, ReadFile(why)) << archive.filename() << " and " << Env("SKIPPED");
    return fs::exists(why);
  }

  // For what no opset can express REFUSED is in the message; anything else names the opset that would do.
  void CheckRefusal(const std::string& report) const {
    const std::string refused = Env("REFUSED");
    if (!refused.empty()) {
      EXPECT_THAT(report, testing::HasSubstr(refused));
      return;
    }
    EXPECT_GT(tests::PromisedOpset(report), case_.opset) << report;
    EXPECT_LE(tests::PromisedOpset(report), case_.since) << report;
  }

  std::string InputTexts(const std::string& stem) const {
    if (!case_.variant.named) return "";
    std::ifstream in(stem + ".torchscript.inputs");
    std::string texts;
    for (std::string line; std::getline(in, line);) texts += " --input '" + line + "'";
    EXPECT_NE(texts, "");
    return texts;
  }

  void Check(const fs::path& path, const fs::path& data) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(ReadFile(path)));
    ASSERT_EQ(model.opset_import(0).version(), case_.opset);
    ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true)) << "onnx::checker";
    if (case_.opset > std::min(std::stoi(Env("RUN_UNTIL")), ort::kNewestOpset)) return;
    const auto response = RunModel(path, model, ReadTensors(data, "input"));
    ASSERT_EQ(response.error, "");
    const auto expected = ReadTensors(data, "output");
    ASSERT_EQ(response.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NE(expected[i].bytes, "") << "output " << i << ": nothing to compare, as when a detector finds no box";
      const double scale = std::stod(Env("NOISE")) * std::max(1.0, ort::Largest(expected[i]));
      const ort::Tolerance tolerance = {.relative = 1e-3, .absolute = 1e-5 * scale};
      EXPECT_EQ(ort::Difference(response.outputs[i], expected[i], tolerance), "")
          << "output " << i << " " << response.outputs[i].name;
    }
  }

  Case case_;
};

// "dynamic:9,13,18"
void Register(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const auto variant =
      std::find_if(Variants().begin(), Variants().end(), [&name](const Variant& v) { return v.name == name; });
  if (variant == Variants().end()) throw std::invalid_argument("no variant is named " + name);
  std::istringstream opsets(text.substr(colon + 1));
  for (std::string opset; std::getline(opsets, opset, ',');) {
    const Case c{*variant, std::stoi(opset), std::stoi(Env(variant->since.c_str()))};
    testing::RegisterTest(Env("MODEL").c_str(), (name + "/opset" + opset).c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [c]() -> testing::Test* { return new ModelTest(c); });
  }
}

}  // namespace
}  // namespace onnxport::models

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::istringstream cases(onnxport::models::Env("CASES"));
  for (std::string text; cases >> text;) onnxport::models::Register(text);
  return RUN_ALL_TESTS();
}
