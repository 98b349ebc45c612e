// What this build is made of.
#ifndef ONNXPORT_VERSION_H_
#define ONNXPORT_VERSION_H_

#include <string>

namespace onnxport {

// Of this library, as `exporter --version` and a model's producer_version say it.
inline constexpr char kVersion[] = "0.1.0";

// Which build of it this is: "linux-x86_64", of a release "commit 9fb8f312a698, linux-x86_64, release build".
std::string BuildText();

// The release of ONNX that is linked in: "1.23.2".
std::string OnnxVersion();

// Where the operator schemas come from: "LibTorch 2.14.0".
std::string AtenSchemasOrigin();

}  // namespace onnxport

#endif  // ONNXPORT_VERSION_H_
