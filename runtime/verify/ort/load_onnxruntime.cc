#include "runtime/verify/ort/load_onnxruntime.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "runtime/base/error.h"

namespace onnxport::ort {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "ONNXPORT_ONNXRUNTIME_LIBRARY";

// With a version behind it in Python's package.
constexpr const char* kName = "libonnxruntime.so";

// The library in a folder, if it has one.
std::string In(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(kName)) files.push_back(entry.path());
  }
  return files.empty() ? "" : std::ranges::min(files);
}

std::string FolderOfThisProgram() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// Where the package onnxruntime of an interpreter has its library; nothing of the package runs. `python` is a word of
// the shell. The folder that is current is left out: whoever is in one of somebody else's does not mean to run what
// lies there.
std::string InPackageOf(const std::string& python) {
  const std::string command = python +
                              " -c \"import sys; sys.path = [p for p in sys.path if p]; import importlib.util; "
                              "print(importlib.util.find_spec('onnxruntime').submodule_search_locations[0], end='')\" "
                              "</dev/null 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen(command.c_str(), "r"), ::pclose);
  if (output == nullptr) return "";
  std::string folder;
  for (int c = std::fgetc(output.get()); c != EOF; c = std::fgetc(output.get())) folder += static_cast<char>(c);
  return folder.empty() ? "" : In(fs::path(folder) / "capi");
}

OnnxRuntime Load(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw Error(ErrorKind::kUsage, ::dlerror());
  void* function = ::dlsym(handle, "OrtGetApiBase");
  if (function == nullptr) throw Error(ErrorKind::kUsage, library + " is no ONNX Runtime: it has no OrtGetApiBase");
  Dl_info info{};
  return {.file = ::dladdr(function, &info) != 0 ? info.dli_fname : library, .get_api_base = function};
}

// Names with which the loader finds it: that of ONNX Runtime's own builds, and what Debian's has for those who compile.
std::string NameForLoader() {
  for (const std::string name : {"libonnxruntime.so.1", "libonnxruntime.so"}) {
    if (::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return name;
  }
  return "";
}

// First the library that is meant for this program, last one that only happens to be there. The order: the build's,
// beside the program, the environment that the user has activated, the system's, and whatever `python3` is.
std::string Find(const std::string& of_build) {
  std::error_code ignored;
  if (fs::exists(of_build, ignored)) return of_build;
  const std::string beside = FolderOfThisProgram();
  if (std::string found = In(beside); !found.empty()) return found;
  const char* environment = std::getenv("VIRTUAL_ENV");
  if (environment != nullptr) {
    if (std::string found = InPackageOf("\"$VIRTUAL_ENV/bin/python3\""); !found.empty()) return found;
  }
  if (std::string found = NameForLoader(); !found.empty()) return found;
  if (std::string found = InPackageOf("python3"); !found.empty()) return found;
  throw Error(ErrorKind::kUsage,
              "there is none here: no libonnxruntime.so in " + beside +
                  (environment != nullptr ? std::string(" and in the packages of ") + environment : "") +
                  ", none that the system's loader finds, and no package onnxruntime of `python3` that has it, as "
                  "those from 1.19 "
                  "on do; `pip install onnxruntime` brings it, or name the library (the option `onnxruntime`, or the "
                  "variable " +
                  kVariable + ")");
}

}  // namespace

OnnxRuntime LoadOnnxRuntime(const std::string& library, const std::string& of_build) {
  if (!library.empty()) return Load(fs::absolute(library));
  const char* named = std::getenv(kVariable);
  // A named library is taken or refused: to go on looking would compare with another release than the user asked for.
  if (named == nullptr || *named == '\0') return Load(Find(of_build));
  try {
    return Load(fs::absolute(named));
  } catch (const Error& error) {
    throw error.Behind(std::string(kVariable) + "=" + named + ": ");
  }
}

}  // namespace onnxport::ort
