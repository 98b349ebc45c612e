// Runs the command as users do: exit statuses, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "onnx/checker.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

class ExporterTest : public testing::Test {
 protected:
  ExporterTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const fs::path model = fs::absolute(std::getenv("MNIST"));
    fs::copy_file(model, folder_ / "mnist.pt2");
    std::ofstream(folder_ / "notes.txt") << "this is no model, whatever its name\n";
    std::ofstream(folder_ / "cut.pt2", std::ios::binary) << ReadFile(model).substr(0, fs::file_size(model) / 2);
    fs::create_directory(folder_ / "folder");
  }
  ~ExporterTest() override { fs::remove_all(folder_); }

  // Runs the command in the test's folder. `before` goes before it ("ulimit -f 1;").
  Outcome Run(const std::string& arguments, const std::string& before = "") const {
    static const std::string kExporter = fs::absolute(std::getenv("EXPORTER")).string();
    const std::string command = "cd '" + folder_.string() + "'; " + before + " '" + kExporter + "' " + arguments;
    const std::string out = (folder_.parent_path() / "out").string();
    const std::string err = (folder_.parent_path() / "err").string();
    const int status = std::system(("{ " + command + "; } >'" + out + "' 2>'" + err + "'").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(err)};
  }
  onnx::ModelProto Load(const std::string& name) const {
    onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromString(ReadFile(folder_ / name)));
    return model;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "exporter_test" / "work";
};

TEST_F(ExporterTest, ALineOnATerminalSaysWhatWasWritten) {
  const std::string terminal = "python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'";
  const Outcome told = Run("export mnist.pt2 -o m.onnx", terminal);
  EXPECT_EQ(told.status, 0);
  const std::regex line(R"(m\.onnx: \d+ nodes, opset 18, \w+: float32\[.*\], [\d.]+ [KM]B, \d+\.\d\d s)");
  EXPECT_TRUE(std::regex_search(told.out, line)) << told.out;
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx --quiet", terminal).out, "");
  const Outcome piped = Run("export mnist.pt2 -o m.onnx");
  EXPECT_EQ(piped.out + piped.err, "");
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx -q -v").status, 2);
}

TEST_F(ExporterTest, ReportsAreWrittenHoweverItEnds) {
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx --report done.json").status, 0);
  EXPECT_NE(ReadFile(folder_ / "done.json").find("\"result\": \"exported\""), std::string::npos);
  EXPECT_EQ(Run("export cut.pt2 -o m.onnx --report failed.sarif").status, 3);
  EXPECT_NE(ReadFile(folder_ / "failed.sarif").find("\"ruleId\": \"E0303\""), std::string::npos);
  EXPECT_EQ(Run("export mnist.pt2 -o /dev/null --report unwritten.md").status, 4);
  EXPECT_NE(ReadFile(folder_ / "unwritten.md").find("cannot_write"), std::string::npos);
}

TEST_F(ExporterTest, TheSameExportGivesTheSameReport) {
  for (const char* report : {"a.json", "b.json"}) {
    EXPECT_EQ(Run("export mnist.pt2 -o m.onnx --report " + std::string(report)).status, 0);
  }
  EXPECT_EQ(ReadFile(folder_ / "a.json"), ReadFile(folder_ / "b.json"));
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx -v --report timed.json").status, 0);
  EXPECT_NE(ReadFile(folder_ / "timed.json").find("\"ms\""), std::string::npos);
}

TEST_F(ExporterTest, ChecksModels) {
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx").status, 0);
  EXPECT_EQ(Run("check m.onnx").status, 0);
  EXPECT_EQ(Run("check m.onnx --max-seconds 0").status, 0);
  onnx::ModelProto model = Load("m.onnx");
  model.mutable_graph()->mutable_node(0)->set_op_type("Convv");
  std::ofstream(folder_ / "m.onnx", std::ios::binary) << model.SerializeAsString();
  const Outcome outcome = Run("check m.onnx");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("m.onnx breaks a rule of ONNX: No Op registered for Convv"), std::string::npos)
      << outcome.err;
}

