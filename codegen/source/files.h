// Files in and out of the generator. All functions throw std::runtime_error with the path.
#ifndef ONNXPORT_CODEGEN_SOURCE_FILES_H_
#define ONNXPORT_CODEGEN_SOURCE_FILES_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

std::string ReadFile(const std::string& path);

// A file, and what messages and generated comments call it: Bazel hands files over by paths in its output tree, while
// people look for spec/... in the workspace.
struct NamedFile {
  std::string name;
  std::string path;
};
// Parses "NAME=PATH"; throws for another text.
NamedFile ParseNamedFile(const std::string& text);

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
// The libraries of definitions, spec/lib/*.yaml; none in a workspace without that folder.
std::vector<NamedFile> LibraryFiles(const std::string& workspace);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SOURCE_FILES_H_
