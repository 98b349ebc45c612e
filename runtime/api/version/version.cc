#include "onnxport/version.h"

#include <string_view>

#include "runtime/api/version/commit.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/model/onnx_file/onnx_text.h"

namespace onnxport {
namespace {

constexpr std::string_view kSystem =
#if defined(__linux__) && defined(__x86_64__)
    "linux-x86_64";
#elif defined(__linux__) && defined(__aarch64__)
    "linux-aarch64";
#elif defined(__wasm__)
    "wasm32";
#else
    "another system";
#endif

constexpr std::string_view kKind =
#ifdef ONNXPORT_RELEASE_BUILD
    ", release build";
#else
    "";
#endif

}  // namespace

std::string BuildText() {
  std::string text;
  if (!kCommit.empty()) text.append("commit ").append(kCommit).append(", ");
  return text.append(kSystem).append(kKind);
}

std::string OnnxVersion() { return onnx_file::OnnxVersion(); }

std::string AtenSchemasOrigin() { return std::string(ir::AtenSchemasOrigin()); }

}  // namespace onnxport
