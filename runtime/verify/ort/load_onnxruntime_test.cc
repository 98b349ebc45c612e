#include "runtime/verify/ort/load_onnxruntime.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"

namespace onnxport::ort {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

std::string Refusal(const std::string& library) {
  try {
    return "found " + LoadOnnxRuntime(library, "/nowhere").file;
  } catch (const Error& error) {
    return error.what();
  }
}

// A folder with the library under the name that Python's package has for it.
fs::path PlaceWithLibrary(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder);
  fs::copy_file(std::getenv("LIBRARY"), folder / "libonnxruntime.so.1.32.0", fs::copy_options::overwrite_existing);
  return folder;
}

std::string FileOfLibc() {
  Dl_info info{};
  ::dladdr(::dlsym(::dlopen("libc.so.6", RTLD_NOW), "getenv"), &info);
  return info.dli_fname;
}

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(LoadOnnxRuntime, TakesWhatIsNamed) {
  const std::string library = PlaceWithLibrary("named") / "libonnxruntime.so.1.32.0";
  const OnnxRuntime given = LoadOnnxRuntime(library, "/nowhere");
  EXPECT_EQ(given.file, library);
  EXPECT_NE(given.get_api_base, nullptr);
  const Variable variable("ONNXPORT_ONNXRUNTIME_LIBRARY", library);
  EXPECT_EQ(LoadOnnxRuntime("", "").file, library);
}

TEST(LoadOnnxRuntime, TakesThatOfTheBuildWhereItIs) {
  const std::string library = PlaceWithLibrary("build") / "libonnxruntime.so.1.32.0";
  EXPECT_EQ(LoadOnnxRuntime("", library).file, library);
}

TEST(LoadOnnxRuntime, ReplacesNothingThatIsNamed) {
  EXPECT_THAT(Refusal("/nowhere/libonnxruntime.so"), HasSubstr("/nowhere/libonnxruntime.so: cannot open"));
  EXPECT_THAT(Refusal(FileOfLibc()), HasSubstr("is no ONNX Runtime: it has no OrtGetApiBase"));
  const Variable variable("ONNXPORT_ONNXRUNTIME_LIBRARY", "/nowhere/else");
  EXPECT_THAT(Refusal(""), AllOf(HasSubstr("ONNXPORT_ONNXRUNTIME_LIBRARY=/nowhere/else: "), HasSubstr("cannot open")));
}

TEST(LoadOnnxRuntime, AsksTheActiveEnvironmentOfPython) {
  const fs::path environment = fs::path(testing::TempDir()) / "an environment";
  PlaceWithLibrary("packages/onnxruntime/capi");
  fs::create_directories(environment / "bin");
  const fs::path python = environment / "bin/python3";
  std::ofstream(python) << "#!/bin/sh\nprintf %s '" << (fs::path(testing::TempDir()) / "packages/onnxruntime").string()
                        << "'\n";
  fs::permissions(python, fs::perms::owner_all);
  const Variable variable("VIRTUAL_ENV", environment);
  EXPECT_THAT(LoadOnnxRuntime("", "").file, EndsWith("packages/onnxruntime/capi/libonnxruntime.so.1.32.0"));
}

}  // namespace
}  // namespace onnxport::ort
