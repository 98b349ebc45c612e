// Whatever the command writes, it loses nothing and leaves nothing half written. The tests take every option that names
// a file from the command's own description. They give it a name that something else has, and let the write fail.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "onnxport/options.h"
#include "runtime/cli/command_line.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

// The options that read a file. A flag names no file.
const std::set<std::string> kReads = {
    "export MODEL",        "export --and",         "export --weights",
    "apply-weights MODEL", "inspect FILE",         "apply-weights --weights",
    "inspect --weights",   "check MODEL",          "index REPORT",
    "verify MODEL",        "verify --against",     "verify --inputs",
    "verify --load",       "verify --onnxruntime", "verify --verifier",
};
const std::set<std::string> kWrites = {
    "export --out", "export --report", "apply-weights --out", "inspect --html", "index --json", "index --html",
};
// Writes files of fixed names below a folder: //tests/weights:inputs_test.
const std::set<std::string> kWritesBelow = {"verify --save-tests"};
const std::set<std::string> kNoFiles = {
    "explain CODE",
    "export --input",
    "export --output",
    "export --map",
    "export --domain",
    "export --keep",
    "export --method",
    "export --complex",
    "export --max-seconds",
    "export --sizes",
    "export --opset",
    "export --target",
    "export --input-names",
    "export --output-names",
    "export --parameter-names",
    "export --float32",
    "export --weights-as",
    "export --weights-keep",
    "export --compute-as",
    "export --memory-budget",
    "inspect --memory-budget",
    "export --external-data",
    "export --disable-pass",
    "inspect --input",
    "inspect --map",
    "inspect --domain",
    "inspect --keep",
    "inspect --method",
    "inspect --complex",
    "check --max-seconds",
    "inspect --max-seconds",
    "ops NAME",
    "ops --opset",
    "verify --sizes",
    "verify --range",
    "verify --seed",
    "verify --input",
    "verify --atol",
    "verify --rtol",
    "index --title",
    "apply-weights --external-data",
    "index --root",
};

// "export --out" ...
std::vector<std::string> OptionsOfTheCommand() {
  char* none = nullptr;
  const CommandLine line(&none);
  std::vector<std::string> found;
  for (const CLI::App* command : line.app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_expected_min() == 0) continue;  // a flag
      const auto& names = option->get_lnames();
      found.push_back(command->get_name() + " " + (names.empty() ? option->get_name() : "--" + names.front()));
    }
  }
  return found;
}

TEST(Options, AreAllKnownToThisTest) {
  std::set<std::string> known;
  for (const auto* some : {&kReads, &kWrites, &kWritesBelow, &kNoFiles}) known.insert(some->begin(), some->end());
  std::set<std::string> found;
  for (const std::string& option : OptionsOfTheCommand()) {
    found.insert(option);
    EXPECT_TRUE(known.contains(option)) << option << ": does it name a file? Say so above, and test it below";
  }
  for (const std::string& option : known) EXPECT_TRUE(found.contains(option)) << option << " is no option any more";
}

// The command must register every row of the table, else the option has no flag.
TEST(Options, EachFlagOfTheTableIsOneOfExport) {
  char* none = nullptr;
  const CommandLine line(&none);
  const CLI::App* command = line.app.get_subcommand("export");
  for (const OptionInfo& option : ListOptions()) {
    if (!option.flag.empty()) EXPECT_NE(command->get_option_no_throw(option.flag), nullptr) << option.name;
  }
}

// A command that succeeds. OUT stands for its output. `reads` are its input files, by option.
struct Case {
  std::string option;  // the option under test
  std::string words;
  std::string name;  // OUT's name in general
  std::vector<std::pair<std::string, std::string>> reads;
  std::vector<std::string> others;  // further files that the command writes
  bool in_place = false;            // the output may replace an input
};

