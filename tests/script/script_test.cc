// Exports the small programs of one theme with the library at several opsets. It checks each model with onnx::checker,
// and its node kinds, names and named axes. For every call it compares the results of ONNX Runtime with PyTorch.
//
// Environment: THEME, PROGRAMS (the folder of make_programs.py), ORT_RUNNER, ORT_RUNNER_NEW.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "onnxport/check_axes.h"
#include "onnxport/export.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"
#include "tests/ort/client.h"
#include "tests/script/program.h"
#include "tests/support/refusal.h"

namespace onnxport::script {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// How often each operator occurs, in blocks as well.
void CountKinds(const onnx::GraphProto& graph, std::map<std::string, int>* counts) {
  for (const onnx::NodeProto& node : graph.node()) {
    ++(*counts)[node.op_type()];
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) CountKinds(attribute.g(), counts);
    }
  }
}

// "Loop": at least one; "Loop:2": so many.
void CheckKind(const std::string& kind, const std::map<std::string, int>& counts) {
  const size_t colon = kind.find(':');
  const auto found = counts.find(kind.substr(0, colon));
  const int count = found == counts.end() ? 0 : found->second;
  if (colon == std::string::npos) {
    EXPECT_GE(count, 1) << kind;
  } else {
    EXPECT_EQ(count, std::stoi(kind.substr(colon + 1))) << kind;
  }
}

// The names of axes in `x=f32[batch,4]` stand in the model's input; that of a complex tensor has its parts behind them.
void CheckAxes(const std::string& text, const onnx::GraphProto& graph) {
  const size_t equals = text.find('=');
  const size_t open = text.find('[');
  if (open == std::string::npos || text.find("=list[") != std::string::npos) return;
  const std::string name = text.substr(0, equals);
  const auto input = std::find_if(graph.input().begin(), graph.input().end(),
                                  [&name](const onnx::ValueInfoProto& i) { return i.name() == name; });
  ASSERT_NE(input, graph.input().end()) << "no input is named " << name;
  std::string shape;
  for (const auto& dim : input->type().tensor_type().shape().dim()) {
    shape += (shape.empty() ? "" : ",") + (dim.has_dim_param() ? dim.dim_param() : std::to_string(dim.dim_value()));
  }
  const bool complex = text[equals + 1] == 'c';
  EXPECT_EQ("[" + shape + "]", text.substr(open, text.size() - open - 1) + (complex ? ",2]" : "]")) << text;
}

ExportOptions OptionsOf(const Program& program, int opset) {
  ExportOptions options;
  options.opset = opset;
  for (const std::string& text : program.inputs) {
    Result<Input> input = ParseInput(text);
    EXPECT_TRUE(input) << input.error().Text();
    if (input) options.inputs.push_back(*std::move(input));
  }
  options.method = program.method;
  options.trust_source = program.trust;
  options.complex = program.complex_as_real ? ComplexTensors::kAsReal : ComplexTensors::kRefused;
  return options;
}

class AxesTest : public testing::Test {
 public:
  explicit AxesTest(const Program* program) : program_(*program) {}

  void TestBody() override {
    const auto axes = CheckAxes(Source::File(program_.archive), OptionsOf(program_, kDefaultOpset));
    ASSERT_TRUE(axes) << axes.error().Text();
    std::vector<std::string> fixed;
    for (const AxisReport& axis : *axes) {
      const std::string name = axis.axis.input + " " + std::to_string(axis.axis.number);
      if (!axis.free) fixed.push_back(name);
      EXPECT_EQ(axis.free, axis.fixed_by.empty()) << name;
    }
    EXPECT_EQ(fixed, *program_.fixed_axes);
  }

 private:
  const Program& program_;
};

class ScriptTest : public testing::Test {
 public:
  ScriptTest(const Program* program, int opset) : program_(*program), opset_(opset) {}

