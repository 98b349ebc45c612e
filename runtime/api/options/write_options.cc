#include "runtime/api/options/write_options.h"

#include "runtime/api/border/border.h"
#include "runtime/base/error.h"

namespace onnxport {
namespace {

serializer::ExternalData PlaceOf(ExternalData wanted) {
  switch (wanted) {
    case ExternalData::kAuto:
      return serializer::ExternalData::kAuto;
    case ExternalData::kAlways:
      return serializer::ExternalData::kAlways;
    case ExternalData::kNever:
      return serializer::ExternalData::kNever;
    case ExternalData::kSafetensors:
      return serializer::ExternalData::kSafetensors;
  }
  throw Error(ErrorKind::kUsage, "external data: auto, always, never or safetensors");
}

}  // namespace

serializer::WriteOptions WriteOptionsOf(const SaveOptions& options) {
  serializer::WriteOptions wanted{.external_data = PlaceOf(options.external_data), .sync = options.sync};
  if (options.progress) {
    wanted.progress = [&options](int64_t done, int64_t total) {
      CallUser("progress callback", options.progress, "write", done, total);
    };
  }
  return wanted;
}

}  // namespace onnxport