const std::vector<Case> kCases = {
    {"export --out",
     "export first.pt2 --weights second_state.pt --report also.json -o OUT",
     "new.onnx",
     {{"MODEL", "first.pt2"}, {"--weights", "second_state.pt"}},
     {"also.json"}},
    {"export --out",
     "export first.pt --and traced.pt --input 'x=f32[batch,4]' --sizes batch=2 --sizes batch=3 -o OUT",
     "new.onnx",
     {{"--and", "traced.pt"}},
     {}},
    {"export --report",
     "export first.pt2 --weights second_state.json -o also.onnx --external-data safetensors --report OUT",
     "new.json",
     {{"--weights", "second_state.json"}},
     {"also.onnx", "also.DATA"}},
    {"export --report", "export model.json -o also.onnx --report OUT", "new.json", {{"MODEL", "model.json"}}, {}},
    {"export --report",
     "export first.pt --and traced.json --input 'x=f32[batch,4]' --sizes batch=2 --sizes batch=3 -o also.onnx "
     "--report OUT",
     "new.json",
     {{"--and", "traced.json"}},
     {}},
    {"apply-weights --out",
     "apply-weights m.onnx --weights second.safetensors -o OUT",
     "new.onnx",
     {{"--weights", "second.safetensors"}, {"the data of MODEL", "m.DATA"}},
     {}},
    {"apply-weights --out",
     "apply-weights m.onnx --weights second.safetensors -o OUT",
     "new.onnx",
     {{"MODEL", "m.onnx"}},
     {},
     true},
    {"inspect --html",
     "inspect m.onnx --html OUT",
     "new.html",
     {{"FILE", "m.onnx"}, {"the data of FILE", "m.DATA"}},
     {}},
    {"inspect --html",
     "inspect m.onnx --weights second_state.pt --html OUT",
     "new.html",
     {{"--weights", "second_state.pt"}},
     {}},
    {"index --json",
     "index @list good.json --html also.html --json OUT",
     "new.json",
     {{"REPORT", "good.json"}, {"@REPORT", "list"}, {"REPORT of a list", "listed.json"}, {"sums", "good.sha256"}},
     {"also.html"}},
    {"index --html",
     "index @list good.json --json also.json --html OUT",
     "new.html",
     {{"REPORT", "good.json"}, {"@REPORT", "list"}, {"REPORT of a list", "listed.json"}, {"sums", "good.sha256"}},
     {"also.json"}},
};

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Outputs : public testing::TestWithParam<Case> {
 protected:
  Outputs() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "folder");
    for (const fs::directory_entry& file : fs::directory_iterator(std::getenv("MODELS"))) {
      fs::copy_file(file.path(), folder_ / file.path().filename());
    }
    fs::copy_file(folder_ / "first.pt", folder_ / "traced.pt");
    fs::copy_file(folder_ / "first.pt", folder_ / "traced.json");
    fs::copy_file(folder_ / "first.pt2", folder_ / "model.json");
    fs::copy_file(folder_ / "second_state.pt", folder_ / "second_state.json");
    EXPECT_EQ(Run("export first.pt2 --no-fold --external-data safetensors -o m.onnx --report good.json"), 0);
    fs::copy_file(folder_ / "good.json", folder_ / "listed.json");
    std::ofstream(folder_ / "list") << "listed.json\n";
    std::ofstream(folder_ / "good.sha256") << "12ab  m.onnx\n";
  }
  ~Outputs() override { fs::remove_all(folder_); }

  // Returns the exit status. Messages go to a pipe, because limits of file sizes do not apply to pipes.
  int Run(const std::string& words, const std::string& before = "") {
    static const std::string kExporter = fs::absolute(std::getenv("EXPORTER")).string();
    const std::string command = "cd '" + folder_.string() + "'; " + before + " '" + kExporter + "' " + words + " 2>&1";
    FILE* pipe = ::popen(command.c_str(), "r");
    said_.clear();
    char bytes[4096];
    for (size_t count; (count = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;) said_.append(bytes, count);
    const int status = ::pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // Runs the words with `out` as the file of the option.
  int RunWith(const std::string& out, const std::string& before = "") {
    std::string words = GetParam().words;
    return Run(words.replace(words.rfind("OUT"), 3, out), before);
  }
  // A hash of the bytes replaces DATA in "m.DATA".
  std::string Real(const std::string& name) const {
    if (!name.ends_with(".DATA")) return name;
    const std::string stem = name.substr(0, name.size() - 4);
    for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
      const std::string found = file.path().filename().string();
      if (found.starts_with(stem) && found.ends_with(".safetensors")) return found;
    }
    ADD_FAILURE() << "there is no " << name;
    return name;
  }
  // Every path, with its contents.
  std::map<std::string, std::string> Contents() const {
    std::map<std::string, std::string> contents;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_)) {
      const std::string path = file.path().lexically_relative(folder_).string();
      if (file.is_symlink()) {
        contents[path] = "-> " + fs::read_symlink(file.path()).string();
      } else {
        contents[path] = file.is_regular_file() ? ReadFile(file.path()) : "no file";
      }
    }
    return contents;
  }
  // Other outputs of the command are left out: they may be complete when another file fails.
  void ExpectNothingChanged(std::map<std::string, std::string> before) const {
    std::map<std::string, std::string> now = Contents();
    const auto is_other = [](const auto& file) { return file.first.starts_with("also."); };
    std::erase_if(now, is_other);
    std::erase_if(before, is_other);
    for (const auto& [path, held] : before) {
      ASSERT_TRUE(now.contains(path)) << path << " is gone; " << said_;
      EXPECT_TRUE(now[path] == held) << path << " was written to; " << said_;
    }
    for (const auto& [path, held] : now) EXPECT_TRUE(before.contains(path)) << path << " was left; " << said_;
  }
  // Expects a failure with that status (0: either usage or an output that cannot be written), and unchanged files.
  void ExpectRefused(const std::string& out, int status, const std::string& limit = "") {
    SCOPED_TRACE(GetParam().words + " with " + out);
    const auto before = Contents();
    const int got = RunWith(out, limit);
    EXPECT_TRUE(got == status || (status == 0 && (got == 2 || got == 4))) << got << " " << said_;
    ExpectNothingChanged(before);
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "outputs_test" / "work";
  std::string said_;
};

