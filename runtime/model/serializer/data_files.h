// Handles data files that earlier exports left beside a model.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_DATA_FILES_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_DATA_FILES_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport::serializer {

// A data file's name is "STEM.<digits>" and one of the endings.
inline constexpr int kHashDigits = 32;
inline constexpr std::string_view kRawEnd = ".data";
inline constexpr std::string_view kSafetensorsEnd = ".safetensors";

// Returns the names of such files in the folder of `model` that `model` itself names; none if it cannot be read.
std::vector<std::string> DataFilesOf(const std::string& model, const std::string& stem);

// Removes those of `files`, in the folder of `model`, that no other model (`.onnx`) there names, and returns the
// others. If one of these models cannot be read, or there is no time left to read them, all stay. Weights, the large
// part of a model, are not read.
std::vector<std::string> RemoveUnnamed(std::vector<std::string> files, const std::string& model);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_DATA_FILES_H_
