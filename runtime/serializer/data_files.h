// Data files that earlier exports left beside a model.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_DATA_FILES_H_
#define ONNXPORT_RUNTIME_SERIALIZER_DATA_FILES_H_

#include <string>
#include <vector>

namespace onnxport::serializer {

// Hexadecimal digits of a data file's name: "STEM.<digits>.data".
inline constexpr int kHashDigits = 32;

// The names of the files "STEM.<digits>.data" in the folder of `model` that `model` itself names. Nothing of what
// cannot be read.
std::vector<std::string> DataFilesOf(const std::string& model, const std::string& stem);

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_DATA_FILES_H_