TEST_P(Outputs, AreNoneOfTheInputs) {
  for (const auto& [option, name] : GetParam().reads) {
    const std::string file = Real(name);
    const std::string end = fs::path(GetParam().name).extension().string();
    if (GetParam().in_place) {
      EXPECT_EQ(RunWith("folder/../" + file), 0) << said_;
      continue;
    }
    // The ending of a report's name chooses its format, so another ending would be refused for that reason.
    if (GetParam().option != "export --report" || file.ends_with(".json")) {
      for (const std::string& spelling : {file, "./" + file, "folder/../" + file, (folder_ / file).string()}) {
        ExpectRefused(spelling, 2);
      }
    }
    fs::create_hard_link(folder_ / file, folder_ / ("hard" + end));
    ExpectRefused("hard" + end, 2);
    fs::remove(folder_ / ("hard" + end));
    fs::create_symlink(file, folder_ / ("soft" + end));
    ExpectRefused("soft" + end, 0);
    fs::remove(folder_ / ("soft" + end));
  }
}

TEST_P(Outputs, AreNoneOfEachOther) {
  for (const std::string& other : GetParam().others) {
    if (other.ends_with(".DATA")) continue;  // its name is known only after the run
    // The name ends as the other option needs it. The model accepts any ending.
    if (GetParam().option == "export --report") continue;  // the other option's case tests the same pair
    for (const std::string& spelling : {other, "./" + other, "folder/../" + other, (folder_ / other).string()}) {
      ExpectRefused(spelling, 2);
    }
    std::ofstream(folder_ / other) << "old";
    fs::create_hard_link(folder_ / other, folder_ / "hard");
    ExpectRefused("hard", 2);
    EXPECT_EQ(ReadFile(folder_ / other), "old");
    fs::remove(folder_ / "hard");
    fs::remove(folder_ / other);
  }
}

TEST_P(Outputs, GoToNoLinkAndToNothingButFiles) {
  const std::string end = fs::path(GetParam().name).extension().string();
  std::ofstream(folder_ / "elsewhere") << "old";
  fs::create_symlink("elsewhere", folder_ / ("link" + end));
  fs::create_symlink("nowhere", folder_ / ("dangling" + end));
  fs::create_directory(folder_ / ("a_folder" + end));
  ASSERT_EQ(::mkfifo((folder_ / ("pipe" + end)).c_str(), 0600), 0);
  fs::create_symlink("/dev/full", folder_ / ("full" + end));
  for (const char* name : {"link", "dangling", "a_folder", "pipe", "full", "missing/new"}) {
    ExpectRefused(name + end, 4);
  }
}

TEST_P(Outputs, AreCompleteOrNotThere) {
  ExpectRefused(GetParam().name, 4, "ulimit -f 0;");
  std::ofstream(folder_ / GetParam().name) << "old";
  ExpectRefused(GetParam().name, 4, "ulimit -f 0;");
  EXPECT_EQ(RunWith(GetParam().name), 0) << said_;
  EXPECT_NE(ReadFile(folder_ / GetParam().name), "old");
}

INSTANTIATE_TEST_SUITE_P(All, Outputs, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.option + std::to_string(info.index);
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// Each command that writes is tested with all of its options that read.
TEST(Cases, HaveEveryOptionThatReadsOrWrites) {
  std::map<std::string, std::set<std::string>> tried;
  for (const Case& one : kCases) {
    for (const auto& [option, file] : one.reads) tried[one.option].insert(option);
  }
  for (const std::string& output : kWrites) {
    const std::string command = output.substr(0, output.find(' '));
    for (const std::string& input : kReads) {
      if (!input.starts_with(command + " ")) continue;
      EXPECT_TRUE(tried[output].contains(input.substr(command.size() + 1))) << output << ", " << input;
    }
  }
}

}  // namespace
}  // namespace onnxport::cli
