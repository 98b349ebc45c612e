#include "runtime/verify/ort/find_runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "runtime/base/error.h"

namespace onnxport::ort {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "exporter-onnxruntime";

bool IsProgram(const fs::path& file) { return ::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file); }

std::string OnPath() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && IsProgram(fs::path(folder) / kName)) return fs::path(folder) / kName;
  }
  return "";
}

}  // namespace

std::string FindRunner(const std::string& program) {
  std::string named = program;
  if (const char* variable = std::getenv("ONNXPORT_ONNXRUNTIME"); named.empty() && variable != nullptr)
    named = variable;
  if (!named.empty()) {
    if (IsProgram(named)) return named;
    throw Error(ErrorKind::kUsage, fmt::format("there is no program {}, which was named as {}", named, kName));
  }
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / kName;
  if (IsProgram(beside)) return beside;
  if (std::string found = OnPath(); !found.empty()) return found;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("there is no program {}, nor one of that name on PATH: releases have it in `bin` beside "
                  "`exporter`, and `bazel build @onnxport//:{}` makes it. ONNXPORT_ONNXRUNTIME names one elsewhere",
                  beside.string(), kName));
}

}  // namespace onnxport::ort
