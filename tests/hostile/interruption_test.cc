// A program that would go on for years ends when its caller says so, whatever it does.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "onnxport/check_axes.h"
#include "onnxport/export.h"
#include "onnxport/inspect.h"
#include "runtime/testing/zip_writer.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

// Work that would be done 2^60 times.
struct Work {
  const char* name;
  const char* type;  // of what it is done with
  const char* body;
  const char* forward;
};

const Work kWork[] = {
    {"steps", "int", "\n  return torch.add(v, 1)", "\n    n = __torch__.f60(1)\n    return x"},
    {"calls", "Tensor", "\n  return torch.add(v, 1)", "\n    return __torch__.f60(x)"},
    {"blocks", "Tensor", R"(
  if bool(torch.gt(torch.sum(v), 0)):
    w = torch.neg(v)
  else:
    w = torch.abs(v)
  return w)",
     "\n    return __torch__.f60(x)"},
};

// f0 works; f1 to f60 each call the one before twice.
archive::ZipContents Endlessly(const Work& work, const std::string& archive) {
  const std::string signature = std::string("(v: ") + work.type + ") -> " + work.type + ":";
  std::string functions = "def f0" + signature + work.body + "\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string before = "__torch__.f" + std::to_string(i - 1);
    functions += "def f" + std::to_string(i) + signature + "\n  return " + before + "(" + before + "(v))\n";
  }
  return WithForward(archive, work.forward, functions);
}

class Endless : public testing::TestWithParam<Work> {
 protected:
  Endless() : bytes_(archive::WriteZip(Endlessly(GetParam(), Traced()))) {
    options_.inputs = {TensorInput("x", kFloat32, {2})};
    options_.memory_budget = uint64_t{1} << 40;
  }
  static std::string Traced() { return std::string(std::getenv("ARCHIVES")) + "/traced.pt"; }
  Source Model() const { return Source::Bytes(std::as_bytes(std::span(bytes_))); }

  // For each entry of the library, with options that end it.
  void ExpectEnd(const std::function<ExportOptions()>& options, ErrorKind kind) const {
    const auto exported = Export(Model(), options());
    ASSERT_FALSE(exported);
    EXPECT_EQ(Name(exported.error().kind()), Name(kind)) << exported.error().Text();
    const auto axes = CheckAxes(Model(), options());
    ASSERT_FALSE(axes);
    EXPECT_EQ(Name(axes.error().kind()), Name(kind)) << axes.error().Text();
    const auto text = Inspect(Model(), options());
    ASSERT_FALSE(text);
    EXPECT_EQ(Name(text.error().kind()), Name(kind)) << text.error().Text();
  }

  const std::string bytes_;
  ExportOptions options_;
};

TEST_P(Endless, EndsAtTheDeadline) {
  ExpectEnd(
      [this] {
        ExportOptions options = options_;
        options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
        return options;
      },
      ErrorKind::kDeadline);
}

TEST_P(Endless, EndsWhenAnotherThreadAsksForIt) {
  std::jthread asking;
  ExpectEnd(
      [this, &asking] {
        std::stop_source stop;
        asking = std::jthread([stop]() mutable {
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
          stop.request_stop();
        });
        ExportOptions options = options_;
        options.stop = stop.get_token();
        return options;
      },
      ErrorKind::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(Programs, Endless, testing::ValuesIn(kWork),
                         [](const testing::TestParamInfo<Work>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace onnxport