  void TestBody() override {
    const fs::path out = fs::path(testing::TempDir()) / (program_.name + "." + std::to_string(opset_) + ".onnx");
    const Result<Model> model = Export(Source::File(program_.archive), OptionsOf(program_, opset_));
    if (!model) return CheckRefusal(model.error());
    ASSERT_TRUE(program_.refused.empty()) << "this must be refused";
    for (const std::string& text : program_.remarks) EXPECT_THAT(model->remarks(), testing::Contains(HasSubstr(text)));
    for (const std::string& text : program_.remarks_not)
      EXPECT_THAT(model->remarks(), testing::Not(testing::Contains(HasSubstr(text))));
    const auto saved = model->Save(out);
    ASSERT_TRUE(saved) << saved.error().Text();
    CheckModel(out);
    fs::remove(out);
  }

 private:
  void CheckRefusal(const Report& report) const {
    const std::string text = report.TextWithCodes();
    if (!program_.refused.empty()) {
      EXPECT_EQ(Name(report.kind()), program_.kind) << text;
      for (const std::string& part : program_.refused) EXPECT_THAT(text, HasSubstr(part));
      return;
    }
    ASSERT_LT(opset_, program_.since) << text;
    EXPECT_EQ(report.kind(), ErrorKind::kCannotExport) << text;
    EXPECT_GT(tests::PromisedOpset(text), opset_) << text;
    EXPECT_LE(tests::PromisedOpset(text), program_.since) << text;
  }

  void CheckModel(const fs::path& path) const {
    std::ifstream in(path, std::ios::binary);
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromIstream(&in));
    ASSERT_EQ(model.opset_import(0).version(), opset_);
    ASSERT_NO_THROW(onnx::checker::check_model(model, /*full_check=*/true)) << "onnx::checker";
    CheckStructure(model.graph());
    for (const Call& call : program_.calls) CheckCall(path, model, call);
  }

  void CheckStructure(const onnx::GraphProto& graph) const {
    std::map<std::string, int> counts;
    CountKinds(graph, &counts);
    for (const std::string& kind : program_.has) CheckKind(kind, counts);
    for (const std::string& kind : program_.has_not) CheckKind(kind + ":0", counts);
    for (const std::string& name : program_.weights) {
      EXPECT_EQ(std::count_if(graph.initializer().begin(), graph.initializer().end(),
                              [&name](const onnx::TensorProto& t) { return t.name() == name; }),
                1)
          << name;
    }
    for (const std::string& text : program_.inputs) CheckAxes(text, graph);
    if (program_.outputs.empty()) return;
    std::vector<std::string> names;
    for (const onnx::ValueInfoProto& output : graph.output()) names.push_back(output.name());
    EXPECT_EQ(names, program_.outputs);
  }

  void CheckCall(const fs::path& path, const onnx::ModelProto& model, const Call& call) const {
    SCOPED_TRACE("call " + std::to_string(&call - program_.calls.data()));
    std::vector<ort::Tensor> inputs = call.inputs;
    const int weights = model.ir_version() < 4 ? model.graph().initializer_size() : 0;
    ASSERT_EQ(inputs.size(), static_cast<size_t>(model.graph().input_size() - weights));
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i].name = model.graph().input(static_cast<int>(i)).name();
    const auto response =
        ort::ClientFor(opset_).Run({.model_path = path.string(), .model_bytes = {}, .inputs = inputs});
    ASSERT_EQ(response.error, "");
    ASSERT_EQ(response.outputs.size(), call.outputs.size());
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      const double scale = std::max(1.0, ort::Largest(call.outputs[i]));
      const ort::Tolerance tolerance = {.relative = 1e-4, .absolute = program_.tolerance * scale};
      EXPECT_EQ(ort::Difference(response.outputs[i], call.outputs[i], tolerance), "")
          << "output " << i << " " << response.outputs[i].name;
    }
  }

  const Program& program_;
  int opset_;
};

void Register(const std::string& name, const std::function<testing::Test*()>& make) {
  testing::RegisterTest(Env("THEME").c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__, make);
}

void Register(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    for (const int opset : program.opsets) {
      Register(program.name + "/opset" + std::to_string(opset),
               [&program, opset] { return new ScriptTest(&program, opset); });
    }
    if (program.fixed_axes) Register(program.name + "/axes", [&program] { return new AxesTest(&program); });
  }
}

}  // namespace
}  // namespace onnxport::script

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto programs = onnxport::script::ReadPrograms(onnxport::script::Env("PROGRAMS"));
  onnxport::script::Register(programs);
  return RUN_ALL_TESTS();
}
