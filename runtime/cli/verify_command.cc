#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/verify_options.h"

namespace onnxport::cli {
namespace {

// LibTorch and ONNX Runtime are linked by programs of their own, which lie beside this one.
std::string VerifyProgram() {
  if (const char* program = std::getenv("ONNXPORT_VERIFY")) return program;
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "exporter-verify";
}

}  // namespace

int RunVerify(char** words) {
  const std::string program = VerifyProgram();
  ::execv(program.c_str(), words);
  Tell("exporter: error: cannot start " + program + ": " + std::strerror(errno) +
       "; `bazel build //:exporter-verify` makes it beside the command; ONNXPORT_VERIFY names one elsewhere\n");
  return kNotCompared;
}

}  // namespace onnxport::cli
