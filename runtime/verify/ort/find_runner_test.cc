#include "runtime/verify/ort/find_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"

namespace onnxport::ort {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Refusal(const std::string& program) {
  try {
    return "found " + FindRunner(program);
  } catch (const Error& error) {
    return error.what();
  }
}

std::string MakeProgram(const std::string& folder) {
  const fs::path path = fs::path(testing::TempDir()) / folder / "exporter-onnxruntime";
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(FindRunner, TakesWhatIsNamedAndThenLooksOnPath) {
  const std::string on_path = MakeProgram("on_path");
  ::setenv("PATH", ("/nowhere::" + fs::path(on_path).parent_path().string()).c_str(), 1);
  EXPECT_EQ(FindRunner(""), on_path);
  const std::string named = MakeProgram("named");
  ::setenv("ONNXPORT_ONNXRUNTIME", named.c_str(), 1);
  EXPECT_EQ(FindRunner(""), named);
  const std::string given = MakeProgram("given");
  EXPECT_EQ(FindRunner(given), given);
  ::setenv("ONNXPORT_ONNXRUNTIME", "/nowhere/runner", 1);
  EXPECT_THAT(Refusal(""), HasSubstr("there is no program /nowhere/runner"));
  ::unsetenv("ONNXPORT_ONNXRUNTIME");
}

TEST(FindRunner, SaysWhereItLookedAndWhatHasIt) {
  ::setenv("PATH", "/nowhere", 1);
  EXPECT_THAT(Refusal(""), HasSubstr("/exporter-onnxruntime, nor one of that name on PATH: releases have it in `bin`"));
}

}  // namespace
}  // namespace onnxport::ort
