// The command, as a user runs it: exports and verifies files of all kinds, and says so when a model is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnxport::verify {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Env(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Temporary(const std::string& name) { return fs::path(testing::TempDir()) / name; }

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Outcome {
  int status;
  std::string text;
};

Outcome Shell(const std::string& command) {
  const std::string log = Temporary("log");
  const int status = std::system((command + " >" + log + " 2>&1").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), ReadFile(log)};
}

Outcome Exporter(const std::string& words) { return Shell(Env("EXPORTER") + " " + words); }

// The model of an archive.
std::string Exported(const std::string& archive) {
  std::string model = Temporary("model.onnx");
  const Outcome outcome = Exporter("export " + archive + " -o " + model);
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  return model;
}

template <typename Message>
Message Parse(const std::string& path) {
  Message message;
  EXPECT_TRUE(message.ParseFromString(ReadFile(path))) << path;
  return message;
}

TEST(Verify, AgreesWithWhatItWasMadeOf) {
  const std::string folder = Env("CONTROL_FLOW");
  const std::string traced = Env("TRACED") + "/resnet18.torchscript.traced.pt";
  for (const std::string& archive :
       {Env("MNIST"), folder + "/nested_cond.dynamic.pt2", folder + "/nested_cond.decomposed.pt2", traced}) {
    const Outcome outcome = Exporter("verify " + Exported(archive) + " --against " + archive);
    EXPECT_EQ(outcome.status, 0) << archive << "\n" << outcome.text;
    EXPECT_TRUE(outcome.text.ends_with("\nagree\n")) << outcome.text;
  }
}

TEST(Verify, RunsAtTheSizesAndWithinTheRangesThatAreGiven) {
  const std::string tests = Temporary("tests");
  const Outcome outcome = Exporter("verify " + Exported(Env("MNIST")) + " --against " + Env("MNIST") +
                                   " --sizes s77=1,7 --range x=3,4 --save-tests " + tests);
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("s77=1\n  output float32[1,10]: agrees"));
  EXPECT_THAT(outcome.text, HasSubstr("s77=7\n  output float32[7,10]: agrees"));
  const auto input = Parse<onnx::TensorProto>(tests + "/test_data_set_1/input_0.pb");
  EXPECT_EQ(input.name(), "x");
  EXPECT_EQ(input.dims(0), 7);
  const auto* values = reinterpret_cast<const float*>(input.raw_data().data());
  for (size_t i = 0; i < input.raw_data().size() / sizeof(float); ++i) {
    ASSERT_GE(values[i], 3);
    ASSERT_LE(values[i], 4);
  }
  const auto output = Parse<onnx::TensorProto>(tests + "/test_data_set_0/output_0.pb");
  EXPECT_EQ(output.name(), "output");
  EXPECT_EQ(output.dims(0), 1);
}

TEST(Verify, SaysWhatDiffersInAWrongModel) {
  const std::string path = Exported(Env("MNIST"));
  auto model = Parse<onnx::ModelProto>(path);
  for (auto& weight : *model.mutable_graph()->mutable_initializer()) {
    if (weight.name() == "fc2.bias") (*weight.mutable_raw_data())[3] ^= 1;  // an exponent
  }
  std::ofstream(path, std::ios::binary) << model.SerializeAsString();
  const Outcome outcome = Exporter("verify " + path + " --against " + Env("MNIST"));
  EXPECT_EQ(outcome.status, 1) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("output float32[2,10] differs: "));
  EXPECT_THAT(outcome.text, HasSubstr("first at [0,0]: ONNX Runtime gives "));
  EXPECT_TRUE(outcome.text.ends_with("\ndiffer\n")) << outcome.text;
}

// The same models twice: weights in the file, and in another.
TEST(Verify, FindsTheCallWithWhichAWrongOutputBegins) {
  for (const std::string flags : {"--no-fold", "--no-fold --external-data always"}) {
    const std::string path = Temporary("bisect.onnx");
    ASSERT_EQ(Exporter("export " + Env("MNIST") + " " + flags + " -o " + path).status, 0);
    auto model = Parse<onnx::ModelProto>(path);
    const std::string right = model.SerializeAsString();
    for (auto& node : *model.mutable_graph()->mutable_node()) {
      if (node.op_type() == "Relu") node.set_op_type("Neg");
    }
    std::ofstream(path, std::ios::binary) << model.SerializeAsString();
    const std::string words = "verify " + path + " --against " + Env("MNIST") + " --bisect";
    const Outcome outcome = Exporter(words);
    EXPECT_EQ(outcome.status, 1) << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("\n  output begins to differ at aten::relu (")) << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("\n    node `")) << outcome.text;
    EXPECT_FALSE(fs::exists(path + ".bisect"));

    std::ofstream(path, std::ios::binary) << right;
    const Outcome agrees = Exporter(words);
    EXPECT_EQ(agrees.status, 0) << agrees.text;
    EXPECT_THAT(agrees.text, testing::Not(HasSubstr("begins to differ")));
  }
}