TEST_F(ExporterTest, MakesATableOfReports) {
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx --report folder/m.json").status, 0);
  EXPECT_EQ(Run("export cut.pt2 -o c.onnx --report folder/c.json").status, 3);
  std::ofstream(folder_ / "folder" / "m.sha256") << "12ab  m.onnx\n";
  std::ofstream(folder_ / "list") << "folder/m.json\nfolder/c.json\n";
  EXPECT_EQ(Run("index folder/m.json folder/c.json --json one.json --html one.html").status, 0);
  EXPECT_EQ(Run("index @list --json two.json").status, 0);
  const std::string table = ReadFile(folder_ / "one.json");
  EXPECT_EQ(table, ReadFile(folder_ / "two.json"));
  EXPECT_NE(table.find("\"m.onnx\": \"12ab\""), std::string::npos) << table;
  EXPECT_NE(table.find("\"name\": \"folder/m\""), std::string::npos) << table;
  EXPECT_NE(ReadFile(folder_ / "one.html").find("<td>folder/c</td>"), std::string::npos);
  const Outcome strict = Run("index @list --all-exported --root folder");
  EXPECT_EQ(strict.status, 1);
  EXPECT_NE(strict.err.find("error[E0100]: 1 of 2 models were not exported:\n  c\n"), std::string::npos) << strict.err;
  EXPECT_EQ(Run("index missing.json").status, 3);
  EXPECT_EQ(Run("index notes.txt").status, 3);
  EXPECT_EQ(Run("index @list --json missing/x.json").status, 4);
}

TEST_F(ExporterTest, HelpFitsATerminal) {
  for (const char* command : {"", "export ", "apply-weights ", "inspect ", "ops ", "verify "}) {
    std::istringstream help(Run(command + std::string("--help")).out);
    bool any = false;
    for (std::string line; std::getline(help, line); any = true) {
      EXPECT_LE(line.size(), 80u) << command << line;
      EXPECT_FALSE(line.ends_with(' ')) << command << line;
      for (const char* word : {"ENUM", "{", "->", "Excludes"}) {
        EXPECT_EQ(line.find(word), line.npos) << command << line;
      }
    }
    EXPECT_TRUE(any) << command;
  }
  const std::string help = Run("export --help").out;
  for (const char* line : {"\n  exporter export scripted.pt --input 'x=f32[n,16]' --input steps=3\n",
                           "\n  xs=list[f32[n,4]]         of a .pt: a list of any length (an ONNX sequence)\n",
                           "\n      --opset N           The ONNX opset; "}) {
    EXPECT_NE(help.find(line), help.npos) << line << help;
  }
}

// Two builds of one version are told apart.
TEST_F(ExporterTest, VersionNamesTheBuild) {
  const std::string out = Run("--version").out;
  const std::regex line(R"(exporter [0-9.]+ \((commit [0-9a-f]{12}( with changes)?, )?linux-\w+(, release build)?\))");
  EXPECT_TRUE(std::regex_match(out.substr(0, out.find('\n')), line)) << out;
}

struct StatusCase {
  const char* arguments;
  int status;
  const char* text;  // on stdout for status 0, else on stderr
};

