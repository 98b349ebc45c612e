// Files in and out of the generator. All functions throw std::runtime_error with the path.
#ifndef ONNXPORT_CODEGEN_EMIT_FILES_H_
#define ONNXPORT_CODEGEN_EMIT_FILES_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

std::string ReadFile(const std::string& path);

struct OutputFile {
  std::string name;
  std::string text;
};
// Writes all files into a folder that exists, or is made.
void WriteFiles(const std::string& folder, const std::vector<OutputFile>& files);

// The spec files of a workspace, sorted: spec/aten/**/*.yaml, relative to the folder.
std::vector<std::string> SpecPaths(const std::string& workspace);
// And those in spec/domains, which declare operators of domains.
std::vector<std::string> DomainPaths(const std::string& workspace);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_FILES_H_