TEST(Verify, FindsTheElementsOfContainersByTheNamesOfInputs) {
  const std::string model = Temporary("containers.onnx");
  const std::pair<std::string, std::string> programs[] = {
      {Env("DICTS") + "/DictInputWithDots.pt",
       " --input 'd.observation.state=f32[n]' --input 'd.observation.images.top=f32[n,3]' --input 'd.=f32[n]'"
       " --input 'd.0 a=f32[n]'"},
      {Env("DICTS") + "/DictInputOfATrace.pt", ""},
      {Env("DICTS") + "/DictOfListsInput.pt",
       " --input 'd.a.b.0=f32[n]' --input 'd.a.b.1=f32[n]' --input 'd.a.0=f32[n]'"},
      {Env("CLASSES") + "/NamedTupleInput.pt", " --input 'p.left=f32[n]' --input 'p.right=f32[n]' --input p.count=4"},
  };
  for (const auto& [archive, inputs] : programs) {
    const std::string words = "export " + archive + inputs;
    ASSERT_EQ(Exporter(words + " -o " + model).status, 0) << archive;
    const std::string fixed = inputs.find("count") == inputs.npos ? "" : " --input p.count=4";
    const Outcome agrees = Exporter("verify " + model + " --against " + archive + fixed);
    EXPECT_EQ(agrees.status, 0) << archive << "\n" << agrees.text;
    // It gives the exporter the names that the exporter made.
    const Outcome axes = Exporter(words + " --check-axes");
    EXPECT_EQ(axes.status, 0) << archive << "\n" << axes.text;
  }
}

// The wrong model gives its state back as it was.
TEST(Verify, FollowsState) {
  const std::string model = Temporary("state.onnx");
  const std::pair<const char*, const char*> programs[] = {
      {"Cache.pt2", ""},
      {"Cache_decomposed.pt2", ""},
      {"Counter.pt2", ""},
      {"Counter_decomposed.pt2", ""},
      {"Halves.pt2", ""},
      {"Written.pt2", ""},
      {"Cache.pt", " --input 'x=f32[1,1,8]' --input 'position=i64[1]'"},
      {"Counter.pt", " --input 'x=f32[2,3]'"},
      {"Halves.pt", " --input 'x=f32[2,3]'"},
      {"Cell.pt", " --input 'x=f32[2,3]'"},
      {"Held.pt", " --input 'x=f32[2,3]'"},
      {"Norms.pt", " --input 'x=f32[2,3]' --training"},
      {"Branches.pt", " --input 'x=f32[2,3]'"},
      {"Written.pt", " --input 'x=f32[2,3]' --input 'cache=f32[2,3]'"},
  };
  for (const auto& [name, inputs] : programs) {
    const std::string archive = Env("STATE") + "/" + name;
    ASSERT_EQ(Exporter("export " + archive + inputs + " --state-as-io -o " + model).status, 0) << name;
    const std::string words = "verify " + model + " --against " + archive;
    const Outcome outcome = Exporter(words);
    EXPECT_EQ(outcome.status, 0) << name << "\n" << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr("run 3\n")) << name;
    EXPECT_THAT(outcome.text, HasSubstr(".next ")) << name;

    auto wrong = Parse<onnx::ModelProto>(model);
    for (const auto& pair : wrong.metadata_props()) {
      if (!pair.key().starts_with("onnxport.state.")) continue;
      for (auto& node : *wrong.mutable_graph()->mutable_node()) {
        for (auto& output : *node.mutable_output()) output = output == pair.value() ? output + ".unused" : output;
        for (auto& input : *node.mutable_input()) input = input == pair.value() ? input + ".unused" : input;
      }
      auto* node = wrong.mutable_graph()->add_node();
      node->set_op_type("Identity");
      node->add_input(pair.key().substr(std::string_view("onnxport.state.").size()));
      node->add_output(pair.value());
    }
    std::ofstream(model, std::ios::binary) << wrong.SerializeAsString();
    const Outcome differs = Exporter(words);
    EXPECT_EQ(differs.status, 1) << name << "\n" << differs.text;
  }
}

