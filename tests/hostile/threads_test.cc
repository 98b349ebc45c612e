// Exports at the same time write what exports one after the other write: caches, the memory budget and ONNX's schemas
// are shared by all of a process.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "onnxport/export.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

constexpr int kAtATime = 8;
constexpr const char* kArchives[] = {"traced", "scripted", "quantized"};

Result<Model> ExportOf(const std::string& archive, int opset) {
  ExportOptions options{.opset = opset};
  if (archive == "scripted") {
    options.inputs = {TensorInput("x", kFloat32, {Sym("n"), 2, 4}), FixedInput("extra", None{})};
  }
  return Export(Source::File(std::string(std::getenv("ARCHIVES")) + "/" + archive + ".pt"), options);
}

std::string Exported(const std::string& archive, int opset, const fs::path& out) {
  const Result<Model> model = ExportOf(archive, opset);
  EXPECT_TRUE(model) << model.error().Text();
  EXPECT_TRUE(model->Save(out));
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

// Limits are their thread's: what one export refuses leaves the others alone, and a failed export is followed by
// others.
TEST(Threads, AFailureIsItsOwn) {
  std::stop_source stop;
  stop.request_stop();
  std::vector<std::thread> threads;
  std::vector<std::string> kinds(kAtATime);
  const auto run = [&stop](int i) {
    const std::string path = std::string(std::getenv("ARCHIVES")) + (i % 4 == 1 ? "/missing.pt" : "/traced.pt");
    ExportOptions options;
    if (i % 4 == 2) options.stop = stop.get_token();
    if (i % 4 == 3) options.memory_budget = 1000;
    const Result<Model> model = Export(Source::File(path), options);
    return model ? std::string() : std::string(Name(model.error().kind()));
  };
  for (int i = 0; i < kAtATime; ++i) {
    threads.emplace_back([&, i] {
      run(i + 1);
      kinds[static_cast<size_t>(i)] = run(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string wanted[] = {"", "bad_input", "cancelled", "memory_budget"};
  for (size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(kinds[i], wanted[i % 4]) << i;
}

// A source and the archive's bytes can be shared.
TEST(Threads, MayShareASource) {
  std::ifstream file(std::string(std::getenv("ARCHIVES")) + "/traced.pt", std::ios::binary);
  const Source source = Source::Stream(file);
  std::vector<std::vector<std::byte>> models(kAtATime);
  std::vector<std::thread> threads;
  for (std::vector<std::byte>& bytes : models) {
    threads.emplace_back([&source, &bytes] {
      const Result<Model> model = Export(source);
      if (model) bytes = model->Bytes().value_or(std::vector<std::byte>());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<std::byte>& bytes : models) {
    EXPECT_FALSE(bytes.empty());
    EXPECT_TRUE(bytes == models[0]);
  }
}

}  // namespace
}  // namespace onnxport
