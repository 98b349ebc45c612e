#include "runtime/ir/ir_version.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "runtime/base/error.h"

namespace onnxport::ir {
namespace {

struct Release {
  int opset;
  int ir_version;
};

constexpr Release kReleases[] = {
#include "runtime/ir/onnx_releases.inc"  // of spec/onnx_releases.txt
};

}  // namespace

int IrVersionOf(int opset) {
  const auto* release = std::ranges::find(kReleases, opset, &Release::opset);
  if (release == std::end(kReleases)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("opset {} has no known IR version; spec/onnx_releases.txt lists those from {} to {}", opset,
                            std::begin(kReleases)->opset, NewestReleasedOpset()));
  }
  return release->ir_version;
}

int NewestReleasedOpset() { return std::prev(std::end(kReleases))->opset; }

}  // namespace onnxport::ir