TEST(Verify, SaysWhatItCannotDo) {
  const std::string model = Exported(Env("MNIST"));
  auto with_state = Parse<onnx::ModelProto>(model);
  auto* pair = with_state.add_metadata_props();
  pair->set_key("onnxport.state.x");
  pair->set_value("output");
  const std::string state = Temporary("state.onnx");
  std::ofstream(state, std::ios::binary) << with_state.SerializeAsString();
  const std::string against = " --against " + Env("MNIST");
  const struct {
    std::string words;
    int status;
    const char* says;
  } cases[] = {
      {model, 2, "--against is required"},
      {model + against + " --sizes batch=1", 2, "the free axes are s77"},
      {model + against + " --range y=0,1", 2, "the model has no such input"},
      {model + against + " --input x=f32[1]", 2, "give a value"},
      {Env("MNIST") + against, 3, "neither an ONNX model"},
      {state + against + " --bisect", 2, "without --state-as-io"},
      {model + " --against " + Env("TRACED") + "/resnet18.torchscript.traced.pt --bisect", 2, "as a whole"},
      {model + " --against " + model, 3, "model.onnx"},
      {model + against + " --save-tests /dev/null/x", 4, "/dev/null/x"},
      {model + " --against " + Env("TRACED") + "/resnet18.torchscript.traced.pt", 5, "PyTorch: "},
  };
  for (const auto& test : cases) {
    const Outcome outcome = Exporter("verify " + test.words);
    EXPECT_EQ(outcome.status, test.status) << test.words << "\n" << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr(test.says)) << test.words;
  }
}

// Where something is missing from a release, the message says what was looked for, where, and what helps.
TEST(Verify, SaysWhatIsMissing) {
  const std::string words = "verify " + Exported(Env("MNIST")) + " --against " + Env("MNIST");
  const fs::path alone = Temporary("alone/exporter");
  fs::create_directories(alone.parent_path());
  fs::copy_file(Env("EXPORTER"), alone, fs::copy_options::overwrite_existing);
  const fs::path unloadable = Temporary("unloadable");
  std::ofstream(unloadable) << "#!/bin/sh\necho libtorch_cpu.so: cannot open >&2\nexit 127\n";
  fs::permissions(unloadable, fs::perms::owner_all);
  const struct {
    std::string command;
    const char* says;
  } cases[] = {
      {"PATH=/usr/bin " + alone.string() + " " + words, "alone or on PATH\nIt runs the program of PyTorch"},
      {Env("EXPORTER") + " " + words + " --verifier /nowhere/it", "cannot start /nowhere/it: No such file"},
      {"ONNXPORT_VERIFY=/nowhere/it " + Env("EXPORTER") + " " + words, "cmake -S PACKAGE/share/onnxport/verify"},
      {Env("EXPORTER") + " " + words + " --verifier " + unloadable.string(), "the LibTorch that it was compiled with"},
      {"ONNXPORT_ONNXRUNTIME=/nowhere/it " + Env("EXPORTER") + " " + words, "there is no program /nowhere/it"},
      {Env("EXPORTER") + " " + words + " --onnxruntime /nowhere/it.so", "ONNX Runtime: /nowhere/it.so: cannot open"},
  };
  for (const auto& test : cases) {
    const Outcome outcome = Shell(test.command);
    EXPECT_EQ(outcome.status, 5) << test.command << "\n" << outcome.text;
    EXPECT_THAT(outcome.text, HasSubstr(test.says)) << test.command;
  }
}

// The program that compares, on PATH.
TEST(Verify, FindsItsProgramOnPath) {
  const fs::path alone = Temporary("on_path/exporter");
  fs::create_directories(alone.parent_path());
  fs::copy_file(Env("EXPORTER"), alone, fs::copy_options::overwrite_existing);
  const std::string folder = fs::absolute(fs::path(Env("EXPORTER"))).parent_path();
  const Outcome outcome = Shell("PATH=" + folder + ":$PATH " + alone.string() + " verify " + Exported(Env("MNIST")) +
                                " --against " + Env("MNIST"));
  EXPECT_EQ(outcome.status, 0) << outcome.text;
}

}  // namespace
}  // namespace onnxport::verify