TEST_F(ExporterTest, ExitStatusesAndMessages) {
  const StatusCase kCases[] = {
      {"--version", 0, "exporter 0."},
      {"--version", 0, "operator schemas of LibTorch "},
      {"--help", 0, "inspect"},
      {"export --help", 0, "Example"},
      {"inspect --help", 0, "Example"},
      {"ops --help", 0, "Example"},
      {"ops relu", 0, "aten::relu "},
      {"ops size", 0, "aten::size "},
      {"ops aten::relu --opset 7", 0, "aten::relu "},
      {"ops aten::relu --json", 0, R"({"name":"aten::relu","first_opset":7,)"},
      {"ops aten::celu --opset 7 --json", 0, "[\n{"},
      {"inspect mnist.pt2", 0, "aten::conv2d"},
      {"export mnist.pt2 -o m.onnx", 0, ""},
      {"export mnist.pt2 --check-axes --input 'x=f32[n,1,28,28]'", 0, "x axis 0 (n): free"},
      {"export mnist.pt2 --check-axes --json", 0,
       R"({"input":"x","axis":0,"dtype":"float32","size":"s77","free":true)"},
      {"targets --json", 0, R"({"name":"coreml","title":)"},

      {"export mnist.pt2 -o m.onnx --input 'x=f32[n=2..8,1,28,28]' --output 'output=[n,10]'", 0, ""},
      {"export mnist.pt2 -o m.onnx --output 'output=[n,?]'", 1, "axis 1 of output 'output' is fixed to 10"},
      {"export mnist.pt2 -o m.onnx --input 'x=f32[batch,1,high,28]'", 1,
       "with axis 2 of input 'x' ('high', 28 in the file)"},

      {"", 2, "subcommand"},
      {"import", 2, "exporter: error[E0002]: "},
      {"export", 2, "MODEL is required"},
      {"export mnist.pt2 -o ''", 2, "names no file"},
      {"export mnist.pt2 -o m.onnx --opset 99", 2, "opset 99"},
      {"export mnist.pt2 -o m.onnx --opset 6", 2, "opset 6"},
      {"export mnist.pt2 -o m.onnx --opset new", 2, "--opset"},
      {"export mnist.pt2 -o m.onnx --external-data maybe", 2, "maybe not in {always,auto,never,safetensors}"},
      {"export mnist.pt2 -o m.onnx --disable-pass maybe", 2, "no pass `maybe`"},
      {"export mnist.pt2 -o m.onnx --disable-pass remove-dead --no-fold", 2, "excludes"},
      {"export mnist.pt2 -o m.onnx --compute-as bfloat16,x", 2, "--compute-as bfloat16,x: 'bfloat16,x' is neither"},
      {"export mnist.pt2 -o m.onnx --input-names a,b,c", 2, "--input-names gives 3"},
      {"export mnist.pt2 -o m.onnx --output-names ,", 2, "--output-names"},
      {"export mnist.pt2 -o m.onnx --input nothing=f32[1]", 2, "nothing"},
      {"export mnist.pt2 -o m.onnx --input 'x=f33[1]'", 2, "f33"},
      {"export mnist.pt2 -o mnist.pt2", 2, "mnist.pt2 is read for this model; name another output"},
      {"export mnist.pt2 -o m.onnx --and mnist.pt2", 2, "a .pt2 says itself which axes are free"},
      {"export mnist.pt2 -o m.onnx --and mnist.pt2 --check-axes", 2, "they are not tried here"},
      {"export mnist.pt2 --json", 2, "--check-axes"},
      {"export mnist.pt2 -o m.onnx --sizes n=2 --sizes n=3", 2, "more often than there are traces"},
      {"export mnist.pt2 -o m.onnx --sizes n", 2, "--sizes 'n': write NAME=SIZE"},
      {"export mnist.pt2 -o m.onnx --sizes n=2,n=3", 2, "--sizes 'n=2,n=3'"},
      {"export mnist.pt2 -o m.onnx --complex yes", 2, "--complex: yes not in {as-real,refused}"},
      {"export mnist.pt2 -o m.onnx --method encode", 2, "a .pt2 has one program, and no method 'encode'"},
      {"export mnist.pt2 --output m.onnx", 2, "a file is -o"},
      {"export mnist.pt2 -o m.onnx --output 'output=[n,11]'", 2, "axis 1 of output 'output' is 10, not 11"},
      {"export mnist.pt2 -o m.onnx --report r.txt", 2, "its name ends in .json, .md or .sarif"},
      {"export mnist.pt2 -o m.onnx --opset 99 --report r.json", 2, "opset 99"},
      {"export cut.pt2 -o m.onnx --report r.json", 3, "cut.pt2"},
      {"export mnist.pt2 -o m.onnx --report missing/r.json", 4, "cannot write missing/r.json: folder missing"},
      {"ops rellu", 2, "did you mean aten::relu"},
      {"ops relu --opset 6", 2, "opset 6"},

      // refused before the file is read
      {"export missing.pt2 -o m.onnx --disable-pass maybe", 2, "no pass `maybe`"},
      {"export missing.pt2 -o m.onnx --output-names a,a", 2, "`a` is given twice"},

      {"export missing.pt2 -o m.onnx", 3, "missing.pt2"},
      {"export cut.pt2 -o m.onnx", 3, "cut.pt2"},
      {"export notes.txt -o m.onnx", 3, "notes.txt"},
      {"export folder -o m.onnx", 3, "folder"},
      {"inspect notes.txt", 3, "neither an ONNX model nor an archive"},
      {"inspect missing.onnx", 3, "No such file"},
      {"inspect cut.pt2", 3, "cut.pt2"},

      {"export mnist.pt2 -o folder", 4, "is a folder"},
      {"export mnist.pt2 -o missing/m.onnx", 4, "No such file"},
      {"export mnist.pt2 -o /dev/null", 4, "not a regular file"},
      {"ops >/dev/full", 4, "cannot write"},
  };
  for (const StatusCase& test : kCases) {
    const Outcome outcome = Run(test.arguments);
    EXPECT_EQ(outcome.status, test.status) << test.arguments << "\n" << outcome.err;
    const std::string& text = test.status == 0 ? outcome.out : outcome.err;
    EXPECT_NE(text.find(test.text), std::string::npos) << test.arguments << "\n" << text;
    if (test.status == 0) {
      EXPECT_EQ(outcome.err, "") << test.arguments;
    } else {
      EXPECT_TRUE(outcome.err.starts_with("exporter: error[E0") || outcome.err.starts_with("exporter: error: "))
          << test.arguments << "\n"
          << outcome.err;
    }
  }
}

