// Versions of this build and its parts.
#ifndef ONNXPORT_VERSION_H_
#define ONNXPORT_VERSION_H_

#include <string>

namespace onnxport {

// The version of this library, as in `exporter --version` and a model's producer_version.
inline constexpr char kVersion[] = "0.1.0";

// Identifies the build: "linux-x86_64"; in a release "commit 9fb8f312a698, linux-x86_64, release build".
std::string BuildText();

// The release of ONNX that is linked in: "1.23.2".
std::string OnnxVersion();

// The release that the operator schemas come from: "LibTorch 2.14.0".
std::string AtenSchemasOrigin();

}  // namespace onnxport

#endif  // ONNXPORT_VERSION_H_
