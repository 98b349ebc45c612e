// The version of this program, as `exporter --version` and a model's producer_version say it.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_VERSION_H_
#define ONNXPORT_RUNTIME_SERIALIZER_VERSION_H_

namespace onnxport {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_SERIALIZER_VERSION_H_