TEST_F(ExporterTest, ErrorsHaveCodes) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx").status, 0);
  fs::copy_file(folder_ / "m.onnx", folder_ / "cut.onnx");
  fs::resize_file(folder_ / "cut.onnx", fs::file_size(folder_ / "cut.onnx") / 2);
  const struct {
    const char* arguments;
    const char* number;
  } kCases[] = {
      {"import", "E0002"},
      {"export mnist.pt2 --sizes n=2 --sizes n=3", "E0002"},
      {"export mnist.pt2 --disable-pass maybe", "E0004"},
      {"export mnist.pt2 --target maybe", "E0004"},
      {"export mnist.pt2 --method encode", "E0004"},
      {"export mnist.pt2 --target-notes", "E0005"},
      {"export mnist.pt2 --and mnist.pt2 --check-axes", "E0005"},
      {"export mnist.pt2 --input 'x=f33[1]'", "E0006"},
      {"export mnist.pt2 --input nothing=f32[1]", "E0007"},
      {"export mnist.pt2 --output 'output=[n,11]'", "E0009"},
      {"export mnist.pt2 --output-names a,a", "E0010"},
      {"export mnist.pt2 --opset 99", "E0011"},
      {"export mnist.pt2 --map x", "E0012"},
      {"export mnist.pt2 --and mnist.pt2", "E0013"},
      {"export mnist.pt2 -o mnist.pt2", "E0014"},
      {"export mnist.pt2 --output 'output=[n,?]'", "E0104"},
      {"export missing.pt2", "E0301"},
      {"export folder", "E0301"},
      {"export cut.pt2", "E0303"},
      {"inspect notes.txt", "E0304"},
      {"check cut.onnx", "E0307"},
      {"export mnist.pt2 -o folder", "E0400"},
      {"export mnist.pt2 --memory-budget 1000", "E0401"},
      {"explain E01044", "E0004"},
      {"verify m.onnx --against mnist.pt2 --verifier missing", "E0015"},
      {"verify m.onnx --against mnist.pt2 --verifier killed", "E0406"},
  };
  std::ofstream(folder_ / "killed") << "#!/bin/sh\nkill -9 $$\n";
  fs::permissions(folder_ / "killed", fs::perms::owner_all);
  for (const auto& test : kCases) {
    const Outcome outcome = Run(test.arguments);
    EXPECT_TRUE(outcome.err.starts_with(std::string("exporter: error[") + test.number + "]: "))
        << test.arguments << "\n"
        << test.number << "\n"
        << outcome.err;
  }
}

