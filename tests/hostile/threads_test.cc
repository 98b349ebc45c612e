// Exports at the same time write what exports one after the other write: caches, the memory budget and ONNX's schemas
// are shared by all of a process.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/exporter.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

constexpr int kAtATime = 8;
constexpr const char* kArchives[] = {"traced", "scripted", "quantized"};

std::string Exported(const std::string& archive, int opset, const fs::path& out) {
  ExportOptions options;
  options.opset = opset;
  if (archive == "scripted") options.inputs = {"x=f32[n,2,4]", "extra=none"};
  Export(std::string(std::getenv("ARCHIVES")) + "/" + archive + ".pt", out.string(), options);
  std::ifstream file(out, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Threads, WriteTheBytesOfSerialExports) {
  const fs::path folder = fs::path(testing::TempDir()) / "threads";
  fs::create_directories(folder);
  std::vector<std::string> together(kAtATime);
  std::vector<std::thread> threads;
  const auto name = [](int i) { return kArchives[static_cast<size_t>(i) % std::size(kArchives)]; };
  const auto opset = [](int i) { return i % 2 == 0 ? 18 : 20; };
  for (int i = 0; i < kAtATime; ++i) {
    threads.emplace_back([&, i] {
      together[static_cast<size_t>(i)] = Exported(name(i), opset(i), folder / (std::to_string(i) + ".onnx"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kAtATime; ++i) {
    EXPECT_FALSE(together[static_cast<size_t>(i)].empty());
    EXPECT_EQ(together[static_cast<size_t>(i)], Exported(name(i), opset(i), folder / "serial.onnx")) << i;
  }
}

// A budget is its thread's: what one export refuses leaves the others alone, and a failed export is followed by others.
TEST(Threads, AFailureIsItsOwn) {
  const fs::path folder = fs::path(testing::TempDir()) / "threads_failing";
  fs::create_directories(folder);
  std::vector<std::thread> threads;
  std::vector<int> failed(kAtATime);
  for (int i = 0; i < kAtATime; ++i) {
    threads.emplace_back([&, i] {
      try {
        Exported(i % 2 == 0 ? "traced" : "missing", 18, folder / (std::to_string(i) + ".onnx"));
      } catch (const Error&) {
        failed[static_cast<size_t>(i)] = 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kAtATime; ++i) EXPECT_EQ(failed[static_cast<size_t>(i)], i % 2);
}

}  // namespace
}  // namespace onnxport
