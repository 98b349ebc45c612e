#include "codegen/source/files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace onnxport::codegen {
namespace {

std::vector<std::string> YamlIn(const std::string& workspace, const std::string& folder) {
  std::vector<std::string> paths;
  const std::filesystem::path root(workspace);
  for (const auto& item : std::filesystem::recursive_directory_iterator(root / folder))
    if (item.path().extension() == ".yaml") paths.push_back(item.path().lexically_relative(root).generic_string());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::string ReadFile(const std::string& path) {
  // A pipe may have no writer, a device no end.
  std::error_code missing;
  if (std::filesystem::exists(path, missing) && !std::filesystem::is_regular_file(path)) {
    throw std::runtime_error("cannot read " + path + ", which is no regular file");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  // Not `!text`: of an empty file nothing is copied, which sets the stream's failbit.
  if (!file.is_open() || file.bad()) throw std::runtime_error("cannot read " + path);
  return text.str();
}

NamedFile ParseNamedFile(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw std::runtime_error("`" + text + "` is not NAME=PATH");
  return {.name = text.substr(0, equals), .path = text.substr(equals + 1)};
}

void WriteFiles(const std::string& folder, const std::vector<OutputFile>& files) {
  std::filesystem::create_directories(folder);
  for (const OutputFile& output : files) {
    const std::string path = folder + "/" + output.name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << output.text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
  }
}

std::vector<std::string> SpecPaths(const std::string& workspace) { return YamlIn(workspace, "spec/aten"); }

std::vector<std::string> DomainPaths(const std::string& workspace) { return YamlIn(workspace, "spec/domains"); }

std::vector<NamedFile> LibraryFiles(const std::string& workspace) {
  std::vector<NamedFile> files;
  if (!std::filesystem::is_directory(std::filesystem::path(workspace) / "spec/lib")) return files;
  for (const std::string& path : YamlIn(workspace, "spec/lib")) files.push_back({path, workspace + "/" + path});
  return files;
}

}  // namespace onnxport::codegen