TEST_F(ExporterTest, ExplainsCodes) {
  const Outcome one = Run("explain e0104");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_TRUE(one.out.starts_with("E0104: An axis that should be free has one size\n\n")) << one.out;
  for (const char* part : {"\n\nExample:\n  ", "\n\nWay out:\n  "}) EXPECT_NE(one.out.find(part), std::string::npos);
  const Outcome all = Run("explain");
  EXPECT_NE(all.out.find("E0104  An axis that should be free has one size\n"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("\nW0600  "), std::string::npos) << all.out;
  EXPECT_TRUE(Run("explain E0104 --json")
                  .out.starts_with(R"([)"
                                   "\n"
                                   R"({"code":"E0104","title":)"));
  const Outcome unknown = Run("explain E01044");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("there is no code 'E01044'; did you mean E0104?"), std::string::npos) << unknown.err;
  EXPECT_EQ(Run("explain nothing").status, 2);
}

// A message that cannot be written does not change the result, and never goes into the model.
TEST_F(ExporterTest, NeedsNoErrorStream) {
  for (const char* redirection : {"2>/dev/full", "2>&-", "2>&- >&- <&-"}) {
    fs::remove(folder_ / "m.onnx");
    EXPECT_EQ(Run(std::string("export mnist.pt2 -o m.onnx -v ") + redirection).status, 0) << redirection;
    EXPECT_GT(Load("m.onnx").graph().node_size(), 0) << redirection;
    EXPECT_EQ(Run(std::string("export cut.pt2 -o n.onnx ") + redirection).status, 3) << redirection;
    EXPECT_EQ(Run(std::string("export --unknown ") + redirection).status, 2) << redirection;
  }
}

// Every option that names an input file. A pipe may have no writer, and a device may have no end.
TEST_F(ExporterTest, ReadsRegularFilesOnly) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx --report r.json").status, 0);
  ASSERT_EQ(std::system(("mkfifo '" + (folder_ / "pipe").string() + "'").c_str()), 0);
  fs::copy_file(folder_ / "r.json", folder_ / "s.json");
  fs::create_symlink("pipe", folder_ / "s.sha256");
  for (const std::string file : {"pipe", "/dev/zero", "folder", "missing"}) {
    for (const std::string command :
         {"export FILE -o n.onnx", "export mnist.pt2 -o n.onnx --weights FILE", "export mnist.pt2 -o n.onnx --and FILE",
          "inspect FILE", "inspect FILE --html n.html", "inspect mnist.pt2 --weights FILE", "check FILE",
          "check FILE --max-seconds 0", "apply-weights FILE --weights FILE", "apply-weights m.onnx --weights FILE",
          "index FILE", "index @FILE", "index r.json FILE"}) {
      std::string words = command;
      for (size_t at; (at = words.find("FILE")) != std::string::npos;) words.replace(at, 4, file);
      const Outcome outcome = Run(words, "timeout 20");
      // The other file of `--and` is no trace, and that error comes first.
      EXPECT_EQ(outcome.status, command.find("--and") == std::string::npos ? 3 : 2) << words << outcome.err;
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
      if (outcome.status == 3) EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
    }
  }
  const Outcome sums = Run("index s.json", "timeout 20");
  EXPECT_EQ(sums.status, 3);
  EXPECT_NE(sums.err.find("s.sha256 is no regular file"), std::string::npos) << sums.err;
  EXPECT_FALSE(fs::exists(folder_ / "n.onnx"));
}

TEST_F(ExporterTest, IndexNamesTheFileThatIsNoReport) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx --report r.json").status, 0);
  std::string report = ReadFile(folder_ / "r.json");
  report.replace(report.find("\"exported\""), 10, "7");
  std::ofstream(folder_ / "number.json") << report;
  std::ofstream(folder_ / "deep.json") << std::string(100'000, '[');
  fs::copy_file(folder_ / "r.json", folder_ / "\xff.json");
  for (const char* name : {"number", "deep", "\xff"}) {
    const Outcome outcome = Run("index r.json " + std::string(name) + ".json --json i.json");
    EXPECT_EQ(outcome.status, 3) << name;
    EXPECT_NE(outcome.err.find(name == std::string("\xff") ? "\\xff: its name is no UTF-8" : name), std::string::npos)
        << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / "i.json"));
}

