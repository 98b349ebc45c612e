#include "runtime/verify/program/libtorch_release.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/headeronly/version.h>

#include <string>

#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

// 0x020B... is 2.11: the highest byte is the major, the next the minor number.
std::string Text(uint64_t version) { return fmt::format("{}.{}", version >> 56, version >> 48 & 0xff); }

// Looks for the function in the library, not for the jump to it that the linker has put into the program.
std::string FileOfLibTorch() {
  Dl_info info{};
  return ::dladdr(::dlsym(RTLD_DEFAULT, "aoti_torch_abi_version"), &info) != 0 ? info.dli_fname : "";
}

}  // namespace

void CheckLibTorch() { CheckLibTorch(aoti_torch_abi_version()); }

void CheckLibTorch(uint64_t loaded) {
  const std::string ours = Text(TORCH_ABI_VERSION);
  if (Text(loaded) == ours) return;
  throw CannotCompare(fmt::format(
      "exporter-verify was compiled with LibTorch {}, and {} is LibTorch {}: compile it again with that one, or "
      "see that LD_LIBRARY_PATH does not bring it",
      ours, FileOfLibTorch(), Text(loaded)));
}

}  // namespace onnxport::verify
