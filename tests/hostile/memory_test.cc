// A file of n bytes makes the command use at most the memory that SECURITY.md states. A file that needs more is refused
// with a message. A limit of the system (RLIMIT_AS) would end a command that takes more.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/memory_budget.h"
#include "runtime/testing/zip_writer.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;
using archive::ZipContents;

// The command itself with ONNX's schemas, its stack, and what allocators keep: bytes.
constexpr uint64_t kProgram = uint64_t{700} << 20;
constexpr unsigned kMostSeconds = 250;
// A file that is small takes at most this before it is refused: bytes.
constexpr uint64_t kSmall = uint64_t{6} << 20;
constexpr uint64_t kMostOfSmall = 400'000'000;

std::string Times(const std::string& text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string Traced() { return std::string(std::getenv("ARCHIVES")) + "/traced.pt"; }

ZipContents WithRecord(const std::string& name, std::string contents) {
  ZipContents records = RecordsOf(Traced());
  for (auto& record : records) {
    if (!record.first.ends_with(name)) continue;
    record.second = std::move(contents);
    return records;
  }
  ADD_FAILURE() << "no record " << name;
  return records;
}

ZipContents Running(const std::string& body) { return WithForward(Traced(), body); }

// A list of what the expression gives of `l`, again and again.
ZipContents Appending(const std::string& l, const std::string& expression, int count = 2000) {
  return Running("\n    " + l + "\n    i = 0\n    y = [" + expression + "]\n    for i in range(" +
                 std::to_string(count) + "):\n      _0 = torch.append(y, " + expression + ")\n    return x");
}

std::string Doubled(const std::string& text, int times) {
  return "l = \"" + text + "\"\n    for i in range(" + std::to_string(times) + "):\n      l = torch.add(l, l)";
}

// f0 .. fn, each of which calls the one before twice.
ZipContents Doubling(int n) {
  std::string functions = "def f0(x: Tensor) -> Tensor:\n  return torch.add(x, 1)\n";
  for (int i = 1; i <= n; ++i) {
    const std::string before = "__torch__.f" + std::to_string(i - 1);
    functions += "def f" + std::to_string(i) + "(x: Tensor) -> Tensor:\n  return " + before + "(" + before + "(x))\n";
  }
  return WithForward(Traced(), "\n    return __torch__.f" + std::to_string(n) + "(x)", functions);
}

struct Forged {
  const char* name;
  std::function<ZipContents()> records;
  const char* text;  // of the message
};

const Forged kCases[] = {
    {"inflated_debug_values",
     [] { return WithRecord("__torch__.py.debug_pkl", "\x80\x02(" + Times("N", 60 << 20) + "t."); }, "debug_pkl"},
    {"inflated_source", [] { return WithRecord("code/__torch__.py", "x = [" + Times("0,", 30 << 20) + "]"); },
     "expected `class`"},
    {"inflated_list", [] { return Running("\n    y = [" + Times("0,", 30 << 20) + "]\n    return x"); },
     "code/__torch__.py"},
    {"inflated_statements", [] { return Running(Times("\n    pass", 7 << 20)); }, "code/__torch__.py"},
    {"many_values", [] { return WithRecord("data.pkl", "\x80\x02(" + Times("N", 12 << 20) + "t."); }, "data.pkl"},
    {"values_of_a_small_file", [] { return WithRecord("data.pkl", "\x80\x02(" + Times("N", 5 << 20) + "t."); },
     "data.pkl"},
    {"lists_of_a_small_file", [] { return WithRecord("data.pkl", "\x80\x02(" + Times("]", 5 << 20) + "t."); },
     "data.pkl"},
    {"many_marks", [] { return WithRecord("data.pkl", "\x80\x02" + Times("(", 30 << 20) + "."); }, "data.pkl"},
    {"json_values", [] { return ZipContents{{"m/models/m.json", "{\"x\": [" + Times("0,", 17 << 20) + "0]}"}}; },
     "what it describes"},
    {"lists", [] { return Appending("l = torch.mul([1], 1000000)", "torch.list(l)"); }, "the code at "},
    {"joined_lists", [] { return Appending("l = torch.mul([1], 900000)", "torch.add(l, [i])"); }, "the code at "},
    {"slices", [] { return Appending("l = torch.mul([1], 900000)", "torch.slice(l, 0, None, 1)"); }, "the code at "},
    {"texts",
     [] { return Appending(Doubled("0123456789012345678901234567890123456789", 14), "torch.add(l, \"!\")", 20000); },
     "the code at "},
    {"split_texts", [] { return Appending(Doubled("a b c d e f g h a b c d e f g h ", 14), "torch.split(l)"); },
     "the code at "},
    {"tuples", [] { return Appending("l = torch.mul([1], 900000)", "torch.items({\"a\": torch.list(l)})"); },
     "the code at "},
    {"calls_that_double", [] { return Doubling(30); }, "the code at "},
};

struct Outcome {
  int status = -1;  // of the exit; -1: ended by a signal
  uint64_t resident = 0;
  std::string err;
};

Outcome RunExporter(const fs::path& folder, const std::string& model, uint64_t limit) {
  const std::string err = (folder / "err").string();
  const std::string out = (folder / "m.onnx").string();
  const char* exporter = std::getenv("EXPORTER");
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDERR_FILENO);
    const struct rlimit bytes = {limit, limit};
    ::setrlimit(RLIMIT_AS, &bytes);
    ::execl(exporter, exporter, "export", model.c_str(), "-o", out.c_str(), "--input", "x=f32[2]", "--max-seconds",
            std::to_string(kMostSeconds).c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  struct rusage usage = {};
  ::wait4(child, &status, 0, &usage);
  std::ifstream text(err);
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .resident = static_cast<uint64_t>(usage.ru_maxrss) << 10,
          .err = {std::istreambuf_iterator<char>(text), {}}};
}

class Memory : public testing::TestWithParam<Forged> {};

TEST_P(Memory, StaysWithinItsMultiple) {
  const fs::path folder = fs::path(testing::TempDir()) / "memory" / GetParam().name;
  fs::create_directories(folder);
  const std::string model = (folder / "m.pt").string();
  std::ofstream(model, std::ios::binary) << archive::WriteZip(GetParam().records());
  const uint64_t limit = MemoryBudget::LimitOf(fs::file_size(model)) + kProgram;
  const Outcome outcome = RunExporter(folder, model, limit);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_LE(outcome.resident, limit);
  // This includes data in memory: lists of a million, code and a pickle that a few megabytes describe.
  if (fs::file_size(model) < kSmall) {
    EXPECT_LE(outcome.resident, kMostOfSmall);
  }
  EXPECT_NE(outcome.err.find(GetParam().text), std::string::npos) << outcome.err;
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Files, Memory, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Forged>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace onnxport