TEST_F(ExporterTest, NamesDoNotSteerTheTerminal) {
  const Outcome outcome = Run("export \"$(printf 'a\\033[2Jb')\" -o m.onnx");
  EXPECT_EQ(outcome.err.find('\033'), std::string::npos) << outcome.err;
}

// The name of the model's file may be strange, but ONNX must accept the name of its data file.
TEST_F(ExporterTest, DataFilesHavePlainNames) {
  EXPECT_EQ(Run("export mnist.pt2 --external-data always -o 'a..b\\c.onnx'").status, 0);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".data")) continue;
    EXPECT_EQ(name.rfind("a._b_c.", 0), 0u) << name;
  }
}

TEST_F(ExporterTest, FailuresLeaveNothing) {
  const auto files = [this] { return std::distance(fs::directory_iterator(folder_), {}); };
  const auto before = files();
  EXPECT_EQ(Run("export cut.pt2 -o m.onnx").status, 3);
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx", "ulimit -f 1;").status, 4);
  EXPECT_EQ(Run("export mnist.pt2 -o m.onnx --external-data always", "ulimit -f 1;").status, 4);
  EXPECT_EQ(files(), before);
}

TEST_F(ExporterTest, WritesEveryOpsetThatTheLinkedOnnxKnows) {
  const int newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at(onnx::ONNX_DOMAIN).second;
  for (int opset = 7; opset <= newest; ++opset) {
    const Outcome outcome = Run("export mnist.pt2 -o m.onnx --opset " + std::to_string(opset));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const onnx::ModelProto model = Load("m.onnx");
    onnx::checker::check_model(model);
    EXPECT_EQ(model.opset_import(0).version(), opset);
  }
}

TEST_F(ExporterTest, LeavesTheProgramAsItIs) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx").status, 0);
  ASSERT_EQ(Run("export mnist.pt2 -o n.onnx --no-fold").status, 0);
  const onnx::ModelProto as_it_is = Load("n.onnx");
  onnx::checker::check_model(as_it_is);
  EXPECT_GT(as_it_is.graph().node_size(), Load("m.onnx").graph().node_size());
}

TEST_F(ExporterTest, NamesInputsAndOutputs) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx --input-names picture --output-names scores").status, 0);
  const onnx::ModelProto model = Load("m.onnx");
  EXPECT_EQ(model.graph().input(0).name(), "picture");
  EXPECT_EQ(model.graph().output(0).name(), "scores");
}

TEST_F(ExporterTest, WritesADataFileBesideTheModel) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx --external-data always").status, 0);
  const std::string first = ReadFile(folder_ / "m.onnx");
  onnx::checker::check_model((folder_ / "m.onnx").string());
  ASSERT_EQ(Run("export mnist.pt2 -o folder/m.onnx --external-data always").status, 0);
  EXPECT_EQ(ReadFile(folder_ / "folder" / "m.onnx"), first);
}

TEST_F(ExporterTest, NotWaitingForTheDiskChangesNoByte) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx").status, 0);
  ASSERT_EQ(Run("export mnist.pt2 -o n.onnx --no-sync").status, 0);
  EXPECT_EQ(ReadFile(folder_ / "m.onnx"), ReadFile(folder_ / "n.onnx"));
}

TEST_F(ExporterTest, HasADefaultOutputInTheUsersFolder) {
  ASSERT_EQ(Run("export ../mnist.pt2", "export BUILD_WORKING_DIRECTORY=\"$PWD/folder\";").status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "folder" / "mnist.onnx"));
}

TEST_F(ExporterTest, SaysMoreWhenAsked) {
  const Outcome outcome = Run("export mnist.pt2 -o m.onnx -v");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("ms  trace"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("m.onnx: "), std::string::npos) << outcome.err;
}

TEST_F(ExporterTest, ShowsWhatItWrote) {
  ASSERT_EQ(Run("export mnist.pt2 -o m.onnx").status, 0);
  const Outcome outcome = Run("inspect m.onnx");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("= Conv <"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("not shown"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace onnxport::cli
