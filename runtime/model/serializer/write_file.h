// Writes files beside a model, with OutputFile as for the model.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_WRITE_FILE_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_WRITE_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/serializer/file_ops.h"

namespace onnxport::serializer {

// Returns true if both paths lead to the same file, or would if it existed.
bool IsSameFile(const std::string& a, const std::string& b);

// Throws Error: kUsage if `path` is one of `others` (empty names are ignored); kCannotWrite as CheckTarget.
void CheckOutput(const std::string& path, const std::vector<std::string>& others);

// Makes the same checks, then writes the file, complete or not at all. Throws Error.
void WriteFile(const std::string& path, std::string_view bytes, const std::vector<std::string>& others,
               bool sync = true, FileOps* ops = &SystemFileOps());

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_WRITE_FILE_H_
