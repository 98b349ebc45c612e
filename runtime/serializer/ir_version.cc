#include "runtime/serializer/ir_version.h"

#include <fmt/core.h>

#include "runtime/ir/error.h"

namespace onnxport::serializer {
namespace {

struct Release {
  int first_opset;
  int ir_version;
};

// The first opset of each IR version.
constexpr Release kReleases[] = {{7, 3},  {9, 4},   {10, 5},  {11, 6},  {12, 7}, {15, 8},
                                 {19, 9}, {21, 10}, {23, 11}, {24, 12}, {25, 13}};
constexpr int kLastOpset = 25;

}  // namespace

int IrVersionOf(int opset) {
  if (opset < kReleases[0].first_opset || opset > kLastOpset) {
    throw Error(ErrorKind::kUsage, fmt::format("opset {} has no known IR version; opsets {} to {} have", opset,
                                               kReleases[0].first_opset, kLastOpset));
  }
  int version = 0;
  for (const Release& release : kReleases) {
    if (opset >= release.first_opset) version = release.ir_version;
  }
  return version;
}

}  // namespace onnxport::serializer
